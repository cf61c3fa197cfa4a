// Names as Python strings, made once: most of a match with many results would be making them.
//
// A name is known by an id, which stays its own until the version that it was read under has passed; names of
// an older version are made anew when they are needed. Everything here needs the interpreter.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bind.hpp"

namespace penstock::bind {

class NameCache {
  public:
    // All of them, unless one is not there.
    std::optional<nb::tuple> tuple_of(std::span<const std::uint32_t> ids, std::uint64_t version) const {
        // First of all, since it may run Python code, which may come back here.
        nb::tuple tuple = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(ids.size())));
        if (!tuple.is_valid()) throw nb::python_error();
        for (const std::uint32_t id : ids) {
            if (id >= names_.size() || names_[id].version != version) return std::nullopt;
            __builtin_prefetch(names_[id].name.ptr(), 1);  // counting references writes to each of them
        }
        for (std::size_t i = 0; i < ids.size(); ++i)
            PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), names_[ids[i]].name.inc_ref().ptr());
        return tuple;
    }

    void keep(std::uint32_t id, std::string_view name, std::uint64_t version) {
        if (id >= names_.size()) names_.resize(id + std::size_t{1});
        names_[id] = {nb::str(name.data(), name.size()), version};
    }

  private:
    static constexpr std::uint64_t never = UINT64_MAX;
    struct Name {
        nb::object name;
        std::uint64_t version = never;
    };
    std::vector<Name> names_;
};

}  // namespace penstock::bind
