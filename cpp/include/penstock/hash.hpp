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

inline std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = hash_seed) {
    std::uint64_t state = mix(bytes.size(), seed);
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        state = mix(state ^ word, 0xA0761D6478BD642FU);
        bytes.remove_prefix(8);
    }
    std::uint64_t tail = 0;
    if (!bytes.empty()) std::memcpy(&tail, bytes.data(), bytes.size());
    return mix(state ^ tail, 0xE7037ED1A0B428DBU);
}

}  // namespace penstock
