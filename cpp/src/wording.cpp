// The spelling of figures, names and values.
#include "penstock/wording.hpp"

#include <charconv>
#include <cmath>

#include "penstock/lexer.hpp"
#include "penstock/utf8.hpp"

namespace penstock {

namespace {

void append_quoted(std::string& out, std::string_view content, char quote) {
    out += quote;
    for (const char c : content) {
        if (c == quote) out += quote;
        out += c;
    }
    out += quote;
}

}  // namespace

std::string grouped(std::uint64_t figure) {
    std::string digits = std::to_string(figure);
    for (std::size_t left = digits.size(); left > 3;) digits.insert(left -= 3, 1, ',');
    return digits;
}

std::string excerpt(std::string_view text) {
    std::size_t end = 40;
    if (text.size() <= end) return std::string(text);
    while (end > 0 && is_continuation(text[end])) --end;
    return std::string(text.substr(0, end)) + "…";
}

std::string spell_character(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) return {'\'', c, '\''};
    constexpr char hex[] = "0123456789ABCDEF";
    return std::string("control character 0x") + hex[byte >> 4U] + hex[byte & 15U];
}

std::string in_words(const Scalar& scalar) {
    std::string words;
    if (const auto* text = std::get_if<std::string>(&scalar)) {
        words = "the string ";
        append_quoted(words, excerpt(*text), '\'');
        return words;
    }
    words = std::holds_alternative<bool>(scalar) ? "the bool " : "the number ";
    append_scalar(words, scalar);
    return words;
}

std::string_view value_wanted_by(Type type) {
    switch (type) {
        case Type::string:
            return "a string";
        case Type::int_:
            return "a whole number";
        case Type::bool_:
            return "true or false";
        case Type::any:
            return "a value";
        default:
            return "a number";
    }
}

Type family_of(const Scalar& scalar) {
    const Type type = type_of(scalar);
    return is_numeric(type) ? Type::number : type;
}

void append_name(std::string& out, std::string_view name) {
    if (is_plain_name(name) && keyword_of(name) == Keyword::none) {
        out += name;
    } else {
        append_quoted(out, name, '`');
    }
}

void append_number(std::string& out, const Scalar& number) {
    char buffer[32];
    char* const end = buffer + sizeof buffer;
    if (const auto* integer = std::get_if<std::int64_t>(&number)) {
        out.append(buffer, std::to_chars(buffer, end, *integer).ptr);
        return;
    }
    const double real = std::get<double>(number);
    if (std::isinf(real)) {
        out += real < 0 ? "-INFINITY" : "INFINITY";
        return;
    }
    const std::string_view digits(buffer,
                                  static_cast<std::size_t>(std::to_chars(buffer, end, real).ptr - buffer));
    out += digits;
    if (digits.find_first_of(".e") == std::string_view::npos) out += ".0";
}

void append_scalar(std::string& out, const Scalar& scalar) {
    if (const auto* boolean = std::get_if<bool>(&scalar)) {
        out += *boolean ? "true" : "false";
    } else if (const auto* text = std::get_if<std::string>(&scalar)) {
        append_quoted(out, *text, '\'');
    } else {
        append_number(out, scalar);
    }
}

}  // namespace penstock
