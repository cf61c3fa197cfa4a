// The object behind ForwardingTable: the core's table, with what must be kept between calls.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "message.hpp"
#include "penstock/table.hpp"

namespace penstock::bind {

// A NumPy array of that type.
template <class Number>
using Array = nb::object;

nb::object to_array(std::span<const std::uint32_t> numbers);
nb::object to_array(std::span<const std::int64_t> numbers);

// The ids that a match finds. What a call with very many results has claimed is given back.
struct MatchedIds {
    FoundIds ids;

    void clear() {
        constexpr std::size_t kept = 1U << 16U;
        if (ids.capacity() > kept) ids = {};
        ids.clear();
    }
};

// The interfaces that a match is restricted to; all, if None.
class Selection {
  public:
    explicit Selection(nb::handle only);
    void apply(FoundIds& matched, const Catalogue& catalogue) const;

  private:
    bool chosen_ = false;
    nb::object names_;  // a list of our own
    std::vector<std::string_view> views_;
};

// No method waits for the table while it holds the interpreter, and none touches Python while it holds the
// table: so threads that do the one and threads that do the other never wait for each other.
class PyTable {
  public:
    PyTable(Table::Engine engine, std::uint32_t rounds, const Limits& limits)
        : table_({.engine = engine, .rounds = rounds, .limits = limits}) {}
    explicit PyTable(FileReader&& file) : table_(std::move(file)) {}

    std::int64_t subscribe(nb::handle interface, nb::handle filter);
    Array<std::int64_t> subscribe_many(nb::handle interfaces, nb::handle filters);
    void unsubscribe(nb::handle id);
    bool contains(nb::handle id);

    // Among all interfaces when `only` is None, otherwise among those that it names.
    nb::list match(nb::handle message, nb::handle only);
    Array<InterfaceId> match_ids(nb::handle message, nb::handle only);
    nb::dict trace(nb::handle message);
    nb::ndarray<nb::numpy, double, nb::ndim<2>> time_matches(nb::sequence messages, std::size_t repeat);

    Table& table() { return table_; }
    const Limits& limits() const { return table_.settings().limits; }

    template <class Body>
    auto without_gil(Body&& body) {
        const nb::gil_scoped_release release;
        return body();
    }
    template <class Body>
    auto read(Body&& body) {
        const nb::gil_scoped_release release;
        return table_.read(body);
    }

    // Python's ids are what subscribe() returned: 63 bits. Anything else with an index is unknown.
    static SubscriptionId to_id(nb::handle id);

  private:
    // Appends the ids of the interfaces that match, and calls body(view) without the interpreter.
    template <class Body>
    void run(nb::handle mapping, nb::handle only, FoundIds& matched, Body&& body);

    Table table_;
};

// Parts of the class that have files of their own.
void bind_arrow(nb::class_<PyTable>& table);
void bind_batch_json(nb::class_<PyTable>& table);
void bind_explain(nb::class_<PyTable>& table);
void bind_file(nb::class_<PyTable>& table);
void bind_json(nb::module_& module, nb::class_<PyTable>& table);
void bind_observe(nb::class_<PyTable>& table);

}  // namespace penstock::bind
