// Values: owned ones inside constraints, borrowed ones inside messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "penstock/number.hpp"
#include "penstock/vocabulary.hpp"

namespace penstock {

// The alternatives are in the order in which values of different types sort.
using Scalar = std::variant<bool, std::int64_t, double, std::string>;

Type type_of(const Scalar& scalar);      // bool_, int_, float_ or string
Number number_of(const Scalar& scalar);  // precondition: int or float, not NaN

// Total order on scalars without NaN: by exact value among numbers, by bytes among strings,
// bool < number < string. Equal numbers of different type (5 and 5.0) compare equal.
int compare(const Scalar& a, const Scalar& b);

class ValueFindings;

// A value of a message, borrowed for the duration of a match.
struct ValueView {
    Type type = Type::bool_;
    bool boolean = false;
    // What the table that is to match calls the value, from whoever has asked it before and knows that it
    // has not changed since: the code among those of its type, or that there is none.
    enum class Coding : std::uint8_t {
        unknown,
        none,
        known,
    };
    Coding coding = Coding::unknown;
    std::uint32_t code = 0;
    const ValueFindings* findings = nullptr;  // what that table found for the value lately, if it knows
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text{};

    static ValueView of(bool value) { return {.type = Type::bool_, .boolean = value}; }
    static ValueView of(std::int64_t value) { return {.type = Type::int_, .integer = value}; }
    static ValueView of(double value) { return {.type = Type::float_, .real = value}; }
    static ValueView of(std::string_view value) { return {.type = Type::string, .text = value}; }
    static ValueView of(const Scalar& scalar);

    bool is_nan() const { return type == Type::float_ && real != real; }
    Number number() const {
        return type == Type::int_ ? Number::from_int(integer) : Number::from_double(real);
    }
};

Scalar copy_of(const ValueView& value);

struct Attribute {
    static constexpr std::uint32_t unknown = UINT32_MAX;

    std::string_view name;
    ValueView value;
    std::uint32_t name_id = unknown;  // of the table that is to match, like the code of the value
};

// A message: each name once; absent attributes are simply not there.
using MessageView = std::span<const Attribute>;

}  // namespace penstock
