// Where a constraint stands in the access engine's index: which lookups of a message must come by it.
//
// A constraint has one entry, or one for each member of an IN list. All of this follows from the constraint
// alone, so that a filter can be taken out the way it was put in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "penstock/axis.hpp"
#include "penstock/key_index.hpp"
#include "penstock/pattern.hpp"
#include "penstock/string_index.hpp"

namespace penstock {

// The names of axes: one for each type that has an order, in each direction.
enum class AxisKind : std::uint8_t {
    number,
    int_,
    float_,
    string,
};
inline constexpr std::size_t axis_kinds = 4;

inline AxisKind axis_kind(Type type) {
    switch (type) {
        case Type::number:
            return AxisKind::number;
        case Type::int_:
            return AxisKind::int_;
        case Type::float_:
            return AxisKind::float_;
        default:
            return AxisKind::string;
    }
}

inline Key equality_key(NameId name, Type type, ValueCode value) {
    switch (type) {
        case Type::number:
            return {name, Key::Kind::number, value};
        case Type::int_:
            return {name, Key::Kind::int_, value};
        case Type::float_:
            return {name, Key::Kind::float_, value};
        case Type::bool_:
            return {name, Key::Kind::bool_, value};
        default:
            return {name, Key::Kind::string, value};
    }
}
inline Key equality_key(const StoredConstraint& constraint) {
    return equality_key(constraint.name, constraint.type, constraint.value);
}
inline Key presence_key(NameId name, Type type) {
    return {name, Key::Kind::presence, static_cast<ValueCode>(type)};
}
inline Key exclusion_key(NameId name, Type type) {
    return {name, Key::Kind::exclusion, static_cast<ValueCode>(type)};
}
// No name is that high.
inline Key always_key() {
    return {(1U << 24U) - 1, Key::Kind::always, 0};
}

// A text of at most PatternTrie::max_bytes that every match of a textual constraint contains, and where.
struct EntryAnchor {
    std::string text;
    Relation relation;
    bool exact;  // a text that has the anchor there matches
};
EntryAnchor anchor_of(const StoredConstraint& constraint, const ValueStore& values);

// Of <, <=, > and >=.
AxisIndex::Side side_of(Operator op);
AxisPoint point_of(const StoredConstraint& constraint, const ValueStore& values);

// How a filter is found through the constraint.
enum class Way : std::uint8_t {
    key,        // under the key of its value, or of each of them
    axis,       // among the bounds of its name
    pattern,    // under the key of its anchor, which is among the patterns
    interval,   // under the keys of its cells, together with the bound on the other side
    presence,   // whenever there is an attribute of its name and type
    exclusion,  // likewise, unless it is the one value
};
Way way_of(const StoredConstraint& constraint, const ValueStore& values);

}  // namespace penstock
