// The little of UTF-8 that the core needs. Strings are valid UTF-8 by the time they get here, except where a
// function says that it finds out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace penstock {

constexpr bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Bytes of the character that starts at `at` (1 at least, never past the end).
constexpr std::size_t character_size(std::string_view text, std::size_t at) {
    std::size_t size = 1;
    while (at + size < text.size() && is_continuation(text[at + size])) ++size;
    return size;
}

constexpr std::size_t count_characters(std::string_view text) {
    std::size_t count = 0;
    for (char byte : text) count += !is_continuation(byte);
    return count;
}

// Without the byte order mark that some writers put first.
constexpr std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

// Appends a code point that is a character.
constexpr void append_character(std::string& out, std::uint32_t point) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((point >> shift) & 0x3FU)); };
    if (point < 0x80) {
        out += static_cast<char>(point);
    } else if (point < 0x800) {
        out += static_cast<char>(0xC0U | (point >> 6U));
        tail(0);
    } else if (point < 0x10000) {
        out += static_cast<char>(0xE0U | (point >> 12U));
        tail(6), tail(0);
    } else {
        out += static_cast<char>(0xF0U | (point >> 18U));
        tail(12), tail(6), tail(0);
    }
}

// Finds out: bytes of the character that starts at `at`, 0 if none does: a stray or missing continuation, a
// character written longer than it must be, a surrogate, or beyond the last one.
constexpr std::size_t valid_character_size(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return 0;
    }
    const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool beyond = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
    return overlong || beyond ? 0 : size;
}

}  // namespace penstock
