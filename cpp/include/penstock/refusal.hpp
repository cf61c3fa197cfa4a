// What the parser says when the text goes wrong: one function for each place where it can. They look at
// what stands there instead, so that the message names the mistake and the hint the way out.
#pragma once

#include <optional>
#include <string_view>

#include "penstock/lexer.hpp"

namespace penstock {

// The left side of a condition: `price`, or `int price` with its type word.
struct Subject {
    Type type = Type::any;  // `any` when there is no type word
    Token type_word;
    Token name;
};

// No condition starts here. `after` is what came before, empty at the start of the text.
[[noreturn]] void refuse_condition(const Lexer& lexer, std::string_view after);

// A name is not followed by an operator.
[[noreturn]] void refuse_operator(const Lexer& lexer, const Subject& subject);

// `NOT`, `STARTS` or `IS` after a name lacks its other half.
[[noreturn]] void refuse_half_operator(const Lexer& lexer, const Subject& subject, const Token& half);

// No value starts here. `after` is the operator as written, `op` the one it means.
[[noreturn]] void refuse_value(const Lexer& lexer, const Subject& subject, Operator op,
                               std::string_view after);

// A complete condition is followed by neither AND, OR nor the end; `open` is the parenthesis it stands in.
[[noreturn]] void refuse_rest(const Lexer& lexer, const std::optional<Token>& open);

// Something simple is missing.
[[noreturn]] void refuse_lack(const Lexer& lexer, std::string_view expected, std::string_view after);

[[noreturn]] void refuse_unclosed(const Token& open);

}  // namespace penstock
