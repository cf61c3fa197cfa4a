// Arrow data in and out, through the capsules that Arrow libraries for Python exchange.
#include "arrow.hpp"

#include <nanobind/stl/string_view.h>

#include <memory>

#include "penstock/batch_subscribe.hpp"
#include "penstock/batch_threads.hpp"
#include "table.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

template <class Structure>
constexpr const char* capsule_name = nullptr;
template <>
constexpr const char* capsule_name<ArrowSchema> = "arrow_schema";
template <>
constexpr const char* capsule_name<ArrowArray> = "arrow_array";
template <>
constexpr const char* capsule_name<ArrowArrayStream> = "arrow_array_stream";

// Takes the content out of a capsule and leaves it empty, as its maker expects.
template <class Structure>
ArrowOwner<Structure> take(nb::handle capsule) {
    if (PyCapsule_IsValid(capsule.ptr(), capsule_name<Structure>) == 0) {
        raise_type_error(std::string("the producer of Arrow data returned ") + class_name(capsule) +
                         " where a capsule named '" + capsule_name<Structure> + "' was expected");
    }
    return ArrowOwner<Structure>(
        *static_cast<Structure*>(PyCapsule_GetPointer(capsule.ptr(), capsule_name<Structure>)));
}

template <class Structure>
nb::object to_capsule(ArrowOwner<Structure> owner) {
    auto held = std::make_unique<ArrowOwner<Structure>>(std::move(owner));
    nb::object capsule = nb::steal(PyCapsule_New(held->get(), capsule_name<Structure>, [](PyObject* object) {
        delete static_cast<ArrowOwner<Structure>*>(PyCapsule_GetContext(object));
    }));
    if (!capsule.is_valid()) throw nb::python_error();
    PyCapsule_SetContext(capsule.ptr(), held.release());
    return capsule;
}

ArrowTable read_array(nb::handle pair) {
    if (!PyTuple_Check(pair.ptr()) || PyTuple_GET_SIZE(pair.ptr()) != 2)
        raise_type_error("__arrow_c_array__ must return a pair of capsules");
    ArrowTable table;
    table.schema = take<ArrowSchema>(PyTuple_GET_ITEM(pair.ptr(), 0));
    table.batches.push_back(take<ArrowArray>(PyTuple_GET_ITEM(pair.ptr(), 1)));
    if (table.schema.empty() || table.batches[0].empty())
        throw ArrowError("the Arrow array was already consumed");
    return table;
}

nb::tuple match_batch(PyTable& self, nb::handle data, bool names, std::size_t threads) {
    const ArrowTable table = read_arrow(data);
    return to_capsules(self.without_gil([&] {
        MatchedRows rows = match_in_threads(self.table(), table, {names, threads});
        return names ? export_names(std::move(rows)) : export_ids(std::move(rows));
    }));
}

Array<std::int64_t> subscribe_batch(PyTable& self, nb::handle data, std::string_view interface,
                                    std::string_view filter) {
    const ArrowTable table = read_arrow(data);
    try {
        const std::vector<SubscriptionId> ids = self.without_gil(
            [&] { return subscribe_batches(self.table(), table, interface, filter, self.limits()); });
        return to_array(std::vector<std::int64_t>(ids.begin(), ids.end()));
    } catch (const RowError& error) {
        // What is not UTF-8 is shown with replacement characters; the position lies before the first of them.
        nb::object text = nb::none();
        if (error.text) {
            text = nb::steal(PyUnicode_DecodeUTF8(error.text->data(),
                                                  static_cast<Py_ssize_t>(error.text->size()), "replace"));
            if (!text.is_valid()) throw nb::python_error();
        }
        try {
            raise_filter_error(error, text);
        } catch (nb::python_error& raised) {
            raised.value().attr("row") = error.row;
            throw;
        }
    }
}

}  // namespace

// A stream is asked for first: a producer of several chunks can offer its data as one array only by chance.
ArrowTable read_arrow(nb::handle data) {
    if (nb::hasattr(data, "__arrow_c_stream__")) {
        ArrowOwner<ArrowArrayStream> stream = take<ArrowArrayStream>(data.attr("__arrow_c_stream__")());
        // A producer may wait for threads of its own that run Python.
        nb::gil_scoped_release release;
        return read_stream(std::move(stream));
    }
    if (nb::hasattr(data, "__arrow_c_array__")) return read_array(data.attr("__arrow_c_array__")());
    raise_type_error(std::string("Arrow data is needed, such as a table of pyarrow, polars or duckdb "
                                 "(anything with __arrow_c_stream__), not ") +
                     class_name(data));
}

nb::tuple to_capsules(ArrowResult result) {
    return nb::make_tuple(to_capsule(std::move(result.schema)), to_capsule(std::move(result.array)));
}

void bind_arrow(nb::class_<PyTable>& table) {
    table
        .def("_match_batch", &match_batch, "data"_a.none(), "names"_a, "threads"_a,
             nb::sig("def _match_batch(self, data: object, names: bool, threads: int) "
                     "-> tuple[object, object]"))
        .def(
            "subscribe_batch", &subscribe_batch, "data"_a.none(), "interface"_a = "interface",
            "filter"_a = "filter",
            nb::sig("def subscribe_batch(self, data: penstock.arrow.ArrowData, interface: str = 'interface', "
                    "filter: str = 'filter') -> numpy.typing.NDArray[numpy.int64]"),
            "Add the rows of an Arrow table, all or nothing, from a column of interface names and one of "
            "filter "
            "texts; returns their ids. An error carries the `row` that caused it.");
}

}  // namespace penstock::bind
