// The two ways of Arrow data through the capsules that Arrow libraries for Python exchange.
#pragma once

#include "bind.hpp"
#include "penstock/arrow_export.hpp"
#include "penstock/arrow_table.hpp"

namespace penstock::bind {

// All of what a producer has; raises TypeError when it is none.
ArrowTable read_arrow(nb::handle data);

// A pair of capsules: the schema and the array.
nb::tuple to_capsules(ArrowResult result);

}  // namespace penstock::bind
