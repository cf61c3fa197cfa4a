// The one hash of the core's tables: fast on short keys, well mixed in the high bits (which IdTable uses).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

namespace penstock {

__extension__ using Wide = unsigned __int128;  // an extension that gcc and clang share on 64-bit machines

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<Wide>(a ^ 0x9E3779B97F4A7C15U) * (b ^ 0xD6E8FEB86659FD93U);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

// Different in each process, so that nobody can prepare strings that all hash alike. A table that is saved
// keeps the seed that it was made with.
inline const std::uint64_t hash_seed = [] {
    std::random_device random;
    return static_cast<std::uint64_t>(random()) << 32U | random();
}();

// The last bytes, up to eight of them, so that no byte of a text of that length is left out.
inline std::uint64_t last_bytes(std::string_view bytes) {
    const auto load = [&]<class Word>(Word word, std::size_t at) {
        std::memcpy(&word, bytes.data() + at, sizeof(Word));
        return static_cast<std::uint64_t>(word);
    };
    const std::size_t size = bytes.size();
    if (size >= 8) return load(std::uint64_t{}, size - 8);
    if (size >= 4) return load(std::uint32_t{}, 0) << 32U | load(std::uint32_t{}, size - 4);
    if (size == 0) return 0;
    return load(std::uint8_t{}, 0) << 16U | load(std::uint8_t{}, size / 2) << 8U |
           load(std::uint8_t{}, size - 1);
}

inline std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = hash_seed) {
    std::uint64_t state = mix(bytes.size(), seed);
    for (std::size_t at = 0; at + 8 < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        state = mix(state ^ word, 0xA0761D6478BD642FU);
    }
    return mix(state ^ last_bytes(bytes), 0xE7037ED1A0B428DBU);
}

}  // namespace penstock
