// Bounds on what a filter or a message may ask of us, checked before the work is done.
#pragma once

#include <cstddef>

namespace penstock {

struct Limits {
    std::size_t text_bytes = 64 * 1024;
    std::size_t depth = 64;
    std::size_t filters = 1024;      // in a predicate, after expansion
    std::size_t constraints = 256;   // in a filter
    std::size_t set_values = 10000;  // in an IN list

    friend bool operator==(const Limits&, const Limits&) = default;
};

// Parsing recurses once per level, so no configuration may go deeper than the stack can bear.
inline constexpr std::size_t max_depth = 1000;
// Engines count the constraints of a filter in 16 bits.
inline constexpr std::size_t max_constraints = 65534;

inline constexpr std::size_t max_string_bytes = 64 * 1024;
inline constexpr std::size_t max_attributes = 4096;
inline constexpr std::size_t max_nesting = 64;  // of objects in a message
// Dotted names are put together from the names on the way, so a small message could make them very long.
inline constexpr std::size_t max_dotted_bytes = 4 * 1024 * 1024;
inline constexpr std::size_t max_topic_levels = 16;

}  // namespace penstock
