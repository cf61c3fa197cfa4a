#include "penstock/message_block.hpp"

namespace penstock {

void MessageBlock::scan(std::int64_t begin, std::int64_t end) {
    for (std::vector<Found>& found : found_) found.clear();
    const std::size_t blocks =
        std::min<std::size_t>(ahead, static_cast<std::size_t>((end - begin + 63) / 64));
    for (MessageColumn& column : columns_) {
        for (std::size_t block = 0; block < blocks; ++block) {
            const std::uint64_t present =
                column.presence().block(begin + static_cast<std::int64_t>(64 * block));
            if (present != 0) found_[block].push_back({&column, present});
        }
    }
}

// How many attributes each of the rows has.
void MessageBlock::measure(std::span<const Found> found) {
    sizes_.fill(0);
    std::uint32_t everywhere = 0;
    for (const Found& each : found) {
        if (each.rows == ~std::uint64_t{0}) {
            ++everywhere;
        } else {
            for (std::uint64_t left = each.rows; left != 0; left &= left - 1)
                ++sizes_[static_cast<std::size_t>(std::countr_zero(left))];
        }
    }
    for (std::uint32_t& size : sizes_) size += everywhere;
}

// Makes messages of the rows from the first on, as many as there is room for and at least one; returns where
// it ended.
unsigned MessageBlock::fill(std::span<const Found> found, std::int64_t begin, unsigned first, unsigned end) {
    std::array<std::uint32_t, 64> places;
    std::size_t total = 0;
    unsigned last = first;
    while (last < end && (last == first || total + sizes_[last] <= most_values)) {
        places[last] = static_cast<std::uint32_t>(total);
        total += sizes_[last++];
    }
    if (table_ != nullptr) table_->renew();
    if (attributes_.size() < total) attributes_.resize(std::max(total, most_values));
    for (unsigned row = first; row < last; ++row)
        messages_[row] = {attributes_.data() + places[row], sizes_[row]};
    const std::uint64_t wanted = first_rows(last) & ~first_rows(first);
    for (const Found& each : found) {
        each.column->read(begin, each.rows & wanted,
                          [&](unsigned row) -> Attribute& { return attributes_[places[row]++]; });
    }
    return last;
}

}  // namespace penstock
