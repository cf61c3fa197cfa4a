// The native part of ForwardingTable.
#include "table.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <chrono>

namespace penstock::bind {

namespace {

using namespace nb::literals;

std::string_view interface_name(nb::handle interface) {
    if (!PyUnicode_Check(interface.ptr())) {
        raise_type_error(std::string("an interface is named by a str, not ") + class_name(interface));
    }
    const auto name = utf8(interface);
    if (!name) raise_value_error("an interface's name holds a lone surrogate, which is not a character");
    if (name->size() > max_string_bytes) raise_value_error("an interface's name is longer than 64 KiB");
    return *name;
}

}  // namespace

std::int64_t PyTable::subscribe(nb::handle interface, nb::handle filter) {
    const std::string_view name = interface_name(interface);
    return static_cast<std::int64_t>(table_.subscribe(name, to_predicate(filter, limits_)));
}

Array<std::int64_t> PyTable::subscribe_many(nb::handle interfaces, nb::handle filters) {
    if (PyUnicode_Check(interfaces.ptr()) || PyUnicode_Check(filters.ptr())) {
        raise_type_error("subscribe_many takes two sequences, an interface for each filter");
    }
    nb::object names = nb::steal(PySequence_Fast(interfaces.ptr(), "interfaces must be a sequence of names"));
    nb::object texts = nb::steal(PySequence_Fast(filters.ptr(), "filters must be a sequence"));
    if (!names.is_valid() || !texts.is_valid()) throw nb::python_error();
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(texts.ptr());
    if (PySequence_Fast_GET_SIZE(names.ptr()) != count) {
        raise_value_error("interfaces and filters must be of the same length");
    }
    Table::Bulk bulk(table_);
    try {
        for (Py_ssize_t row = 0; row < count; ++row) {
            const std::string_view name = interface_name(PySequence_Fast_GET_ITEM(names.ptr(), row));
            bulk.subscribe(name, to_predicate(PySequence_Fast_GET_ITEM(texts.ptr(), row), limits_));
        }
    } catch (nb::python_error& error) {
        error.value().attr("row") = bulk.size();
        throw;
    }
    const std::vector<SubscriptionId> ids = bulk.commit();
    return to_array(std::vector<std::int64_t>(ids.begin(), ids.end()));
}

bool PyTable::contains(nb::handle id) const {
    if (PyIndex_Check(id.ptr()) == 0) return false;
    try {
        return table_.catalogue().contains(to_id(id));
    } catch (nb::python_error&) {
        return false;
    }
}

SubscriptionId PyTable::to_id(nb::handle id) {
    nb::object index = nb::steal(PyNumber_Index(id.ptr()));
    if (!index.is_valid()) throw nb::python_error();
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow != 0 || value < 0) raise_unknown_subscription(index);
    return static_cast<SubscriptionId>(value);
}

std::vector<InterfaceId> PyTable::run(nb::handle mapping) {
    // Taken, not borrowed: reading a mapping can run Python code, which may come back here.
    Message message = std::exchange(message_, Message());
    message.read(mapping);
    std::vector<InterfaceId> matched;
    table_.match(message.view(), matched);
    message.clear();
    message_ = std::move(message);
    return matched;
}

nb::list PyTable::match(nb::handle message, nb::handle only) {
    nb::list names;
    for (const InterfaceId id : only.is_none() ? run(message) : run_only(message, only))
        names.append(name_of(id));
    return names;
}

nb::dict PyTable::trace(nb::handle message) {
    const std::size_t matched = run(message).size();
    const CountingEngine::Trace& trace = table_.engine().trace();
    nb::dict result;
    result["constraints"] = trace.constraints;
    result["postings"] = trace.postings;
    result["excluded"] = trace.excluded;
    result["matched"] = matched;
    return result;
}

nb::str PyTable::name_of(InterfaceId id) const {
    const std::string_view name = catalogue().interfaces().at(id);
    return nb::str(name.data(), name.size());
}

// Seconds of each native match, passes x messages, without the conversion from Python.
nb::ndarray<nb::numpy, double, nb::ndim<2>> PyTable::time_matches(nb::sequence messages, std::size_t repeat) {
    std::vector<nb::object> kept;  // what the messages borrow from
    for (nb::handle message : messages) kept.push_back(nb::borrow(message));
    std::vector<Message> read(kept.size());
    for (std::size_t i = 0; i < read.size(); ++i) read[i].read(kept[i]);
    table_.build();
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    std::vector<InterfaceId> matched;
    for (std::size_t pass = 0; pass < repeat; ++pass) {
        for (const Message& message : read) {
            matched.clear();
            const auto start = Clock::now();
            table_.match(message.view(), matched);
            seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        }
    }
    auto* held = new std::vector<double>(std::move(seconds));
    nb::capsule owner(held,
                      [](void* pointer) noexcept { delete static_cast<std::vector<double>*>(pointer); });
    return {held->data(), {repeat, read.size()}, owner};
}

namespace {

nb::object interface_id(const PyTable& self, nb::handle name) {
    if (!PyUnicode_Check(name.ptr())) return nb::none();
    const auto text = utf8(name);
    const InterfaceId id = text ? self.catalogue().interfaces().find(*text) : StringPool::none;
    return id == StringPool::none ? nb::none() : nb::object(nb::int_(id));
}

nb::object interface_at(const PyTable& self, std::int64_t id) {
    const auto& interfaces = self.catalogue().interfaces();
    if (id < 0 || id >= interfaces.bound() || !interfaces.alive(static_cast<InterfaceId>(id)))
        return nb::none();
    return self.name_of(static_cast<InterfaceId>(id));
}

nb::list interface_names(const PyTable& self) {
    const auto& interfaces = self.catalogue().interfaces();
    nb::list names;
    for (InterfaceId id = 0; id < interfaces.bound(); ++id) {
        if (interfaces.alive(id)) names.append(self.name_of(id));
    }
    return names;
}

Array<std::int64_t> subscription_ids(const PyTable& self) {
    const std::vector<SubscriptionId> ids = self.catalogue().subscriptions();
    return to_array(std::vector<std::int64_t>(ids.begin(), ids.end()));
}

nb::tuple subscription(const PyTable& self, nb::handle id) {
    const SubscriptionId known = PyTable::to_id(id);
    return nb::make_tuple(self.name_of(self.catalogue().interface_of(known)),
                          self.catalogue().predicate_of(known));
}

nb::dict counts(PyTable& self) {
    self.table().build();
    const Catalogue& catalogue = self.catalogue();
    nb::dict result;
    result["subscriptions"] = catalogue.size();
    result["interfaces"] = catalogue.interfaces().size();
    result["filters"] = catalogue.filters().size();
    result["constraints"] = catalogue.filters().occurrences();
    result["distinct_constraints"] = catalogue.constraints().size();
    result["names"] = catalogue.constraints().names().size();
    return result;
}

nb::list parts(const PyTable& self) {
    nb::list result;
    for (const Table::Part& part : const_cast<PyTable&>(self).table().parts()) {
        result.append(nb::make_tuple(part.name, part.bytes, part.index));
    }
    return result;
}

nb::list selectivity(PyTable& self) {
    self.table().build();
    nb::list rows;
    for (const auto& row : self.table().engine().selectivity().rows()) {
        rows.append(nb::make_tuple(self.table().engine().index().name_at(row.name), row.count));
    }
    return rows;
}

}  // namespace

void bind_table(nb::module_& module) {
    nb::class_<PyTable> table(module, "Table", "The native part of ForwardingTable.");
    bind_arrow(table);
    bind_json(module, table);
    table.def(nb::init<std::uint32_t, Limits>(), "rounds"_a, "limits"_a)
        .def("subscribe", &PyTable::subscribe, "interface"_a.none(), "filter"_a.none(),
             nb::sig(
                 "def subscribe(self, interface: str, filter: str | Predicate | Filter | Constraint) -> int"),
             "Add a filter to an interface's predicate; returns the subscription's id.")
        .def("subscribe_many", &PyTable::subscribe_many, "interfaces"_a.none(), "filters"_a.none(),
             nb::sig("def subscribe_many(self, interfaces: collections.abc.Sequence[str], "
                     "filters: collections.abc.Sequence[str | Predicate | Filter | Constraint]) "
                     "-> numpy.typing.NDArray[numpy.int64]"),
             "Add many, all or nothing; returns their ids. An error carries the `row` that caused it.")
        .def("unsubscribe", &PyTable::unsubscribe, "id"_a.none(),
             nb::sig("def unsubscribe(self, id: typing.SupportsIndex) -> None"),
             "Remove a subscription; the interface goes with its last one.")
        .def("match", &PyTable::match, "message"_a.none(), nb::kw_only(), "only"_a = nb::none(),
             nb::sig("def match(self, message: collections.abc.Mapping[str, typing.Any], *, "
                     "only: collections.abc.Iterable[str] | None = None) -> list[str]"),
             "Names of the interfaces that the message goes to, each once, in no particular order; `only` "
             "restricts them to those it names, and passes over names that no interface has.")
        .def("match_ids", &PyTable::match_ids, "message"_a.none(), nb::kw_only(), "only"_a = nb::none(),
             nb::sig("def match_ids(self, message: collections.abc.Mapping[str, typing.Any], *, "
                     "only: collections.abc.Iterable[str] | None = None) "
                     "-> numpy.typing.NDArray[numpy.uint32]"),
             "The same as ids, which `interfaces` translates: much cheaper when there are many.")
        .def(
            "build", [](PyTable& self) { self.table().build(); },
            "Consolidate changes now instead of at the next match.")
        .def("trace", &PyTable::trace, "message"_a.none(),
             nb::sig("def trace(self, message: collections.abc.Mapping[str, typing.Any]) -> dict[str, int]"),
             "Match, and tell how much work it was: constraints satisfied, postings walked, interfaces "
             "excluded.")
        .def("time_matches", &PyTable::time_matches, "messages"_a, "repeat"_a = 1,
             nb::sig("def time_matches(self, messages: collections.abc.Sequence[collections.abc.Mapping[str, "
                     "typing.Any]], repeat: int = 1) -> numpy.typing.NDArray[numpy.float64]"),
             "Seconds of each native match, passes x messages, without the conversion from Python.")
        .def("selectivity_table", &selectivity,
             nb::sig("def selectivity_table(self) -> list[tuple[str, int]]"),
             "Determinant names and how many interfaces each excludes, as far as the rounds go.")
        .def("__len__", [](const PyTable& self) { return self.catalogue().size(); })
        .def("__contains__", &PyTable::contains, "id"_a.none(),
             nb::sig("def __contains__(self, id: object) -> bool"))
        .def("_interface_id", &interface_id, "name"_a.none(),
             nb::sig("def _interface_id(self, name: object) -> int | None"))
        .def("_interface_at", &interface_at, "id"_a.none(),
             nb::sig("def _interface_at(self, id: int) -> str | None"))
        .def("_interface_names", &interface_names, nb::sig("def _interface_names(self) -> list[str]"))
        .def("_interface_count", [](const PyTable& self) { return self.catalogue().interfaces().size(); })
        .def("_subscription_ids", &subscription_ids,
             nb::sig("def _subscription_ids(self) -> numpy.typing.NDArray[numpy.int64]"))
        .def("_subscription", &subscription, "id"_a.none(),
             nb::sig("def _subscription(self, id: typing.SupportsIndex) -> tuple[str, Predicate]"))
        .def("_counts", &counts, nb::sig("def _counts(self) -> dict[str, int]"))
        .def("_parts", &parts, nb::sig("def _parts(self) -> list[tuple[str, int, bool]]"));
    bind_explain(table);
}

}  // namespace penstock::bind
