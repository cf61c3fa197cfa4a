// Data as a producer hands it over: one schema, and the batches of a stream in order.
#pragma once

#include <vector>

#include "penstock/arrow_abi.hpp"

namespace penstock {

struct ArrowTable {
    ArrowOwner<ArrowSchema> schema;
    std::vector<ArrowOwner<ArrowArray>> batches;
};

// Reads the stream to its end. Throws ArrowError with the producer's own words when it fails.
// All is read before anything is done with it: the producer may run foreign code, which must not come in
// between the rows of one call.
ArrowTable read_stream(ArrowOwner<ArrowArrayStream> stream);

}  // namespace penstock
