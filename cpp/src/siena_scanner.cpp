// Words and characters of Siena's notation.
#include <algorithm>
#include <utility>

#include "penstock/error.hpp"
#include "penstock/siena.hpp"

namespace penstock::siena {

namespace {

using Code = FilterError::Code;

constexpr std::string_view blanks = " \t\n\v\f\r";
constexpr std::string_view operator_characters = "=!<>*";

}  // namespace

std::string_view symbol_of(Operator op) {
    switch (op) {
        case Operator::prefix:
            return ">*";
        case Operator::suffix:
            return "*<";
        case Operator::substring:
            return "*";
        case Operator::exists:
            return "any";
        default:
            return op <= Operator::le ? name_of(op) : std::string_view();
    }
}

Operator operator_named(std::string_view symbol) {
    for (const Operator op : {Operator::eq, Operator::ne, Operator::lt, Operator::gt, Operator::le,
                              Operator::ge, Operator::prefix, Operator::suffix, Operator::substring}) {
        if (symbol_of(op) == symbol) return op;
    }
    return Operator::not_exists;
}

Type type_named(std::string_view word) {
    for (const Type type : {Type::string, Type::int_, Type::float_, Type::bool_, Type::number}) {
        if (name_of(type) == word) return type;
    }
    return Type::any;
}

bool is_bare(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > ' ' && byte != 0x7F && std::string_view("=!<>*;[]|\"\\").find(c) == std::string_view::npos;
}

void Scanner::skip_blanks() {
    position_ = std::min(text_.find_first_not_of(blanks, position_), text_.size());
}

bool Scanner::take(char c) {
    if (at_end() || text_[position_] != c) return false;
    ++position_;
    return true;
}

std::string_view Scanner::bare_word() {
    const std::size_t start = position_;
    while (!at_end() && is_bare(text_[position_])) ++position_;
    return text_.substr(start, position_ - start);
}

std::string_view Scanner::operator_symbol() {
    const std::size_t start = position_;
    position_ = std::min(text_.find_first_not_of(operator_characters, start), text_.size());
    return text_.substr(start, position_ - start);
}

std::string_view Scanner::bare_value() {
    const std::size_t stop = std::min(text_.find_first_of(";]|", position_), text_.size());
    std::string_view value = text_.substr(position_, stop - position_);
    value = value.substr(0, value.find_last_not_of(blanks) + 1);
    position_ += value.size();
    return value;
}

std::string Scanner::quoted() {
    const std::size_t open = position_++;
    std::string content;
    while (!at_end() && text_[position_] != '"') {
        if (text_[position_] == '\\') {
            const std::string_view pair = text_.substr(position_, 2);
            if (pair != "\\\"" && pair != "\\\\") {
                throw FilterError(Code::syntax, "a backslash stands only before \" and \\", "write \\\\",
                                  position_);
            }
            ++position_;
        }
        content += text_[position_++];
    }
    if (take('"')) return content;
    throw FilterError(Code::syntax, "the quotes are never closed", "a \" inside is written \\\"", open,
                      "a closing \"");
}

void Scanner::refuse(const std::string& expected, std::string hint) const {
    throw FilterError(Code::syntax, "expected " + expected, std::move(hint), position_, expected);
}

}  // namespace penstock::siena
