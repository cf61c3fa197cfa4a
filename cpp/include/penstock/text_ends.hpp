// The first and the last eight bytes of a text, from which it is told apart from most others at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace penstock {

struct TextEnds {
    // Up to this length they are, with the length, all that there is of a text.
    static constexpr std::size_t whole = 16;

    std::uint64_t head = 0;
    std::uint64_t tail = 0;

    explicit TextEnds(std::string_view text) {
        const char* const begin = text.data();
        const std::size_t size = text.size();
        if (size >= 8) {
            head = load<std::uint64_t>(begin);
            tail = load<std::uint64_t>(begin + size - 8);
        } else if (size >= 4) {
            head = load<std::uint32_t>(begin);
            tail = load<std::uint32_t>(begin + size - 4);
        } else if (size > 0) {
            head = load<std::uint8_t>(begin) | load<std::uint8_t>(begin + size / 2) << 8U;
            tail = load<std::uint8_t>(begin + size - 1);
        }
    }

    // In 24 bits. Anybody can find texts that have the same, so nothing may depend on how many do.
    std::uint32_t hash() const {
        return static_cast<std::uint32_t>(((head * 0x9E3779B97F4A7C15U) ^ tail) * 0xD6E8FEB86659FD93U >> 40U);
    }

  private:
    template <class Word>
    static std::uint64_t load(const char* bytes) {
        Word word = 0;
        std::memcpy(&word, bytes, sizeof(Word));
        return word;
    }
};

}  // namespace penstock
