// Matching the rows of an Arrow table: a column is an attribute, a row a message, a null an absent attribute.
#pragma once

#include <cstdint>
#include <vector>

#include "penstock/arrow_table.hpp"
#include "penstock/table.hpp"

namespace penstock {

// The interfaces of row i are ids[offsets[i]] up to ids[offsets[i + 1]]: Arrow's own layout of lists.
struct MatchedRows {
    std::vector<std::int32_t> offsets{0};
    std::vector<InterfaceId> ids;
};

// Throws MessageError for columns and values that messages cannot have, ArrowError for broken structures, and
// CapacityError when there are more results than a list of Arrow can hold.
MatchedRows match_batches(Table& table, const ArrowTable& data);

}  // namespace penstock
