// A choice of interfaces, by name: what a match is narrowed down to.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "penstock/catalogue.hpp"
#include "penstock/found_ids.hpp"

namespace penstock {

// Keeps those of the matched interfaces that are named, in their order. A name that no interface has chooses
// nothing.
void keep_only(FoundIds& matched, std::span<const std::string_view> names, const Catalogue& catalogue);

}  // namespace penstock
