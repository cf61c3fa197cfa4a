// Arrow's format strings: which of them attributes can have, and what to say about the others.
#pragma once

#include <string_view>

#include "penstock/arrow_field.hpp"

namespace penstock {

struct ArrowType {
    std::string_view format;  // all of it, or its beginning where parameters follow
    std::string_view name;
    ArrowLayout layout;
    std::string_view advice;  // empty when supported
    // As what its bytes can be read by those who judge them for themselves.
    ArrowLayout bytes = ArrowLayout::unsupported;
};

// Never fails: an unknown format has the name "unknown".
const ArrowType& arrow_type(std::string_view format);

}  // namespace penstock
