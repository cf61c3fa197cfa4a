// A message in the codes of a table, and the verdict of a stored constraint on one of its values.
#pragma once

#include <optional>

#include "penstock/stored_constraint.hpp"

namespace penstock {

// An attribute's value, with what constraints ask of it.
struct KnownValue {
    const ValueView* view = nullptr;
    bool is_number = false;         // and not NaN
    Number number;                  // if it is one
    bool is_sought = false;         // whether the code has been looked for
    std::optional<ValueCode> code;  // nothing when no constraint names that very value

    KnownValue() = default;  // of none
    // Without the code, which takes a search unless the view has it: find_code() comes before holds().
    explicit KnownValue(const ValueView& value) : view(&value) {
        if ((value.type != Type::int_ && value.type != Type::float_) || value.is_nan()) return;
        is_number = true;
        number = value.number();
    }
    void find_code(const ValueStore& values) {
        if (is_sought) return;
        is_sought = true;
        if (view->coding == ValueView::Coding::unknown) {
            code = values.find(*view);
        } else if (view->coding == ValueView::Coding::known) {
            code = view->code;
        }
    }
    // What the store of strings says of it.
    void set_code(StringPool::Id id) {
        is_sought = true;
        if (id != StringPool::none) code = id;
    }
};

// Null stands for an attribute that is absent.
bool holds(const StoredConstraint& constraint, const KnownValue* value, const ValueStore& values);

}  // namespace penstock
