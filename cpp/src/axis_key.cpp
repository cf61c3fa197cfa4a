#include "penstock/axis_key.hpp"

#include <algorithm>
#include <bit>

namespace penstock {

namespace {

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

std::uint64_t AxisKey::head(std::string_view text) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(text.size(), 8); ++i)
        bytes |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(text[i])) << (56U - 8U * i);
    return bytes;
}

bool AxisPoint::text_before(std::uint32_t minor) const {
    const int order = pool_->at(minor >> 1U).compare(text_);
    return order != 0 ? order < 0 : (minor & 1U) < (key_.minor & 1U);
}

}  // namespace penstock
