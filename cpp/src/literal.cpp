// Reading numbers, and fitting values to operators and types.
#include "penstock/literal.hpp"

#include <charconv>
#include <string>
#include <system_error>

#include "penstock/error.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

// Of a number outside the range of doubles: is it too large, rather than too small?
// Decided by the decimal exponent of its first significant digit; the two cases are 600 powers of ten apart.
bool is_huge(std::string_view digits) {
    constexpr std::int64_t far = 1'000'000'000'000;
    const std::size_t mark = digits.find_first_of("eE");
    const std::string_view mantissa = digits.substr(0, mark);
    const std::size_t significant = mantissa.find_first_of("123456789");
    if (significant == std::string_view::npos) return false;
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    std::int64_t exponent = 0;
    if (mark != std::string_view::npos) {
        for (const char c : digits.substr(mark + 1)) {
            if (c >= '0' && c <= '9' && exponent < far) exponent = exponent * 10 + (c - '0');
        }
        if (digits[mark + 1] == '-') exponent = -exponent;
    }
    return exponent + static_cast<std::int64_t>(point) > static_cast<std::int64_t>(significant);
}

void check_fit(Type type, const Literal& literal) {
    const bool fits = type == Type::int_
                          ? std::holds_alternative<std::int64_t>(literal.value)
                          : family_of(literal.value) == (is_numeric(type) ? Type::number : type);
    const std::string name(name_of(type));
    if (!fits) {
        throw FilterError(
            Code::type,
            name + " needs " + std::string(value_wanted_by(type)) + ", got " + in_words(literal.value), {},
            literal.at, std::string(value_wanted_by(type)));
    }
    if (type == Type::float_ && number_of(literal.value).residual != 0) {
        std::string message;
        append_number(message, literal.value);
        throw FilterError(Code::type, message + " is not representable as a float",
                          "leave out 'float' to compare exactly", literal.at);
    }
}

void check_textual(const Application& application, const Literal& literal) {
    const std::string word(application.word);
    if (!std::holds_alternative<std::string>(literal.value)) {
        throw FilterError(Code::type, word + " needs a string, got " + in_words(literal.value), {},
                          literal.at, "a string");
    }
    if (application.declared != Type::any && application.declared != Type::string) {
        throw FilterError(Code::type,
                          word + " needs a string, not " + std::string(name_of(application.declared)), {},
                          application.declared_at, "string");
    }
}

}  // namespace

Scalar read_integer(std::string_view digits, std::uint32_t at) {
    std::int64_t value = 0;
    const char* first = digits.data() + (digits.front() == '+');
    const auto result = std::from_chars(first, digits.data() + digits.size(), value);
    if (result.ec == std::errc()) return value;
    throw FilterError(Code::type, "the integer " + excerpt(digits) + " does not fit in 64 bits",
                      "write it as a float, such as 1e20", at);
}

Scalar read_real(std::string_view digits, std::uint32_t at) {
    double value = 0;
    const char* first = digits.data() + (digits.front() == '+');
    const auto result = std::from_chars(first, digits.data() + digits.size(), value);
    if (result.ec == std::errc()) return value;
    if (!is_huge(digits)) return 0.0;
    throw FilterError(
        Code::type, "the number " + excerpt(digits) + " is too large for a float",
        digits.front() == '-' ? "write -INFINITY if that is meant" : "write INFINITY if that is meant", at);
}

Type fit(const Application& application, std::span<const Literal> values) {
    const Type family = family_of(values.front().value);
    const Type type = application.declared == Type::any ? family : application.declared;
    if (is_textual(application.op)) {
        for (const Literal& literal : values) check_textual(application, literal);
        return Type::string;
    }
    if (is_order(application.op) && (family == Type::bool_ || type == Type::bool_)) {
        throw FilterError(Code::type, "bool has no order; use = or !=", {}, application.at, "= or !=");
    }
    for (const Literal& literal : values) {
        if (family_of(literal.value) != family) {
            throw FilterError(Code::type,
                              std::string(application.word) + " needs values of one type, got " +
                                  in_words(values.front().value) + " and " + in_words(literal.value),
                              {}, literal.at, std::string(value_wanted_by(family)));
        }
        check_fit(type, literal);
    }
    return type;
}

}  // namespace penstock
