#include "penstock/utf8_check.hpp"

#include <cstdint>
#include <cstring>

#include "penstock/utf8.hpp"

namespace penstock {

namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080U;

std::uint64_t load(const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    return word;
}

}  // namespace

bool is_ascii(std::string_view bytes) {
    std::uint64_t seen = 0;
    while (bytes.size() >= 8) {
        seen |= load(bytes.data());
        bytes.remove_prefix(8);
    }
    for (const char byte : bytes) seen |= static_cast<unsigned char>(byte);
    return (seen & high_bits) == 0;
}

std::size_t valid_utf8_prefix(std::string_view bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        if (bytes.size() - at >= 8 && (load(bytes.data() + at) & high_bits) == 0) {
            at += 8;
            continue;
        }
        const std::size_t size = valid_character_size(bytes, at);
        if (size == 0) break;
        at += size;
    }
    return at;
}

}  // namespace penstock
