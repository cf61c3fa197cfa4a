// Matching the rows of an Arrow table: a column is an attribute, a row a message, a null an absent attribute.
#pragma once

#include <functional>
#include <span>

#include "penstock/arrow_rows.hpp"
#include "penstock/matched_rows.hpp"
#include "penstock/table.hpp"

namespace penstock {

// Throws MessageError for columns and values that messages cannot have, ArrowError for broken structures, and
// CapacityError when there are more results than a list of Arrow can hold.
MatchedRows match_rows(Table::View& table, const ArrowRows& rows);
inline MatchedRows match_batches(Table::View& table, const ArrowTable& data) {
    return match_rows(table, all_rows(data));
}

// Calls visit(messages) with a few rows at a time, in order, once all are known to be messages; throws as
// above.
using MessageVisitor = std::function<void(std::span<const MessageView>)>;
void for_each_message(const ArrowTable& data, const MessageVisitor& visit);

}  // namespace penstock
