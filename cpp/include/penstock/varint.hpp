// Numbers in as few bytes as they need: seven bits each, the upper bit says that more follow.
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock {

inline std::uint32_t read_varint(const std::uint8_t*& at) {
    std::uint32_t value = *at++;
    if (value < 0x80U) return value;
    value &= 0x7FU;
    for (unsigned shift = 7;; shift += 7) {
        const std::uint32_t byte = *at++;
        value |= (byte & 0x7FU) << shift;
        if (byte < 0x80U) return value;
    }
}

// Calls put(byte) for each byte.
template <class Put>
void write_varint(std::uint64_t value, Put&& put) {
    for (; value >= 0x80U; value >>= 7U) put(static_cast<std::uint8_t>(value | 0x80U));
    put(static_cast<std::uint8_t>(value));
}

constexpr std::size_t varint_size(std::uint64_t value) {
    std::size_t size = 1;
    for (; value >= 0x80U; value >>= 7U) ++size;
    return size;
}

}  // namespace penstock
