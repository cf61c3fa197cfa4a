#include "penstock/arrow_rows.hpp"

#include <algorithm>

#include "penstock/arrow_validity.hpp"
#include "penstock/error.hpp"

namespace penstock {

namespace {

constexpr std::int64_t fewest_rows = 64;

// How many rows there are; 0 if that cannot be told.
std::int64_t count_rows(const ArrowTable& data) {
    std::int64_t rows = 0;
    try {
        for (const auto& batch : data.batches) {
            check_array(*batch, "", 1);
            if (__builtin_add_overflow(rows, batch->length, &rows)) return 0;
        }
    } catch (const ArrowError&) {
        return 0;
    }
    return rows;
}

ArrowArray slice(const ArrowArray& batch, std::int64_t begin, std::int64_t count) {
    ArrowArray part = batch;
    part.offset += begin;
    part.length = count;
    if (part.null_count != 0 && count != batch.length) part.null_count = -1;  // to be counted
    return part;
}

}  // namespace

ArrowRows all_rows(const ArrowTable& data) {
    ArrowRows rows{&*data.schema, {}};
    for (const auto& batch : data.batches) rows.batches.push_back(*batch);
    return rows;
}

std::vector<ArrowRows> cut(const ArrowTable& data, std::size_t most) {
    const std::int64_t rows = count_rows(data);
    const auto useful = static_cast<std::size_t>(rows / fewest_rows);
    const auto count = static_cast<std::int64_t>(std::min(most, useful));
    if (count <= 1) return {all_rows(data)};
    std::vector<ArrowRows> parts;
    const std::int64_t size = (rows + count - 1) / count;
    std::int64_t room = 0;  // in the last part
    std::int64_t first = 0;
    for (const auto& batch : data.batches) {
        for (std::int64_t begin = 0; begin < batch->length;) {
            if (room == 0) {
                parts.push_back({&*data.schema, {}, first + begin});
                room = size;
            }
            const std::int64_t taken = std::min(room, batch->length - begin);
            parts.back().batches.push_back(slice(*batch, begin, taken));
            begin += taken;
            room -= taken;
        }
        first += batch->length;
    }
    return parts;
}

}  // namespace penstock
