// The object behind ForwardingTable: the core's table, with what must be kept between calls.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "message.hpp"
#include "penstock/table.hpp"

namespace penstock::bind {

template <class Number>
using Array = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;

template <class Number>
Array<Number> to_array(std::vector<Number> numbers) {
    auto* held = new std::vector<Number>(std::move(numbers));
    nb::capsule owner(held,
                      [](void* pointer) noexcept { delete static_cast<std::vector<Number>*>(pointer); });
    return Array<Number>(held->data(), {held->size()}, owner);
}

class PyTable {
  public:
    PyTable(std::uint32_t rounds, Limits limits) : table_(rounds), limits_(limits) {}

    std::int64_t subscribe(nb::handle interface, nb::handle filter);
    Array<std::int64_t> subscribe_many(nb::handle interfaces, nb::handle filters);
    void unsubscribe(nb::handle id) { table_.unsubscribe(to_id(id)); }
    bool contains(nb::handle id) const;

    // Among all interfaces when `only` is None, otherwise among those that it names.
    nb::list match(nb::handle message, nb::handle only);
    Array<InterfaceId> match_ids(nb::handle message, nb::handle only) {
        return to_array(only.is_none() ? run(message) : run_only(message, only));
    }
    nb::dict trace(nb::handle message);
    nb::ndarray<nb::numpy, double, nb::ndim<2>> time_matches(nb::sequence messages, std::size_t repeat);

    Table& table() { return table_; }
    const Limits& limits() const { return limits_; }
    const Catalogue& catalogue() const { return table_.catalogue(); }
    nb::str name_of(InterfaceId id) const;

    // Python's ids are what subscribe() returned: 63 bits. Anything else with an index is unknown.
    static SubscriptionId to_id(nb::handle id);

  private:
    std::vector<InterfaceId> run(nb::handle mapping);
    std::vector<InterfaceId> run_only(nb::handle mapping, nb::handle only);

    Table table_;
    Limits limits_;
    Message message_;
};

// Parts of the class that have files of their own.
void bind_arrow(nb::class_<PyTable>& table);
void bind_explain(nb::class_<PyTable>& table);
void bind_json(nb::module_& module, nb::class_<PyTable>& table);

}  // namespace penstock::bind
