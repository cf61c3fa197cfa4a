// Messages to learn from, as Arrow data or one by one.
#include <deque>

#include "arrow.hpp"
#include "penstock/batch_match.hpp"
#include "table.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

void observe_arrow(PyTable& self, nb::handle data) {
    const ArrowTable table = read_arrow(data);
    self.without_gil([&] {
        const MessageRows rows(table);
        Table::Observation observation(self.table());
        for_each_message(rows, [&](std::span<const MessageView> messages) { observation.add(messages); });
        observation.finish();
    });
}

nb::iterator iterate(nb::handle data) {
    if (nb::isinstance(data, nb::module_::import_("collections.abc").attr("Mapping")))
        raise_type_error("observe takes many messages; put a single one into a list");
    PyObject* items = PyObject_GetIter(data.ptr());
    if (items != nullptr) return nb::steal<nb::iterator>(items);
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
    PyErr_Clear();
    raise_type_error(std::string("observe takes Arrow data or an iterable of messages, not ") +
                     class_name(data));
}

void observe_mappings(PyTable& self, nb::handle data) {
    std::deque<Message> kept;
    for (nb::handle mapping : iterate(data)) {
        try {
            kept.emplace_back().read(mapping);
        } catch (const MessageError& error) {
            throw MessageError(error.attribute, error.message, kept.size() - 1);
        }
    }
    std::vector<MessageView> messages;
    messages.reserve(kept.size());
    for (const Message& message : kept) messages.push_back(message.view());
    self.without_gil([&] {
        Table::Observation observation(self.table());
        observation.add(messages);
        observation.finish();
    });
}

void observe(PyTable& self, nb::handle data) {
    const bool arrow = nb::hasattr(data, "__arrow_c_stream__") || nb::hasattr(data, "__arrow_c_array__");
    return arrow ? observe_arrow(self, data) : observe_mappings(self, data);
}

}  // namespace

void bind_observe(nb::class_<PyTable>& table) {
    table.def(
        "observe", &observe, "data"_a.none(),
        nb::sig("def observe(self, data: penstock.arrow.ArrowData | "
                "collections.abc.Iterable[collections.abc.Mapping[str, typing.Any]]) -> None"),
        "Learn from messages like those to come, an iterable of them or the rows of an Arrow table, and "
        "rearrange the table: later matches find the same with less work. The counting engines have "
        "nothing to learn.");
}

}  // namespace penstock::bind
