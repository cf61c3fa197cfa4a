#include "penstock/row_range.hpp"

#include <algorithm>

namespace penstock {

RowRanges all_rows(std::span<const std::int64_t> lengths) {
    RowRanges rows;
    for (std::size_t batch = 0; batch < lengths.size(); ++batch) rows.push_back({batch, 0, lengths[batch]});
    return rows;
}

std::vector<RowRanges> cut_rows(std::span<const std::int64_t> lengths, std::size_t most) {
    std::uint64_t blocks = 0;  // of up to 64 rows
    for (const std::int64_t length : lengths) blocks += static_cast<std::uint64_t>(length + 63) / 64;
    const std::uint64_t count = std::min<std::uint64_t>(most, blocks);
    if (count <= 1) return {all_rows(lengths)};
    std::vector<RowRanges> parts;
    const auto size = static_cast<std::int64_t>((blocks + count - 1) / count);
    std::int64_t room = 0;  // in the last part
    for (std::size_t batch = 0; batch < lengths.size(); ++batch) {
        for (std::int64_t begin = 0; begin < lengths[batch];) {
            if (room == 0) {
                parts.emplace_back();
                room = size;
            }
            const std::int64_t left = (lengths[batch] - begin + 63) / 64;
            const std::int64_t taken = std::min(room, left);
            const std::int64_t end = std::min(lengths[batch], begin + 64 * taken);
            parts.back().push_back({batch, begin, end});
            begin = end;
            room -= taken;
        }
    }
    return parts;
}

}  // namespace penstock
