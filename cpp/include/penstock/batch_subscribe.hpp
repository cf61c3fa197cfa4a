// Subscribing the rows of an Arrow table: one column names the interface, another holds the filter's text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/arrow_table.hpp"
#include "penstock/error.hpp"
#include "penstock/limits.hpp"
#include "penstock/table.hpp"

namespace penstock {

// A row that cannot be subscribed. The text, where there is one, may not be UTF-8.
class RowError : public FilterError {
  public:
    RowError(FilterError error, std::size_t which, std::optional<std::string> filter)
        : FilterError(std::move(error)), row(which), text(std::move(filter)) {}

    std::size_t row;
    std::optional<std::string> text;
};

// All rows or none. Throws ArrowError for broken structures or columns that are not there, RowError for a
// row.
std::vector<SubscriptionId> subscribe_batches(Table& table, const ArrowTable& data,
                                              std::string_view interface_column,
                                              std::string_view filter_column, const Limits& limits);

}  // namespace penstock
