// A topic or a pattern cut into its levels, where it lies: nothing is copied.
//
// Read once for each match, so it is made to be quick: eight bytes at a time, and only what looks suspicious
// is read again, slowly, for the words of the refusal.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "penstock/hash.hpp"

namespace penstock {

// What a table may be set to. A level is a bit of a shape, whose highest bits are needed for other things.
inline constexpr std::size_t most_topic_levels = 30;

class TopicLevels {
  public:
    // Throws MessageError for what no topic looks like, a wildcard included.
    static TopicLevels topic(std::string_view text, std::size_t most_levels);
    // Without its trailing wildcards. Throws FilterError for what no pattern looks like.
    static TopicLevels pattern(std::string_view text, std::size_t most_levels);
    // Of a pattern that has passed that.
    static TopicLevels canonical(std::string_view text);

    std::string_view text() const { return text_; }
    std::size_t size() const { return size_; }
    std::string_view operator[](std::size_t level) const { return between(level, level); }
    // Both levels included, and what lies between them.
    std::string_view between(std::size_t first, std::size_t last) const {
        return {text_.data() + starts_[first], starts_[last + 1] - starts_[first] - 1};
    }
    bool is_wildcard(std::size_t level) const { return ((wildcards_ >> level) & 1U) != 0; }
    // A bit for each wildcard, and one above the last level.
    std::uint32_t shape() const { return wildcards_ | 1U << size_; }

  private:
    TopicLevels() = default;
    bool split(std::string_view text, std::size_t most_levels);
    void end_level(std::size_t at);
    void drop_trailing_wildcards();

    std::string_view text_;
    std::size_t size_ = 0;
    std::uint32_t wildcards_ = 0;
    bool has_empty_ = false;
    std::array<std::uint32_t, most_topic_levels + 1> starts_;  // and behind the slash that would come last
};

// Of a level: made for a few bytes, and cheaper on them than hash_bytes(). Saved tables hold parts of it, so
// to change it is to change the format of files.
inline std::uint64_t hash_level(std::string_view level, std::uint64_t seed) {
    const char* const bytes = level.data();
    const std::size_t size = level.size();
    const auto word = [&](std::size_t at) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes + at, 8);
        return value;
    };
    if (size >= 8) {
        std::uint64_t state = mix(size, seed);
        for (std::size_t at = 0; at + 8 < size; at += 8) state = mix(state ^ word(at), 0xA0761D6478BD642FU);
        return mix(state ^ word(size - 8), 0xE7037ED1A0B428DBU);
    }
    std::uint64_t value = 0;
    if (size >= 4) {
        std::uint32_t ends[2];
        std::memcpy(&ends[0], bytes, 4);
        std::memcpy(&ends[1], bytes + size - 4, 4);
        value = static_cast<std::uint64_t>(ends[1]) << 32U | ends[0];
    } else if (size > 0) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
        value = static_cast<std::uint64_t>(byte(0)) << 16U | byte(size / 2) << 8U | byte(size - 1);
    }
    return mix(value, seed + size);
}

}  // namespace penstock
