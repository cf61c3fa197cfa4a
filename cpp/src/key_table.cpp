#include "penstock/key_table.hpp"

#include <limits>

#include "penstock/error.hpp"

namespace penstock {

void KeyTable::build(std::span<const std::string_view> sorted) {
    std::size_t total = 0;
    for (const std::string_view text : sorted) total += text.size();
    if (total > std::numeric_limits<std::uint32_t>::max()) {
        throw CapacityError("an index holds at most 4 GiB of distinct strings");
    }
    offsets_.assign(1, 0);
    offsets_.reserve(sorted.size() + 1);
    bytes_.clear();
    bytes_.reserve(total);
    for (const std::string_view text : sorted) {
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        offsets_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    }
}

std::uint32_t KeyTable::find(std::string_view text) const {
    std::uint32_t low = 0;
    std::uint32_t high = size();
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (at(middle) < text) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < size() && at(low) == text ? low : none;
}

}  // namespace penstock
