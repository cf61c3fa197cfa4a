// The words of syntax errors.
#include "penstock/refusal.hpp"

#include <algorithm>
#include <string>

#include "penstock/error.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

bool is_sign(const Token& token) {
    return token.text == "-" || token.text == "+";
}

bool is_constant(const Token& token) {
    return token.is(Keyword::true_) || token.is(Keyword::false_);
}

bool is_literal(const Token& token) {
    return token.kind == TokenKind::string || token.kind == TokenKind::integer ||
           token.kind == TokenKind::real || is_constant(token);
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

std::string upper(std::string_view word) {
    std::string result(word);
    for (char& c : result) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return result;
}

// Operators that are words stand as they are, symbols in quotes.
std::string after_word(std::string_view after) {
    if (after.empty()) return {};
    const bool symbol = after.front() < 'A';
    return " after " + (symbol ? quoted(after) : std::string(after));
}

std::string describe(const Token& token) {
    switch (token.kind) {
        case TokenKind::end:
            return "the end of the text";
        case TokenKind::word:
            return is_reserved(token.keyword) ? upper(token.text) : "the name " + excerpt(token.text);
        case TokenKind::quoted_name:
            return "the name " + excerpt(token.text);
        case TokenKind::string:
            return "the string " + excerpt(token.text);
        case TokenKind::integer:
        case TokenKind::real:
            return "the number " + excerpt(token.text);
        default:
            return quoted(token.text);
    }
}

std::string spell(const Subject& subject) {
    std::string words;
    if (subject.type != Type::any) words = std::string(name_of(subject.type)) + " ";
    return words + excerpt(subject.name.text);
}

[[noreturn]] void refuse_arithmetic(const Lexer& lexer) {
    const Token& token = lexer.token();
    std::string hint = "work the value out and write the result";
    const std::size_t at = token.at;
    const std::string_view text = lexer.text();
    const auto is_part = [&](std::size_t place) {
        return place < text.size() && is_plain_name(text.substr(place, 1));
    };
    if (token.text == "-" && at > 0 && is_part(at - 1) && is_part(at + 1)) {
        hint = "a name with a '-' in it needs backticks";
    }
    throw FilterError(Code::unsupported, "arithmetic is not supported", std::move(hint), at);
}

[[noreturn]] void refuse_logical(const Token& token) {
    const std::string word = token.text.front() == '&' ? "AND" : token.text.front() == '|' ? "OR" : "NOT";
    throw FilterError(Code::syntax, "unexpected " + quoted(token.text), "write " + word, token.at, word);
}

[[noreturn]] void refuse_function(const Token& name) {
    throw FilterError(Code::unsupported, "functions are not supported: " + excerpt(name.text) + "(…)",
                      "compare the attribute itself with a value", name.at);
}

void refuse_foreign(const Lexer& lexer) {
    if (lexer.token().kind == TokenKind::arithmetic) refuse_arithmetic(lexer);
    if (lexer.token().kind == TokenKind::logical) refuse_logical(lexer.token());
}

Operator mirrored(Operator op) {
    switch (op) {
        case Operator::lt:
            return Operator::gt;
        case Operator::gt:
            return Operator::lt;
        case Operator::le:
            return Operator::ge;
        case Operator::ge:
            return Operator::le;
        default:
            return op;
    }
}

// The text starts with a value: most likely the two sides are the wrong way round.
[[noreturn]] void refuse_value_first(Lexer lexer) {
    const Token start = lexer.token();
    if (is_sign(start)) lexer.advance();
    const Token value = lexer.token();
    const std::string_view written = lexer.text().substr(start.at, value.stop() - start.at);
    const std::string got = is_sign(start) ? "the number " + excerpt(written) : describe(value);
    lexer.advance();
    if (lexer.token().kind != TokenKind::comparison) {
        refuse_foreign(lexer);
        throw FilterError(Code::syntax, "expected a condition, got " + got, {}, start.at, "a condition");
    }
    const Token comparison = lexer.token();
    const Token right = lexer.next().token();
    std::string hint;
    if (right.is_name()) {
        hint = "write " + excerpt(right.text) + " " + std::string(name_of(mirrored(comparison.op))) + " " +
               excerpt(written);
    } else if (value.kind == TokenKind::string) {
        hint = "quotes make a string; write a name plain or in backticks";
    }
    throw FilterError(Code::syntax, "expected a name before " + quoted(comparison.text) + ", got " + got,
                      std::move(hint), start.at, "a name");
}

}  // namespace

void refuse_condition(const Lexer& lexer, std::string_view after) {
    const Token& token = lexer.token();
    const bool signed_number = is_sign(token) && is_literal(lexer.next().token());
    if (is_literal(token) || signed_number) refuse_value_first(lexer);
    refuse_foreign(lexer);
    if (is_reserved(token.keyword) && lexer.next().token().kind == TokenKind::comparison) {
        throw FilterError(Code::syntax, upper(token.text) + " is a keyword",
                          "as a name it needs backticks: `" + std::string(token.text) + "`", token.at,
                          "a name");
    }
    std::string message = "expected a condition" + after_word(after);
    std::string hint;
    if (token.kind == TokenKind::end && after.empty()) {
        message = "the text is empty";
        hint = "write TRUE to match every message";
    } else if (token.kind == TokenKind::close && after.empty()) {
        message = "')' without a '(' before it";
    } else if (token.kind != TokenKind::end) {
        message += ", got " + describe(token);
    }
    throw FilterError(Code::syntax, std::move(message), std::move(hint), token.at, "a condition");
}

void refuse_operator(const Lexer& lexer, const Subject& subject) {
    const Token& token = lexer.token();
    if (token.kind == TokenKind::open && subject.type == Type::any) refuse_function(subject.name);
    refuse_foreign(lexer);
    const std::string name = spell(subject);
    const bool alone = token.kind == TokenKind::end || token.kind == TokenKind::close ||
                       token.is(Keyword::and_) || token.is(Keyword::or_);
    const bool may_be_bool = subject.type == Type::any || subject.type == Type::bool_;
    std::string message = "expected an operator after " + name;
    std::string hint;
    if (alone) {
        hint = may_be_bool ? "write " + name + " = true" : "write EXISTS " + name;
    } else {
        message += ", got " + describe(token);
        if (is_literal(token)) hint = "write " + name + " = " + excerpt(token.text);
        if (token.is(Keyword::exists)) hint = "write EXISTS " + name;
    }
    throw FilterError(Code::syntax, std::move(message), std::move(hint), token.at, "an operator");
}

void refuse_half_operator(const Lexer& lexer, const Subject& subject, const Token& half) {
    const Token& token = lexer.token();
    std::string expected = "WITH";
    std::string hint;
    if (half.is(Keyword::not_)) {
        expected = "BETWEEN, CONTAINS, ENDS WITH, IN, LIKE, STARTS WITH or TOPIC";
        if (token.kind == TokenKind::comparison) {
            hint = "write " + spell(subject) + " " + std::string(name_of(negate(token.op))) + " …";
        }
        if (token.is(Keyword::exists)) hint = "write NOT EXISTS " + spell(subject);
    } else if (half.is(Keyword::is)) {
        expected = "NULL or NOT NULL";
        if (is_literal(token)) hint = "write " + spell(subject) + " = " + excerpt(token.text);
    }
    throw FilterError(Code::syntax, "expected " + expected + " after " + upper(half.text), std::move(hint),
                      token.at, expected);
}

void refuse_value(const Lexer& lexer, const Subject& subject, Operator op, std::string_view after) {
    const Token& token = lexer.token();
    const std::string name = excerpt(subject.name.text);
    if (token.is(Keyword::null)) {
        throw FilterError(Code::syntax, "NULL is not a value",
                          "write " + name + (is_exclusion(op) ? " IS NOT NULL" : " IS NULL"), token.at,
                          "a value");
    }
    if (token.is(Keyword::nan)) {
        throw FilterError(Code::type, "NaN is not a value that a filter can ask for", {}, token.at,
                          "a value");
    }
    if (token.is_name()) {
        if (lexer.next().token().kind == TokenKind::open) refuse_function(token);
        throw FilterError(
            Code::unsupported,
            excerpt(token.text) + " is a name, and attributes cannot be compared with each other",
            "if the string is meant, write '" + excerpt(content_of(token)) + "'", token.at, "a value");
    }
    if (is_sign(token)) {
        throw FilterError(Code::syntax, "expected digits right after " + quoted(token.text), {}, token.at,
                          "digits");
    }
    refuse_foreign(lexer);
    std::string hint;
    const bool reversed = op == Operator::eq && (token.text == "<" || token.text == ">");
    if (reversed && after == "=") hint = "write " + std::string(token.text) + "=";
    if (token.kind == TokenKind::open) hint = "write the value without parentheses";
    const std::string what = is_textual(op) ? "a string" : "a value";
    throw FilterError(Code::syntax, "expected " + what + after_word(after), std::move(hint), token.at, what);
}

void refuse_rest(const Lexer& lexer, const std::optional<Token>& open) {
    const Token& token = lexer.token();
    refuse_foreign(lexer);
    if (token.kind == TokenKind::end) refuse_unclosed(*open);
    if (token.kind == TokenKind::close) {
        throw FilterError(Code::syntax, "')' without a '(' before it", {}, token.at, "AND, OR or the end");
    }
    const std::string expected = open ? "AND, OR or ')'" : "AND, OR or the end";
    std::string hint;
    if (token.kind == TokenKind::comma) hint = "write AND between conditions";
    throw FilterError(Code::syntax, "expected " + expected + ", got " + describe(token), std::move(hint),
                      token.at, expected);
}

void refuse_lack(const Lexer& lexer, std::string_view expected, std::string_view after) {
    const Token& token = lexer.token();
    throw FilterError(Code::syntax, "expected " + std::string(expected) + after_word(after), {}, token.at,
                      std::string(expected));
}

void refuse_unclosed(const Token& open) {
    throw FilterError(Code::syntax, "'(' is never closed", {}, open.at, "')'");
}

}  // namespace penstock
