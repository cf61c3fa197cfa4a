// The words of Siena's notation, shared by its reader and its printer, and the scanner of its text.
//
//     [string dest = MXP; int price < 500] | [string carrier >* U; upgradeable any]
//
// Words are lower case only. Bare names stop at blanks, operators and punctuation, bare strings at ; ] |;
// double quotes, with \" and \\ inside, take everything else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "penstock/vocabulary.hpp"

namespace penstock::siena {

// The symbol of an operator; empty when the notation has none.
std::string_view symbol_of(Operator op);

// `not_exists`, which has no symbol, when there is no such operator.
Operator operator_named(std::string_view symbol);

// string, int, float, bool or number; `any` when the word is none of them.
Type type_named(std::string_view word);

// Can the character stand in a name without quotes?
bool is_bare(char c);

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::uint32_t at() const { return static_cast<std::uint32_t>(position_); }
    bool at_end() const { return position_ == text_.size(); }
    char peek() const { return at_end() ? '\0' : text_[position_]; }
    void back_to(std::uint32_t at) { position_ = at; }

    void skip_blanks();
    bool take(char c);
    std::string_view bare_word();
    std::string_view operator_symbol();
    std::string_view bare_value();  // trimmed
    std::string quoted();           // what stands between the quotes; throws FilterError

    [[noreturn]] void refuse(const std::string& expected, std::string hint = {}) const;

  private:
    std::string_view text_;
    std::size_t position_ = 0;
};

}  // namespace penstock::siena
