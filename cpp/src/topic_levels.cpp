#include "penstock/topic_levels.hpp"

#include <string>

#include "penstock/limits.hpp"
#include "penstock/topic_fault.hpp"

namespace penstock {

namespace {

constexpr std::uint64_t each = 0x0101010101010101U;  // times a byte: that byte eight times
constexpr std::uint64_t high = 0x80 * each;

std::uint64_t load_eight(const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

// The high bit of each byte that is zero.
constexpr std::uint64_t zeros(std::uint64_t word) {
    return ~(((word & ~high) + ~high) | word | ~high);
}

constexpr std::uint64_t slashes(std::uint64_t word) {
    return zeros(word ^ ('/' * each));
}

// Control characters: below a space, and the one behind the last letter.
constexpr std::uint64_t controls(std::uint64_t word) {
    return zeros(word & (0xE0 * each)) | zeros(word ^ (0x7F * each));
}

}  // namespace

inline void TopicLevels::end_level(std::size_t at) {
    const std::size_t start = starts_[size_];
    has_empty_ |= at == start;
    wildcards_ |= static_cast<std::uint32_t>(at == start + 1 && text_[start] == '*') << size_;
    starts_[++size_] = static_cast<std::uint32_t>(at + 1);
}

// False when a closer look is needed.
bool TopicLevels::split(std::string_view text, std::size_t most_levels) {
    if (text.size() > max_string_bytes) return false;
    text_ = text;
    starts_[0] = 0;
    std::uint64_t odd = 0;
    const auto take = [&](std::uint64_t word, std::size_t at) {
        odd |= controls(word);
        for (std::uint64_t left = slashes(word); left != 0; left &= left - 1) {
            if (size_ + 1 >= most_levels) return false;
            end_level(at + static_cast<std::size_t>(std::countr_zero(left)) / 8);
        }
        return true;
    };
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        if (!take(load_eight(text.data() + at), at)) return false;
    }
    if (at < text.size()) {
        char rest[8];
        std::memset(rest, ' ', sizeof(rest));
        std::memcpy(rest, text.data() + at, text.size() - at);
        if (!take(load_eight(rest), at)) return false;
    }
    end_level(text.size());
    return odd == 0 && !has_empty_;
}

void TopicLevels::drop_trailing_wildcards() {
    while (is_wildcard(size_ - 1)) wildcards_ &= ~(1U << --size_);
    text_ = text_.substr(0, starts_[size_] - 1);
}

TopicLevels TopicLevels::topic(std::string_view text, std::size_t most_levels) {
    TopicLevels levels;
    if (levels.split(text, most_levels) && levels.wildcards_ == 0) return levels;
    const auto fault = topic_fault(text, TopicKind::topic, most_levels);
    throw MessageError(fault->hint.empty() ? fault->message : fault->message + "; " + fault->hint);
}

TopicLevels TopicLevels::pattern(std::string_view text, std::size_t most_levels) {
    TopicLevels levels;
    if (!levels.split(text, most_levels) || levels.is_wildcard(0)) {
        const auto fault = topic_fault(text, TopicKind::pattern, most_levels);
        throw FilterError(fault->code, fault->message, fault->hint, fault->at);
    }
    levels.drop_trailing_wildcards();
    return levels;
}

TopicLevels TopicLevels::canonical(std::string_view text) {
    TopicLevels levels;
    levels.split(text, most_topic_levels);
    return levels;
}

}  // namespace penstock
