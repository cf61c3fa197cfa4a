// Results as Arrow arrays, for whoever imports them.
#pragma once

#include "penstock/arrow_abi.hpp"
#include "penstock/batch_match.hpp"

namespace penstock {

struct ArrowResult {
    ArrowOwner<ArrowSchema> schema;
    ArrowOwner<ArrowArray> array;
};

// list<uint32>: interface ids.
ArrowResult export_ids(MatchedRows rows);

// list<dictionary<int32, string>>: interface names. The dictionary holds those that occur, each once.
ArrowResult export_names(MatchedRows rows, const Catalogue& catalogue);

}  // namespace penstock
