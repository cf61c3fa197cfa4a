// Some rows of a table that stand one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "penstock/arrow_table.hpp"

namespace penstock {

// Borrowed: the table must outlive it.
struct ArrowRows {
    const ArrowSchema* schema;
    std::vector<ArrowArray> batches;
    std::int64_t first = 0;  // where they start in the table
};

ArrowRows all_rows(const ArrowTable& data);

// All rows in order, in up to `most` parts of about the same size, none of which is too small to be worth a
// thread. A table that is broken stays in one piece.
std::vector<ArrowRows> cut(const ArrowTable& data, std::size_t most);

}  // namespace penstock
