// The lexer: one table of character classes, one scan function for each kind of token.
#include "penstock/lexer.hpp"

#include <array>

#include "penstock/error.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

enum : std::uint8_t {
    space = 1,
    letter = 2,
    digit = 4,
};

constexpr std::array<std::uint8_t, 256> make_classes() {
    std::array<std::uint8_t, 256> classes{};
    for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'}) classes[static_cast<unsigned char>(c)] = space;
    for (unsigned c = '0'; c <= '9'; ++c) classes[c] = digit;
    for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = letter;
    for (unsigned c = 0x80; c <= 0xFF; ++c) classes[c] = letter;
    classes['_'] = letter;
    return classes;
}

constexpr auto classes = make_classes();

bool is_a(std::string_view text, std::size_t at, unsigned wanted) {
    return at < text.size() && (classes[static_cast<unsigned char>(text[at])] & wanted) != 0;
}

std::size_t skip(std::string_view text, std::size_t at, unsigned wanted) {
    while (is_a(text, at, wanted)) ++at;
    return at;
}

// Bytes of a character that looks like nothing or like a space, and is neither to us: pasted from a page, it
// would become part of a name that no message has. U+0085, U+00A0, U+1680, U+2000-200F, U+2028-202F, U+205F,
// U+2060, U+3000, U+FEFF. Zero for all others.
std::size_t blank_size(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("\xC2\x85") || rest.starts_with("\xC2\xA0")) return 2;
    if (rest.size() < 3) return 0;
    const auto last = static_cast<unsigned char>(rest[2]);
    const std::string_view lead = rest.substr(0, 2);
    const bool blank = (lead == "\xE2\x80" && (last <= 0x8F || (last >= 0xA8 && last <= 0xAF))) ||
                       (lead == "\xE2\x81" && (last == 0x9F || last == 0xA0)) ||
                       (lead == "\xE1\x9A" && last == 0x80) || (lead == "\xE3\x80" && last == 0x80) ||
                       (lead == "\xEF\xBB" && last == 0xBF);
    return blank ? 3 : 0;
}

// Where such a character lies in a word, or npos. Only words with other than ASCII can hold one.
std::size_t find_blank(std::string_view word) {
    for (std::size_t at = 0; at < word.size(); ++at) {
        if (static_cast<unsigned char>(word[at]) >= 0xC2 && blank_size(word, at) > 0) return at;
    }
    return std::string_view::npos;
}

[[noreturn]] void refuse_dot(std::string_view where, std::size_t at) {
    throw FilterError(Code::syntax, "a name cannot " + std::string(where),
                      "quote unusual names with backticks", at);
}

}  // namespace

bool is_plain_name(std::string_view name) {
    if (!is_a(name, 0, letter) || name.back() == '.') return false;
    for (std::size_t at = 1; at < name.size(); ++at) {
        if (is_a(name, at, letter | digit)) continue;
        if (name[at] != '.' || name[at - 1] == '.') return false;
    }
    return find_blank(name) == std::string_view::npos;
}

std::size_t number_size(std::string_view text, std::size_t at, bool& real) {
    const std::size_t start = at;
    at = skip(text, at, digit);
    real = at < text.size() && text[at] == '.';
    if (real) at = skip(text, at + 1, digit);
    if (at - start == (real ? 1U : 0U)) return 0;
    if (at >= text.size() || (text[at] | 0x20) != 'e') return at - start;
    const std::size_t sign = at + 1;
    const bool has_sign = sign < text.size() && (text[sign] == '+' || text[sign] == '-');
    const std::size_t exponent = sign + (has_sign ? 1 : 0);
    if (!is_a(text, exponent, digit)) return at - start;
    real = true;
    return skip(text, exponent, digit) - start;
}

std::string content_of(const Token& token) {
    if (token.kind == TokenKind::word) return std::string(token.text);
    const std::string_view inner = token.text.substr(1, token.text.size() - 2);
    if (!token.escaped) return std::string(inner);
    std::string content;
    content.reserve(inner.size());
    for (std::size_t at = 0; at < inner.size(); ++at) {
        content += inner[at];
        if (inner[at] == token.text.front()) ++at;
    }
    return content;
}

void Lexer::take(TokenKind kind, std::size_t size) {
    token_.kind = kind;
    token_.text = text_.substr(position_, size);
    position_ += size;
}

void Lexer::advance() {
    position_ = skip(text_, position_, space);
    token_ = {};
    token_.at = static_cast<std::uint32_t>(position_);
    if (position_ == text_.size()) return;
    if (is_a(text_, position_, letter)) return word();
    if (is_a(text_, position_, digit)) return number();
    switch (text_[position_]) {
        case '\'':
        case '"':
            return quoted(TokenKind::string);
        case '`':
            return quoted(TokenKind::quoted_name);
        case '.':
            if (is_a(text_, position_ + 1, digit)) return number();
            refuse_dot("start with a dot", position_);
        default:
            return symbol();
    }
}

void Lexer::word() {
    std::size_t at = skip(text_, position_, letter | digit);
    while (at < text_.size() && text_[at] == '.') {
        const std::size_t dot = at++;
        if (at < text_.size() && text_[at] == '.') refuse_dot("have two dots in a row", at);
        if (!is_a(text_, at, letter | digit)) refuse_dot("end with a dot", dot);
        at = skip(text_, at, letter | digit);
    }
    if (const std::size_t blank = find_blank(text_.substr(position_, at - position_));
        blank != std::string_view::npos) {
        throw FilterError(Code::syntax,
                          "an invisible character or unusual space that is not part of the language",
                          "write a plain space, or put a name that holds it in backticks", position_ + blank);
    }
    take(TokenKind::word, at - position_);
    token_.keyword = keyword_of(token_.text);
}

void Lexer::quoted(TokenKind kind) {
    const char quote = text_[position_];
    std::size_t at = position_ + 1;
    while (true) {
        at = text_.find(quote, at);
        if (at == std::string_view::npos) {
            const std::string what = kind == TokenKind::string ? "string" : "name";
            throw FilterError(Code::syntax, "the " + what + " is never closed",
                              std::string("a ") + quote + " inside is written twice", position_,
                              std::string("a closing ") + quote);
        }
        if (at + 1 >= text_.size() || text_[at + 1] != quote) break;
        token_.escaped = true;
        at += 2;
    }
    take(kind, at + 1 - position_);
    if (kind == TokenKind::quoted_name && token_.text.size() == 2) {
        throw FilterError(Code::syntax, "the name between the backticks is empty", {}, token_.at, "a name");
    }
}

void Lexer::number() {
    bool real = false;
    const std::size_t size = number_size(text_, position_, real);
    std::size_t at = position_ + size;
    const auto runs_on = [&] {
        return is_a(text_, at, letter | digit) || (at < text_.size() && text_[at] == '.');
    };
    if (!runs_on()) return take(real ? TokenKind::real : TokenKind::integer, size);
    while (runs_on()) ++at;
    const std::string written = excerpt(text_.substr(position_, at - position_));
    throw FilterError(Code::syntax, "'" + written + "' is not a number",
                      "a name that starts with a digit needs backticks: `" + written + "`", position_);
}

void Lexer::comparison() {
    const char c = text_[position_];
    const char follower = position_ + 1 < text_.size() ? text_[position_ + 1] : ' ';
    Operator op = c == '<' ? Operator::lt : c == '>' ? Operator::gt : Operator::eq;
    std::size_t size = 2;
    if (c == '!' || (c == '<' && follower == '>')) {
        op = Operator::ne;
    } else if (follower == '=') {
        op = c == '<' ? Operator::le : c == '>' ? Operator::ge : Operator::eq;
    } else {
        size = 1;
    }
    take(TokenKind::comparison, size);
    token_.op = op;
}

void Lexer::symbol() {
    const char c = text_[position_];
    const bool doubled = position_ + 1 < text_.size() && text_[position_ + 1] == c;
    switch (c) {
        case '=':
        case '<':
        case '>':
            return comparison();
        case '!':
            if (text_.substr(position_, 2) == "!=") return comparison();
            return take(TokenKind::logical, 1);
        case '(':
            return take(TokenKind::open, 1);
        case ')':
            return take(TokenKind::close, 1);
        case ',':
            return take(TokenKind::comma, 1);
        case '+':
        case '-':
        case '*':
        case '/':
        case '%':
        case '^':
            return take(TokenKind::arithmetic, 1);
        case '&':
        case '|':
            return take(TokenKind::logical, doubled ? 2 : 1);
        case '[':
            throw FilterError(Code::syntax, "unexpected '['",
                              "Siena's notation is read by penstock.language.siena", position_);
        default:
            throw FilterError(Code::syntax, "unexpected " + spell_character(c), {}, position_);
    }
}

}  // namespace penstock
