// The native part of TopicTable: changes and matches.
#include "topic.hpp"

#include <nanobind/stl/string.h>

#include <new>
#include <optional>
#include <string>
#include <vector>

#include "arrow.hpp"
#include "kept.hpp"
#include "penstock/topic_batch.hpp"
#include "table.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

std::string_view pattern_text(nb::handle pattern) {
    if (!PyUnicode_Check(pattern.ptr()))
        raise_type_error(std::string("a pattern is a str, not ") + class_name(pattern));
    return filter_text(pattern);
}

std::string_view destination_name(nb::handle destination) {
    if (!PyUnicode_Check(destination.ptr()))
        raise_type_error(std::string("a destination is named by a str, not ") + class_name(destination));
    const auto name = utf8(destination);
    if (!name) raise_value_error("a destination's name holds a lone surrogate, which is not a character");
    if (name->size() > max_string_bytes) raise_value_error("a destination's name is longer than 64 KiB");
    return *name;
}

nb::str canonical(nb::handle pattern) {
    const std::string_view text = pattern_text(pattern);
    try {
        const TopicLevels levels = TopicLevels::pattern(text, most_topic_levels);
        return nb::str(levels.text().data(), levels.text().size());
    } catch (const FilterError& error) {
        raise_filter_error(error, pattern);
    }
}

nb::object fast_sequence(nb::handle given, const char* what) {
    if (PyUnicode_Check(given.ptr()))
        raise_type_error("subscribe_many takes two sequences, a destination for each pattern");
    nb::object items = nb::steal(PySequence_Fast(given.ptr(), what));
    if (!items.is_valid()) throw nb::python_error();
    return items;
}

std::optional<std::string> column_name(nb::handle column) {
    if (column.is_none()) return std::nullopt;
    return nb::cast<std::string>(column);
}

ArrowResult to_lists(bool names, MatchedRows rows) {
    return names ? export_names(std::move(rows)) : export_ids(std::move(rows));
}

void load(PyTopicTable* self, nb::handle path) {
    const std::string name = file_path(path);
    const nb::gil_scoped_release release;
    new (self) PyTopicTable(FileReader(name));
}

void save(PyTopicTable& self, nb::handle path) {
    const std::string name = file_path(path);
    self.without_gil([&] { self.table().save(name); });
}

}  // namespace

std::string_view topic_text(nb::handle topic) {
    if (!PyUnicode_Check(topic.ptr()))
        raise_type_error(std::string("a topic is a str, not ") + class_name(topic));
    if (const auto text = utf8(topic)) return *text;
    throw MessageError("a topic holds a lone surrogate, which is not a character");
}

std::int64_t PyTopicTable::subscribe(nb::handle pattern, nb::handle destination) {
    const std::string_view text = pattern_text(pattern);
    const std::string_view name = destination_name(destination);
    try {
        return static_cast<std::int64_t>(without_gil([&] { return table_.subscribe(text, name); }));
    } catch (const FilterError& error) {
        raise_filter_error(error, pattern);
    }
}

nb::object PyTopicTable::subscribe_many(nb::handle patterns, nb::handle destinations) {
    const nb::object texts = fast_sequence(patterns, "patterns must be a sequence");
    const nb::object names = fast_sequence(destinations, "destinations must be a sequence of names");
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(texts.ptr());
    if (PySequence_Fast_GET_SIZE(names.ptr()) != count)
        raise_value_error("patterns and destinations must be of the same length");
    std::vector<TopicTable::Row> rows;
    std::vector<nb::object> kept;  // what the rows borrow from; a list may change in the meantime
    for (Py_ssize_t row = 0; row < count; ++row) {
        const nb::object pattern = nb::borrow(PySequence_Fast_GET_ITEM(texts.ptr(), row));
        const nb::object name = nb::borrow(PySequence_Fast_GET_ITEM(names.ptr(), row));
        kept.insert(kept.end(), {pattern, name});
        try {
            try {
                rows.push_back({table_.read_pattern(pattern_text(pattern)).text(), destination_name(name)});
            } catch (const FilterError& error) {
                raise_filter_error(error, pattern);
            }
        } catch (nb::python_error& error) {
            error.value().attr("row") = row;
            throw;
        }
    }
    const auto ids = without_gil([&] { return table_.subscribe_many(rows); });
    return to_array(std::vector<std::int64_t>(ids.begin(), ids.end()));
}

void PyTopicTable::unsubscribe(nb::handle id) {
    const SubscriptionId known = PyTable::to_id(id);
    without_gil([&] { table_.unsubscribe(known); });
}

nb::object PyTopicTable::match_ids(nb::handle topic) {
    const std::string_view text = topic_text(topic);
    const Kept<MatchedIds> matched;
    read([&](TopicTable::View& view) { view.match(text, matched->ids); });
    return to_array(matched->ids);
}

nb::tuple PyTopicTable::match(nb::handle topic) {
    const std::string_view text = topic_text(topic);
    if (!AnswerCache::takes(topic)) return find_names(text).names;
    if (nb::tuple known = answers_.find(topic, table_.stamp_of(text)); known.is_valid()) return known;
    auto [names, stamp] = find_names(text);
    answers_.note(topic, stamp, names);
    return names;
}

// Names that are not cached are copied by a second match: they may have changed since the first.
PyTopicTable::Answer PyTopicTable::find_names(std::string_view topic) {
    const Kept<MatchedIds> matched;
    FoundIds& ids = matched->ids;
    std::uint64_t version = 0;
    std::uint64_t stamp = 0;
    const auto find = [&](TopicTable::View& view) {
        ids.clear();
        view.match(topic, ids);
        version = view.catalogue().destinations().version();
        stamp = table_.stamp_of(topic);
    };
    read(find);
    if (auto names = names_.tuple_of(ids, version)) return {std::move(*names), stamp};
    std::vector<std::string> copies;
    read([&](TopicTable::View& view) {
        find(view);
        for (const DestinationId id : ids) copies.emplace_back(view.catalogue().destinations().at(id));
    });
    for (std::size_t i = 0; i < ids.size(); ++i) names_.keep(ids[i], copies[i], version);
    return {std::move(*names_.tuple_of(ids, version)), stamp};
}

nb::tuple PyTopicTable::match_batch(nb::handle data, nb::handle column, bool names) {
    const auto wanted = column_name(column);
    const ArrowTable table = as_table(read_arrow(data));
    return to_capsules(without_gil([&] {
        return to_lists(names, table_.read([&](TopicTable::View& view) {
            MatchedRows found = match_topics(
                table, wanted, [&](std::string_view topic, auto& ids) { view.match(topic, ids); });
            if (names) name_interfaces(found, view.catalogue().destinations());
            return found;
        }));
    }));
}

// With somebody else's matcher, which is called with the interpreter and must not change the table.
nb::tuple PyTopicTable::match_batch_by(nb::handle data, nb::handle column, bool names,
                                       const nb::callable& matcher) {
    const auto wanted = column_name(column);
    const ArrowTable table = as_table(read_arrow(data));
    MatchedRows found = match_topics(table, wanted, [&](std::string_view topic, auto& ids) {
        TopicLevels::topic(topic, table_.settings().levels);
        for (nb::handle id : matcher(nb::str(topic.data(), topic.size())))
            ids.push_back(nb::cast<DestinationId>(id));
    });
    if (names) read([&](TopicTable::View& view) { name_interfaces(found, view.catalogue().destinations()); });
    return to_capsules(to_lists(names, std::move(found)));
}

void bind_topic(nb::module_& module) {
    nb::enum_<TopicTable::Scheme>(module, "TopicScheme", "How a table of topics finds what matches.")
        .value("RADIX", TopicTable::Scheme::radix, "a trie that ends where a pattern is alone")
        .value("TREE", TopicTable::Scheme::tree, "a tree of levels")
        .value("HASH", TopicTable::Scheme::hash, "patterns as keys, constructed from the topic")
        .value("REGEX", TopicTable::Scheme::regex, "one regular expression after the other");
    module.attr("MAX_TOPIC_LEVELS") = most_topic_levels;
    module.def("canonical_topic", &canonical, "pattern"_a.none(),
               nb::sig("def canonical_topic(pattern: str) -> str"),
               "The pattern without its trailing wildcards; raises FilterError for what is none.");
    nb::class_<PyTopicTable> table(module, "TopicTable", "The native part of penstock.topics.TopicTable.");
    table.def(nb::init<TopicTable::Scheme, std::uint32_t>(), "scheme"_a, "levels"_a)
        .def("__init__", &load, "path"_a.none(),
             nb::sig("def __init__(self, path: str | os.PathLike[str]) -> None"))
        .def("save", &save, "path"_a.none(), nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
             "Write the table to a file, which takes the place of an older one only when it is complete.")
        .def("subscribe", &PyTopicTable::subscribe, "pattern"_a.none(), "destination"_a.none(),
             nb::sig("def subscribe(self, pattern: str, destination: str) -> int"),
             "Send what lies on or below the pattern to the destination; returns the subscription's id.")
        .def("subscribe_many", &PyTopicTable::subscribe_many, "patterns"_a.none(), "destinations"_a.none(),
             nb::sig("def subscribe_many(self, patterns: collections.abc.Sequence[str], "
                     "destinations: collections.abc.Sequence[str]) -> numpy.typing.NDArray[numpy.int64]"),
             "Add many, all or nothing; returns their ids. An error carries the `row` that caused it.")
        .def("unsubscribe", &PyTopicTable::unsubscribe, "id"_a.none(),
             nb::sig("def unsubscribe(self, id: typing.SupportsIndex) -> None"),
             "Remove a subscription; the destination goes with its last one.")
        .def("match", &PyTopicTable::match, "topic"_a.none(),
             nb::sig("def match(self, topic: str) -> tuple[str, ...]"),
             "Names of the destinations that the topic goes to, each once, in no particular order.")
        .def("match_ids", &PyTopicTable::match_ids, "topic"_a.none(),
             nb::sig("def match_ids(self, topic: str) -> numpy.typing.NDArray[numpy.uint32]"),
             "The same as ids, which `destinations` translates.")
        .def("_match_batch", &PyTopicTable::match_batch, "data"_a.none(), "column"_a.none(), "names"_a,
             nb::sig("def _match_batch(self, data: object, column: str | None, names: bool) "
                     "-> tuple[object, object]"))
        .def("_match_batch_by", &PyTopicTable::match_batch_by, "data"_a.none(), "column"_a.none(), "names"_a,
             "matcher"_a,
             nb::sig("def _match_batch_by(self, data: object, column: str | None, names: bool, "
                     "matcher: collections.abc.Callable[[str], list[int]]) -> tuple[object, object]"));
    bind_topic_inspection(table);
}

}  // namespace penstock::bind
