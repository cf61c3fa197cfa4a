// The native part of ForwardingTable.
#include "table.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "kept.hpp"

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

// Names of interfaces, copied while the table stood still.
class Names {
  public:
    void add(std::string_view name) {
        text_.append(name);
        ends_.push_back(text_.size());
    }
    nb::list to_list() const {
        nb::list names;
        std::size_t begin = 0;
        for (const std::size_t end : ends_) {
            names.append(nb::str(text_.data() + begin, end - begin));
            begin = end;
        }
        return names;
    }

  private:
    std::string text_;
    std::vector<std::size_t> ends_;
};

Names names_of(const Catalogue& catalogue, std::span<const InterfaceId> ids) {
    Names names;
    for (const InterfaceId id : ids) names.add(catalogue.interfaces().at(id));
    return names;
}

}  // namespace

std::int64_t PyTable::subscribe(nb::handle interface, nb::handle filter) {
    const std::string_view name = interface_name(interface);
    const Predicate predicate = to_predicate(filter, limits());
    return static_cast<std::int64_t>(without_gil([&] { return table_.subscribe(name, predicate); }));
}

void PyTable::unsubscribe(nb::handle id) {
    const SubscriptionId known = to_id(id);
    without_gil([&] { table_.unsubscribe(known); });
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
    // Waiting for a change that another thread makes, and for matches that are under way.
    const auto bulk = without_gil([&] { return std::make_unique<Table::Bulk>(table_); });
    try {
        for (Py_ssize_t row = 0; row < count; ++row) {
            const std::string_view name = interface_name(PySequence_Fast_GET_ITEM(names.ptr(), row));
            const Predicate predicate = to_predicate(PySequence_Fast_GET_ITEM(texts.ptr(), row), limits());
            without_gil([&] { bulk->subscribe(name, predicate); });
        }
    } catch (nb::python_error& error) {
        error.value().attr("row") = bulk->size();
        throw;
    }
    const std::vector<SubscriptionId> ids = without_gil([&] { return bulk->commit(); });
    return to_array(std::vector<std::int64_t>(ids.begin(), ids.end()));
}

bool PyTable::contains(nb::handle id) {
    if (PyIndex_Check(id.ptr()) == 0) return false;
    SubscriptionId known = 0;
    try {
        known = to_id(id);
    } catch (nb::python_error&) {
        return false;
    }
    return read([&](Table::View& view) { return view.catalogue().contains(known); });
}

SubscriptionId PyTable::to_id(nb::handle id) {
    nb::object index = nb::steal(PyNumber_Index(id.ptr()));
    if (!index.is_valid()) throw nb::python_error();
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow != 0 || value < 0) raise_unknown_subscription(index);
    return static_cast<SubscriptionId>(value);
}

template <class Body>
void PyTable::run(nb::handle mapping, nb::handle only, FoundIds& matched, Body&& body) {
    const Selection selection(only);
    const Kept<Message> message;
    message->read(mapping);
    read([&](Table::View& view) {
        view.match(message->view(), matched);
        selection.apply(matched, view.catalogue());
        body(view);
    });
}

Array<InterfaceId> PyTable::match_ids(nb::handle message, nb::handle only) {
    const Kept<MatchedIds> matched;
    run(message, only, matched->ids, [](Table::View&) {});
    return to_array(matched->ids);
}

nb::list PyTable::match(nb::handle message, nb::handle only) {
    const Kept<MatchedIds> matched;
    Names names;
    run(message, only, matched->ids,
        [&](Table::View& view) { names = names_of(view.catalogue(), matched->ids); });
    return names.to_list();
}

nb::dict PyTable::trace(nb::handle message) {
    const Kept<MatchedIds> matched;
    std::vector<Table::View::Step> steps;
    run(message, nb::none(), matched->ids, [&](Table::View& view) { steps = view.trace(); });
    nb::dict result;
    for (const Table::View::Step& step : steps)
        result[nb::str(step.name.data(), step.name.size())] = step.count;
    result["matched"] = matched->ids.size();
    return result;
}

// Seconds of each native match, passes x messages, without the conversion from Python.
nb::ndarray<nb::numpy, double, nb::ndim<2>> PyTable::time_matches(nb::sequence messages, std::size_t repeat) {
    std::vector<nb::object> kept;  // what the messages borrow from
    for (nb::handle message : messages) kept.push_back(nb::borrow(message));
    std::vector<Message> read_messages(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) read_messages[i].read(kept[i]);
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    FoundIds matched;
    read([&](Table::View& view) {
        for (std::size_t pass = 0; pass < repeat; ++pass) {
            for (const Message& message : read_messages) {
                matched.clear();
                const auto start = Clock::now();
                view.match(message.view(), matched);
                seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
            }
        }
    });
    auto* held = new std::vector<double>(std::move(seconds));
    nb::capsule owner(held,
                      [](void* pointer) noexcept { delete static_cast<std::vector<double>*>(pointer); });
    return {held->data(), {repeat, read_messages.size()}, owner};
}

namespace {

nb::object interface_id(PyTable& self, nb::handle name) {
    const auto text = PyUnicode_Check(name.ptr()) ? utf8(name) : std::nullopt;
    if (!text) return nb::none();
    const InterfaceId id =
        self.read([&](Table::View& view) { return view.catalogue().interfaces().find(*text); });
    return id == StringPool::none ? nb::none() : nb::object(nb::int_(id));
}

nb::object interface_at(PyTable& self, std::int64_t id) {
    const auto name = self.read([&](Table::View& view) -> std::optional<std::string> {
        const auto& interfaces = view.catalogue().interfaces();
        if (id < 0 || id >= interfaces.bound() || !interfaces.alive(static_cast<InterfaceId>(id)))
            return std::nullopt;
        return std::string(interfaces.at(static_cast<InterfaceId>(id)));
    });
    return name ? nb::object(nb::str(name->data(), name->size())) : nb::none();
}

nb::list interface_names(PyTable& self) {
    const Names names = self.read([&](Table::View& view) {
        const auto& interfaces = view.catalogue().interfaces();
        Names alive;
        for (InterfaceId id = 0; id < interfaces.bound(); ++id) {
            if (interfaces.alive(id)) alive.add(interfaces.at(id));
        }
        return alive;
    });
    return names.to_list();
}

Array<std::int64_t> subscription_ids(PyTable& self) {
    const auto ids = self.read([](Table::View& view) { return view.catalogue().subscriptions(); });
    return to_array(std::vector<std::int64_t>(ids.begin(), ids.end()));
}

nb::tuple subscription(PyTable& self, nb::handle id) {
    const SubscriptionId known = PyTable::to_id(id);
    auto [interface, predicate] = self.read([&](Table::View& view) {
        const Catalogue& catalogue = view.catalogue();
        return std::pair(std::string(catalogue.interfaces().at(catalogue.interface_of(known))),
                         catalogue.predicate_of(known));
    });
    return nb::make_tuple(nb::str(interface.data(), interface.size()), std::move(predicate));
}

std::size_t count_subscriptions(PyTable& self) {
    return self.read([](Table::View& view) { return view.catalogue().size(); });
}

std::size_t count_interfaces(PyTable& self) {
    return self.read([](Table::View& view) { return view.catalogue().interfaces().size(); });
}

// Counts and bytes of the same moment.
nb::tuple weigh(PyTable& self) {
    struct Weight {
        std::size_t subscriptions, interfaces, filters, constraints, names;
        std::vector<Table::View::Part> parts;
    };
    const Weight weight = self.read([](Table::View& view) {
        const Catalogue& catalogue = view.catalogue();
        return Weight{catalogue.size(),
                      catalogue.interfaces().size(),
                      catalogue.filters().size(),
                      catalogue.filters().constraints(),
                      catalogue.filters().names().size(),
                      view.parts()};
    });
    nb::dict counts;
    counts["subscriptions"] = weight.subscriptions;
    counts["interfaces"] = weight.interfaces;
    counts["filters"] = weight.filters;
    counts["constraints"] = weight.constraints;
    counts["names"] = weight.names;
    nb::list parts;
    for (const Table::View::Part& part : weight.parts)
        parts.append(nb::make_tuple(part.name, part.bytes, part.index));
    return nb::make_tuple(counts, parts);
}

nb::list selectivity(PyTable& self) {
    struct Row {
        std::string name;
        std::uint32_t count;
    };
    const auto rows = self.read([](Table::View& view) {
        std::vector<Row> found;
        for (const auto& row : view.counting().selectivity().rows())
            found.push_back({std::string(view.counting().index().name_at(row.name)), row.count});
        return found;
    });
    nb::list result;
    for (const Row& row : rows) result.append(nb::make_tuple(row.name, row.count));
    return result;
}

}  // namespace

void bind_table(nb::module_& module) {
    nb::enum_<Table::Engine>(module, "Engine", "How a table finds what matches.")
        .value("ACCESS", Table::Engine::access, "each filter under its least likely constraint")
        .value("COUNTING", Table::Engine::counting, "counting the constraints that hold")
        .value("SELECTIVITY", Table::Engine::selectivity, "counting, after the most selective names");
    nb::class_<PyTable> table(module, "Table", "The native part of ForwardingTable.");
    bind_arrow(table);
    bind_batch_json(table);
    bind_json(module, table);
    bind_observe(table);
    table.def(nb::init<Table::Engine, std::uint32_t, Limits>(), "engine"_a, "rounds"_a, "limits"_a)
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
            "build", [](PyTable& self) { self.without_gil([&] { self.table().build(); }); },
            "Give back memory that growth has set aside; the counting engines also build their index, which "
            "they do at the next match otherwise.")
        .def("trace", &PyTable::trace, "message"_a.none(),
             nb::sig("def trace(self, message: collections.abc.Mapping[str, typing.Any]) -> dict[str, int]"),
             "Match, and tell how much work it was, in the engine's own terms.")
        .def("time_matches", &PyTable::time_matches, "messages"_a, "repeat"_a = 1,
             nb::sig("def time_matches(self, messages: collections.abc.Sequence[collections.abc.Mapping[str, "
                     "typing.Any]], repeat: int = 1) -> numpy.typing.NDArray[numpy.float64]"),
             "Seconds of each native match, passes x messages, without the conversion from Python.")
        .def("selectivity_table", &selectivity,
             nb::sig("def selectivity_table(self) -> list[tuple[str, int]]"),
             "Determinant names and how many interfaces each excludes, as far as the rounds go.")
        .def_prop_ro("_engine", [](PyTable& self) { return self.table().settings().engine; })
        .def_prop_ro("_rounds", [](PyTable& self) { return self.table().settings().rounds; })
        .def("__len__", &count_subscriptions)
        .def("__contains__", &PyTable::contains, "id"_a.none(),
             nb::sig("def __contains__(self, id: object) -> bool"))
        .def("_interface_id", &interface_id, "name"_a.none(),
             nb::sig("def _interface_id(self, name: object) -> int | None"))
        .def("_interface_at", &interface_at, "id"_a.none(),
             nb::sig("def _interface_at(self, id: int) -> str | None"))
        .def("_interface_names", &interface_names, nb::sig("def _interface_names(self) -> list[str]"))
        .def("_interface_count", &count_interfaces)
        .def("_subscription_ids", &subscription_ids,
             nb::sig("def _subscription_ids(self) -> numpy.typing.NDArray[numpy.int64]"))
        .def("_subscription", &subscription, "id"_a.none(),
             nb::sig("def _subscription(self, id: typing.SupportsIndex) -> tuple[str, Predicate]"))
        .def("_weigh", &weigh,
             nb::sig("def _weigh(self) -> tuple[dict[str, int], list[tuple[str, int, bool]]]"));
    bind_explain(table);
    bind_file(table);
}

}  // namespace penstock::bind
