// Text -> tokens, on demand. Tokens borrow from the text and know their byte offset; nothing is copied.
// Bytes outside ASCII are letters, so a token never starts or ends inside a character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "penstock/keyword.hpp"
#include "penstock/vocabulary.hpp"

namespace penstock {

// A letter, underscore or non-ASCII byte, then also digits, and single dots inside.
bool is_plain_name(std::string_view name);

// How many bytes of digits[.digits][e[+-]digits] stand at `at`; `real` tells whether it is more than digits.
std::size_t number_size(std::string_view text, std::size_t at, bool& real);

enum class TokenKind : std::uint8_t {
    end,
    word,         // a bare name or keyword
    quoted_name,  // in backticks
    string,
    integer,
    real,
    comparison,  // = == != <> < <= > >=
    open,
    close,
    comma,
    arithmetic,  // + - * / % ^: signs of numbers too
    logical,     // & && | || !: only there to be refused
};

struct Token {
    TokenKind kind = TokenKind::end;
    Keyword keyword = Keyword::none;  // of a word
    Operator op = Operator::eq;       // of a comparison
    bool escaped = false;             // a quoted token with doubled quotes inside
    std::uint32_t at = 0;
    std::string_view text;  // as written, with its quotes

    std::uint32_t stop() const { return at + static_cast<std::uint32_t>(text.size()); }
    bool is(Keyword word) const { return keyword == word && kind == TokenKind::word; }
    bool is_name() const {
        return kind == TokenKind::quoted_name || (kind == TokenKind::word && !is_reserved(keyword));
    }
};

// What a name or string token stands for: without quotes, doubled quotes undone.
std::string content_of(const Token& token);

// The token under the eye and the way to the next. Cheap to copy, which is how one looks ahead.
class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) { advance(); }

    const Token& token() const { return token_; }
    std::string_view text() const { return text_; }

    // Throws FilterError at a character that starts no token.
    void advance();

    Lexer next() const {
        Lexer copy = *this;
        copy.advance();
        return copy;
    }

  private:
    void word();
    void quoted(TokenKind kind);
    void number();
    void comparison();
    void symbol();
    void take(TokenKind kind, std::size_t size);

    std::string_view text_;
    std::size_t position_ = 0;
    Token token_;
};

}  // namespace penstock
