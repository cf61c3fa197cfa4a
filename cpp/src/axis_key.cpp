#include "penstock/axis_key.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace penstock {

namespace {

template <class Word>
Word from_big_endian(Word word) {
    if constexpr (std::endian::native == std::endian::big) return word;
    if constexpr (sizeof word == 8) return __builtin_bswap64(word);
    if constexpr (sizeof word == 4) return __builtin_bswap32(word);
    return __builtin_bswap16(static_cast<std::uint16_t>(word));
}

// In 30 bits: how large the number is, rounded towards zero, and whether it is larger than that.
std::uint32_t brief_size(const Number& number) {
    constexpr unsigned shift = 30;  // leaves 22 bits behind the leading one
    constexpr std::uint64_t least = std::uint64_t{1023 - 63} << 52U;
    constexpr std::uint64_t most = std::uint64_t{1023 + 64} << 52U;
    const bool negative = number.rounded < 0;
    std::uint64_t size = std::bit_cast<std::uint64_t>(number.rounded) << 1U >> 1U;
    if (number.residual != 0 && (number.residual < 0) != negative) --size;
    const std::uint64_t within = std::clamp(size, least, most);
    const std::uint64_t steps = size < least ? 0 : ((within - least) >> shift) + 1;
    const std::uint64_t rounded = steps == 0 ? 0 : least + ((steps - 1) << shift);
    const bool larger = rounded != size || number.residual != 0;
    return static_cast<std::uint32_t>(steps << 1U) | (larger ? 1U : 0U);
}

}  // namespace

AxisKey AxisKey::of(const Number& number, bool later) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    const auto bits = std::bit_cast<std::uint64_t>(number.rounded);
    constexpr std::int32_t middle = 1 << 20;  // residuals are far smaller
    const std::uint32_t size = brief_size(number);
    constexpr std::uint32_t zero = 1U << 30U;
    const bool is_own = (size & 1U) == 0;
    return {head(number), static_cast<std::uint32_t>(number.residual + middle) << 1U | (later ? 1U : 0U),
            ((bits & sign) != 0 ? zero - size : zero + size) << 1U | (is_own && later ? 1U : 0U), is_own};
}

AxisKey AxisKey::of(std::string_view text, StringPool::Id id, bool later) {
    const std::uint64_t major = head(text);
    return {major, id << 1U | (later ? 1U : 0U), static_cast<std::uint32_t>(major >> 32U), false};
}

// The first eight bytes, the first one highest; zeros stand for those that are not there.
std::uint64_t AxisKey::head(std::string_view text) {
    const auto load = [&]<class Word>(Word word, std::size_t at) {
        std::memcpy(&word, text.data() + at, sizeof word);
        return static_cast<std::uint64_t>(from_big_endian(word));
    };
    const std::size_t size = text.size();
    if (size >= 8) return load(std::uint64_t{}, 0);
    // Two words that overlap in the middle, where they agree.
    if (size >= 4)
        return load(std::uint32_t{}, 0) << 32U | load(std::uint32_t{}, size - 4) << (64 - 8 * size);
    if (size >= 2)
        return load(std::uint16_t{}, 0) << 48U | load(std::uint16_t{}, size - 2) << (64 - 8 * size);
    return size == 0 ? 0 : std::uint64_t{static_cast<std::uint8_t>(text[0])} << 56U;
}

bool AxisPoint::text_before(std::uint32_t minor) const {
    const int order = pool_->at(minor >> 1U).compare(text_);
    return order != 0 ? order < 0 : (minor & 1U) < (key_.minor & 1U);
}

}  // namespace penstock
