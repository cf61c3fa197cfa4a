// Shortcuts for tests that have a table to themselves.
#pragma once

#include <utility>

#include "penstock/table.hpp"

namespace penstock {

inline const Catalogue& catalogue_of(Table& table) {
    return table.read([](Table::View& view) -> const Catalogue& { return view.catalogue(); });
}

// The function's result with a view of the table and further arguments.
template <class Function, class... Arguments>
auto with_view(Function&& function, Table& table, Arguments&&... arguments) {
    return table.read(
        [&](Table::View& view) { return function(view, std::forward<Arguments>(arguments)...); });
}

}  // namespace penstock
