// The native part of TopicTable: what is in it, how much of it, and how long it takes.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "table.hpp"
#include "topic.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;
using View = TopicTable::View;
using Seconds = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

std::size_t count_subscriptions(PyTopicTable& self) {
    return self.read([](View& view) { return view.catalogue().size(); });
}

bool contains(PyTopicTable& self, nb::handle id) {
    if (PyIndex_Check(id.ptr()) == 0) return false;
    SubscriptionId known = 0;
    try {
        known = PyTable::to_id(id);
    } catch (nb::python_error&) {
        return false;
    }
    return self.read([&](View& view) { return view.catalogue().contains(known); });
}

nb::object destination_id(PyTopicTable& self, nb::handle name) {
    const auto text = PyUnicode_Check(name.ptr()) ? utf8(name) : std::nullopt;
    if (!text) return nb::none();
    const DestinationId id =
        self.read([&](View& view) { return view.catalogue().destinations().find(*text); });
    return id == StringPool::none ? nb::none() : nb::object(nb::int_(id));
}

nb::object destination_at(PyTopicTable& self, std::int64_t id) {
    const auto name = self.read([&](View& view) -> std::optional<std::string> {
        const InterfacePool& destinations = view.catalogue().destinations();
        if (id < 0 || id >= destinations.bound() || !destinations.alive(static_cast<DestinationId>(id)))
            return std::nullopt;
        return std::string(destinations.at(static_cast<DestinationId>(id)));
    });
    return name ? nb::object(nb::str(name->data(), name->size())) : nb::none();
}

nb::list destination_names(PyTopicTable& self) {
    const auto names = self.read([](View& view) {
        const InterfacePool& destinations = view.catalogue().destinations();
        std::vector<std::string> alive;
        for (DestinationId id = 0; id < destinations.bound(); ++id) {
            if (destinations.alive(id)) alive.emplace_back(destinations.at(id));
        }
        return alive;
    });
    nb::list list;
    for (const std::string& name : names) list.append(nb::str(name.data(), name.size()));
    return list;
}

std::size_t count_destinations(PyTopicTable& self) {
    return self.read([](View& view) { return view.catalogue().destinations().size(); });
}

nb::object subscription_ids(PyTopicTable& self) {
    const auto ids = self.read([](View& view) { return view.catalogue().subscriptions(); });
    return to_array(std::vector<std::int64_t>(ids.begin(), ids.end()));
}

nb::tuple subscription(PyTopicTable& self, nb::handle id) {
    const SubscriptionId known = PyTable::to_id(id);
    const auto [pattern, destination] = self.read([&](View& view) {
        const TopicCatalogue& catalogue = view.catalogue();
        return std::pair(std::string(catalogue.pattern_of(known)),
                         std::string(catalogue.destinations().at(catalogue.destination_of(known))));
    });
    return nb::make_tuple(nb::str(pattern.data(), pattern.size()),
                          nb::str(destination.data(), destination.size()));
}

// Counts and bytes of the same moment.
nb::tuple weigh(PyTopicTable& self) {
    struct Weight {
        std::size_t subscriptions, destinations, patterns;
        std::vector<View::Count> counts;
        std::vector<View::Part> parts;
    };
    const Weight weight = self.read([](View& view) {
        const TopicCatalogue& catalogue = view.catalogue();
        return Weight{catalogue.size(), catalogue.destinations().size(), catalogue.patterns().size(),
                      view.counts(), view.parts()};
    });
    nb::dict counts;
    counts["subscriptions"] = weight.subscriptions;
    counts["destinations"] = weight.destinations;
    counts["patterns"] = weight.patterns;
    nb::dict own;
    for (const View::Count& count : weight.counts) own[nb::cast(count.name)] = count.count;
    nb::list parts;
    for (const View::Part& part : weight.parts)
        parts.append(nb::make_tuple(part.name, part.bytes, part.index));
    return nb::make_tuple(counts, own, parts);
}

void check_topic(PyTopicTable& self, nb::handle topic) {
    TopicLevels::topic(topic_text(topic), self.table().settings().levels);
}

template <class Action>
double seconds(Action&& action) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    action();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Seconds to_seconds(std::vector<double> measured, std::size_t rows, std::size_t columns) {
    auto* held = new std::vector<double>(std::move(measured));
    nb::capsule owner(held,
                      [](void* pointer) noexcept { delete static_cast<std::vector<double>*>(pointer); });
    return {held->data(), {rows, columns}, owner};
}

Seconds time_matches(PyTopicTable& self, const nb::list& topics, std::size_t repeat) {
    std::vector<std::string> texts;
    for (nb::handle topic : topics) texts.emplace_back(topic_text(topic));
    std::vector<double> measured;
    self.read([&](View& view) {
        FoundIds ids;
        for (std::size_t pass = 0; pass < repeat; ++pass) {
            measured.push_back(seconds([&] {
                for (const std::string& text : texts) {
                    ids.clear();
                    view.match(text, ids);
                }
            }));
        }
    });
    return to_seconds(std::move(measured), 1, repeat);
}

Seconds time_updates(PyTopicTable& self, const nb::list& patterns, const nb::list& destinations) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (std::size_t i = 0; i < patterns.size(); ++i)
        rows.emplace_back(nb::cast<std::string>(patterns[i]), nb::cast<std::string>(destinations[i]));
    for (const auto& [pattern, destination] : rows)
        self.table().read_pattern(pattern);  // before any is added
    std::vector<double> measured;
    self.without_gil([&] {
        std::vector<SubscriptionId> ids(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            measured.push_back(
                seconds([&] { ids[i] = self.table().subscribe(rows[i].first, rows[i].second); }));
        }
        for (const SubscriptionId id : ids)
            measured.push_back(seconds([&] { self.table().unsubscribe(id); }));
    });
    return to_seconds(std::move(measured), 2, rows.size());
}

}  // namespace

void bind_topic_inspection(nb::class_<PyTopicTable>& table) {
    table.def("__len__", &count_subscriptions)
        .def("__contains__", &contains, "id"_a.none(), nb::sig("def __contains__(self, id: object) -> bool"))
        .def_prop_ro("_scheme", [](PyTopicTable& self) { return self.table().settings().scheme; })
        .def_prop_ro("_levels", [](PyTopicTable& self) { return self.table().settings().levels; })
        .def("_check_topic", &check_topic, "topic"_a.none(),
             nb::sig("def _check_topic(self, topic: str) -> None"))
        .def("_destination_id", &destination_id, "name"_a.none(),
             nb::sig("def _destination_id(self, name: object) -> int | None"))
        .def("_destination_at", &destination_at, "id"_a,
             nb::sig("def _destination_at(self, id: int) -> str | None"))
        .def("_destination_names", &destination_names, nb::sig("def _destination_names(self) -> list[str]"))
        .def("_destination_count", &count_destinations)
        .def("_subscription_ids", &subscription_ids,
             nb::sig("def _subscription_ids(self) -> numpy.typing.NDArray[numpy.int64]"))
        .def("_subscription", &subscription, "id"_a.none(),
             nb::sig("def _subscription(self, id: typing.SupportsIndex) -> tuple[str, str]"))
        .def("_weigh", &weigh,
             nb::sig("def _weigh(self) -> tuple[dict[str, int], dict[str, int], "
                     "list[tuple[str, int, bool]]]"))
        .def("time_matches", &time_matches, "topics"_a, "repeat"_a = 1,
             nb::sig("def time_matches(self, topics: list[str], repeat: int = 1) "
                     "-> numpy.typing.NDArray[numpy.float64]"),
             "Seconds of each pass of native matches over the topics, without the conversion from Python.")
        .def(
            "time_updates", &time_updates, "patterns"_a, "destinations"_a,
            nb::sig("def time_updates(self, patterns: list[str], destinations: list[str]) "
                    "-> numpy.typing.NDArray[numpy.float64]"),
            "Seconds of each native subscribe(), and then of each unsubscribe(): two rows. The table ends as "
            "it was.");
}

}  // namespace penstock::bind
