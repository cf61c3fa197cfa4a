// Where a message lies on the axes of sheets.
#pragma once

#include <algorithm>

#include "penstock/access_scratch.hpp"

namespace penstock {

class AccessPoints {
  public:
    using Scratch = AccessEngine::Scratch;

    AccessPoints(const AccessEngine& engine, Scratch::Row& row)
        : sheets_(engine.sheets_), values_(engine.catalogue_.filters().values()), row_(row) {}

    void note() {
        for (Scratch::Value& value : row_.taken()) note(value);
    }

  private:
    void note(Scratch::Value& value) {
        const ValueView& view = *value.view;
        if (view.type == Type::string) {
            note(value, Type::string, [&] { return AccessEngine::key_of(code_of(value), true); });
        } else if (view.type == Type::bool_) {
            note(value, Type::bool_, [&] { return AccessEngine::key_of(view.boolean ? 1 : 0, true); });
        } else if (!view.is_nan()) {
            const auto key = [&] { return AxisKey::of(view.number(), true); };
            note(value, Type::number, key);
            note(value, view.type, key);
        }
    }
    template <class KeyOf>
    void note(const Scratch::Value& value, Type type, const KeyOf& key_of) {
        const SheetIndex::Axis axis = AccessEngine::sheet_axis(value.name, type);
        if (sheets_.has(axis)) row_.points.push_back(sheets_.point(axis, key_of()));
    }
    ValueCode code_of(Scratch::Value& value) const {
        value.known().find_code(values_);
        const auto& code = value.known().code;
        return code ? std::min(*code, AccessEngine::no_code) : AccessEngine::no_code;
    }

    const SheetIndex& sheets_;
    const ValueStore& values_;
    Scratch::Row& row_;
};

}  // namespace penstock
