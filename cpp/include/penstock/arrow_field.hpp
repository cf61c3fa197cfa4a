// The columns of an Arrow schema as attributes: structs flattened to dotted names, types looked up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/arrow_abi.hpp"

namespace penstock {

// How the values of a column lie in memory.
enum class ArrowLayout : std::uint8_t {
    unsupported,
    null,
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    float32,
    float64,
    string,
    large_string,
    string_view,
};

constexpr bool is_text(ArrowLayout layout) {
    return layout >= ArrowLayout::string;
}
constexpr bool is_integer(ArrowLayout layout) {
    return layout >= ArrowLayout::int8 && layout <= ArrowLayout::uint64;
}

struct ArrowField {
    std::string name;                // dotted
    std::vector<std::int64_t> path;  // which child to take, from the root down
    ArrowLayout layout;              // of the values; of a dictionary: its strings
    ArrowLayout index;   // how a dictionary's indices lie; unsupported when there is no dictionary
    std::string type;    // in words: "timestamp"
    std::string advice;  // for an unsupported type: what to do about it
    ArrowLayout bytes;   // of binary values: how strings that lie in the same way would; else unsupported

    bool has_dictionary() const { return index != ArrowLayout::unsupported; }
};

// All leaves, whatever their type. Throws ArrowError when the schema is broken or no table's, and
// MessageError when there are too many columns or they lie too deep.
std::vector<ArrowField> flatten(const ArrowSchema& schema);

// The fields of messages: throws MessageError for a type that attributes cannot have, and for a name that
// occurs twice.
std::vector<ArrowField> message_fields(const ArrowSchema& schema);

// The one column of that name, which must hold strings; throws ArrowError.
ArrowField text_field(const std::vector<ArrowField>& fields, std::string_view name);
// The same for whoever looks at each text before believing it: binary values will do, and so will a column
// of nothing but nulls that never got a type.
ArrowField bytes_field(const std::vector<ArrowField>& fields, std::string_view name);

}  // namespace penstock
