// Matching the rows of an Arrow table whose messages lie in one column, as JSON texts.
//
// A text that cannot be read costs its own row only: the others are matched, and the row says what is wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/batch_match.hpp"

namespace penstock {

// Why a row was not matched: what a MessageError would say.
struct RowFault {
    std::size_t row;
    std::optional<std::string> attribute;
    std::string message;
};

struct JsonRows {
    MatchedRows matched;
    std::vector<RowFault> faults;  // of the refused rows
};

// Other columns only count, like those of messages. Throws MessageError when there are too many of them,
// ArrowError for broken structures and for a column that is not there or holds no texts, and CapacityError
// when there are more results than a list of Arrow can hold.
JsonRows match_json_rows(Table::View& table, const ArrowRows& rows, std::string_view column);
inline JsonRows match_json_batches(Table::View& table, const ArrowTable& data, std::string_view column) {
    return match_json_rows(table, all_rows(data), column);
}

}  // namespace penstock
