// Results as Arrow arrays, for whoever imports them.
#pragma once

#include <span>
#include <string>

#include "penstock/arrow_abi.hpp"
#include "penstock/matched_rows.hpp"

namespace penstock {

struct ArrowResult {
    ArrowOwner<ArrowSchema> schema;
    ArrowOwner<ArrowArray> array;
};

// list<uint32>: interface ids. Rows that were refused are null.
ArrowResult export_ids(MatchedRows rows);

// list<dictionary<int32, string>>: interface names, of rows that have them.
ArrowResult export_names(MatchedRows rows);

// Why a row was refused, in a sentence.
struct RowSentence {
    std::size_t row;
    std::string text;
};

// struct<interfaces, error: string>, which is how a batch travels: the lists, and beside them the sentences,
// which come in the order of their rows. Where there is none, the error is null.
ArrowResult export_with_errors(ArrowResult interfaces, std::span<const RowSentence> errors);

}  // namespace penstock
