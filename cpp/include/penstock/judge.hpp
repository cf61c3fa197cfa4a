// A message in the codes of a table, and the verdict of a stored constraint on one of its values.
#pragma once

#include <optional>

#include "penstock/stored_constraint.hpp"

namespace penstock {

// An attribute's value, with what constraints ask of it.
struct KnownValue {
    const ValueView* view;
    bool is_number = false;         // and not NaN
    Number number;                  // if it is one
    std::optional<ValueCode> code;  // nothing when no constraint names that very value

    // Without the code, which takes a search: `code` is to be filled in before holds() is asked.
    explicit KnownValue(const ValueView& value) : view(&value) {
        if ((value.type != Type::int_ && value.type != Type::float_) || value.is_nan()) return;
        is_number = true;
        number = value.number();
    }
};

// Null stands for an attribute that is absent.
bool holds(const StoredConstraint& constraint, const KnownValue* value, const ValueStore& values);

}  // namespace penstock
