// Saving tables, and loading them.
#include <new>
#include <string>

#include "table.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

void load(PyTable* self, nb::handle path) {
    const std::string name = file_path(path);
    const nb::gil_scoped_release release;
    new (self) PyTable(FileReader(name));
}

void save(PyTable& self, nb::handle path) {
    const std::string name = file_path(path);
    self.without_gil([&] { self.table().save(name); });
}

}  // namespace

std::string file_path(nb::handle path) {
    PyObject* encoded = nullptr;
    if (PyUnicode_FSConverter(path.ptr(), &encoded) == 0) throw nb::python_error();
    const nb::bytes bytes = nb::steal<nb::bytes>(encoded);
    return {bytes.c_str(), bytes.size()};
}

void bind_file(nb::class_<PyTable>& table) {
    table
        .def("__init__", &load, "path"_a.none(),
             nb::sig("def __init__(self, path: str | os.PathLike[str]) -> None"))
        .def("save", &save, "path"_a.none(), nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
             "Write the table to a file, which takes the place of an older one only when it is complete; a "
             "change that is made meanwhile may have to wait.");
}

}  // namespace penstock::bind
