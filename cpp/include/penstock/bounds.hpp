// Searches among bounds in order: by their briefs, which decide nearly always, and in full where these are
// equal.
#pragma once

#include <cstdint>

#include "penstock/axis_key.hpp"

namespace penstock {

// How many of so many in order have a brief below a given one. Without a branch that depends on them, since
// no guess at it would be better than chance.
template <class BriefOf>
std::uint32_t count_below(std::uint32_t brief, std::uint32_t size, BriefOf&& brief_of) {
    std::uint32_t at = 0;
    while (size > 1) {
        const std::uint32_t half = size / 2;
        at += half & (0U - static_cast<std::uint32_t>(brief_of(at + half - 1) < brief));
        size -= half;
    }
    return at + (size == 1 && brief_of(at) < brief ? 1 : 0);
}
// How many do not have one above it.
template <class BriefOf>
std::uint32_t count_up_to(std::uint32_t brief, std::uint32_t size, BriefOf&& brief_of) {
    return brief == UINT32_MAX ? size : count_below(brief + 1, size, brief_of);
}

// The rest of their keys, side by side.
struct KeyLanes {
    const std::uint32_t *major_high, *major_low, *minor;

    AxisKey key(std::uint32_t at, std::uint32_t brief) const { return {major(at), minor[at], brief, false}; }
    // Here and below, the briefs are equal to that of the point.
    bool is_before(std::uint32_t at, const AxisPoint& point) const {
        return point.before(major(at), minor[at]);
    }
    // How many of so many lie before the point.
    std::uint32_t count_before(std::uint32_t begin, std::uint32_t size, const AxisPoint& point) const;

  private:
    std::uint64_t major(std::uint32_t at) const {
        return static_cast<std::uint64_t>(major_high[at]) << 32U | major_low[at];
    }
};

}  // namespace penstock
