// How figures, names and values are spelled, both in printed filters and in error messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "penstock/value.hpp"

namespace penstock {

std::string grouped(std::uint64_t figure);    // 59,049
std::string excerpt(std::string_view text);   // at most 40 bytes, cut between characters
std::string spell_character(char c);          // ';' or control character 0x00
std::string in_words(const Scalar& scalar);   // the number 5, the string 'UA', the bool true
std::string_view value_wanted_by(Type type);  // a whole number
Type family_of(const Scalar& scalar);         // string, number or bool: the type of a plain literal

// As the text language writes them, so that they read back the same, values as the same kind of value.
void append_name(std::string& out, std::string_view name);
void append_number(std::string& out, const Scalar& number);
void append_scalar(std::string& out, const Scalar& scalar);

}  // namespace penstock
