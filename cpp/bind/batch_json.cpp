// A column of JSON texts, matched row by row.
#include <nanobind/stl/string.h>

#include "arrow.hpp"
#include "penstock/batch_threads.hpp"
#include "table.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

std::string_view column_name(nb::handle json) {
    if (!PyUnicode_Check(json.ptr())) {
        raise_type_error(std::string("json takes the name of a column, a str, not ") + class_name(json));
    }
    const auto name = utf8(json);
    if (!name) throw ArrowError("no column can be named by a text with a lone surrogate");
    return *name;
}

// In the words of the exception that match_json would raise.
std::vector<RowSentence> put_into_words(const std::vector<RowFault>& faults) {
    std::vector<RowSentence> sentences;
    sentences.reserve(faults.size());
    for (const RowFault& fault : faults) {
        const nb::str words(message_error(fault.attribute, fault.message));
        sentences.push_back({fault.row, nb::cast<std::string>(words)});
    }
    return sentences;
}

nb::tuple match_json_batch(PyTable& self, nb::handle data, bool names, std::size_t threads, nb::handle json) {
    const std::string_view column = column_name(json);
    const ArrowTable table = read_arrow(data);
    std::vector<RowFault> faults;
    ArrowResult interfaces = self.without_gil([&] {
        JsonRows rows = match_json_in_threads(self.table(), table, column, {names, threads});
        faults = std::move(rows.faults);
        return names ? export_names(std::move(rows.matched)) : export_ids(std::move(rows.matched));
    });
    return to_capsules(export_with_errors(std::move(interfaces), put_into_words(faults)));
}

}  // namespace

void bind_batch_json(nb::class_<PyTable>& table) {
    table.def("_match_json_batch", &match_json_batch, "data"_a.none(), "names"_a, "threads"_a, "json"_a,
              nb::sig("def _match_json_batch(self, data: object, names: bool, threads: int, json: str) "
                      "-> tuple[object, object]"));
}

}  // namespace penstock::bind
