// Matching the rows of an Arrow table.
#pragma once

#include <functional>
#include <span>

#include "penstock/matched_rows.hpp"
#include "penstock/message_rows.hpp"
#include "penstock/row_range.hpp"
#include "penstock/table.hpp"

namespace penstock {

// Throws CapacityError when there are more results than a list of Arrow can hold.
MatchedRows match_rows(Table::View& table, const MessageRows& messages, const RowRanges& ranges);

// All rows; throws what MessageRows does, too.
inline MatchedRows match_batches(Table::View& table, const ArrowTable& data) {
    const MessageRows messages(data);
    return match_rows(table, messages, all_rows(messages.lengths()));
}

// Calls visit(messages) with a few rows at a time, in order.
using MessageVisitor = std::function<void(std::span<const MessageView>)>;
void for_each_message(const MessageRows& messages, const MessageVisitor& visit);

}  // namespace penstock
