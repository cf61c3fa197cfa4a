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

// A value of a message, borrowed for the duration of a match.
struct ValueView {
    Type type = Type::bool_;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text;

    static ValueView of(bool value) { return {Type::bool_, value, 0, 0, {}}; }
    static ValueView of(std::int64_t value) { return {Type::int_, false, value, 0, {}}; }
    static ValueView of(double value) { return {Type::float_, false, 0, value, {}}; }
    static ValueView of(std::string_view value) { return {Type::string, false, 0, 0, value}; }
    static ValueView of(const Scalar& scalar);

    bool is_nan() const { return type == Type::float_ && real != real; }
    Number number() const {
        return type == Type::int_ ? Number::from_int(integer) : Number::from_double(real);
    }
};

Scalar copy_of(const ValueView& value);

struct Attribute {
    std::string_view name;
    ValueView value;
};

// A message: each name once; absent attributes are simply not there.
using MessageView = std::span<const Attribute>;

}  // namespace penstock
