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

// Bytes of the character at the front, 0 if it is malformed.
std::size_t well_formed(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned lead = byte(0);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size == 0 || lead > 0xF4 || text.size() < size) return 0;
    for (std::size_t at = 1; at < size; ++at) {
        if (!is_continuation(text[at])) return 0;
    }
    // The second byte tells overlong forms, surrogates and what lies beyond the last code point.
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return size;
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
        const std::size_t size = well_formed(bytes.substr(at));
        if (size == 0) break;
        at += size;
    }
    return at;
}

}  // namespace penstock
