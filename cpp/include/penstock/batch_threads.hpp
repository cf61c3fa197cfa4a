// Matching the rows of an Arrow table in several threads, each of which has a part of the rows.
//
// A part is matched, and its interfaces named, while the table stands still; between parts it may change. The
// results are those of one thread, in the same order. The data is checked before, by one thread for all, so
// errors are the same as well.
#pragma once

#include <cstddef>
#include <string_view>

#include "penstock/batch_json.hpp"
#include "penstock/batch_match.hpp"

namespace penstock {

// What a batch is asked for.
struct BatchOrder {
    bool names = false;       // of interfaces, instead of their ids
    std::size_t threads = 1;  // 0: as many as there are cores. Engines that take turns have no use for more
};

MatchedRows match_in_threads(Table& table, const ArrowTable& data, const BatchOrder& order);
JsonRows match_json_in_threads(Table& table, const ArrowTable& data, std::string_view column,
                               const BatchOrder& order);

}  // namespace penstock
