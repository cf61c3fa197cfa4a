// Matching topics from Arrow data: an array of strings in any of its layouts, or a column of a table.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "penstock/arrow_table.hpp"
#include "penstock/found_ids.hpp"
#include "penstock/matched_rows.hpp"
#include "penstock/topic_patterns.hpp"

namespace penstock {

// An array of its own becomes a table of one column, so that both are read alike; a table stays as it is.
ArrowTable as_table(ArrowTable data);

// Appends the destinations of a topic.
using TopicMatcher = std::function<void(std::string_view, FoundIds&)>;

// A row that is null has no answer; without a name, the column is the only one. Throws MessageError, with the
// row, for what the matcher says is no topic, ArrowError for what is broken or no column of strings, and
// CapacityError when there are more results than a list of Arrow can hold.
MatchedRows match_topics(const ArrowTable& data, std::optional<std::string_view> column,
                         const TopicMatcher& matcher);

}  // namespace penstock
