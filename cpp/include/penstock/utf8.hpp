// The little of UTF-8 that the core needs. All strings are valid UTF-8 by the time they get here.
#pragma once

#include <cstddef>
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

}  // namespace penstock
