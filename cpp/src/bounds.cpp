#include "penstock/bounds.hpp"

namespace penstock {

// Most often all of them lie on one side.
std::uint32_t KeyLanes::count_before(std::uint32_t begin, std::uint32_t size, const AxisPoint& point) const {
    if (size == 0 || !is_before(begin, point)) return 0;
    if (is_before(begin + size - 1, point)) return size;
    std::uint32_t first = 0;
    std::uint32_t last = size - 1;
    while (first + 1 < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        (is_before(begin + middle, point) ? first : last) = middle;
    }
    return last;
}

}  // namespace penstock
