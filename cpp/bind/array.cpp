// Numbers as NumPy arrays.
#include <cstring>

#include "table.hpp"

namespace penstock::bind {

namespace {

// Looked up once, and kept until the process ends: the interpreter may be gone before static objects are.
struct Numpy {
    PyObject* empty;
    PyObject* uint32;
    PyObject* int64;

    static const Numpy& get() {
        static const Numpy numpy = [] {
            const nb::module_ module = nb::module_::import_("numpy");
            const nb::object dtype = module.attr("dtype");
            nb::object empty = module.attr("empty");
            return Numpy{empty.release().ptr(), dtype("uint32").release().ptr(),
                         dtype("int64").release().ptr()};
        }();
        return numpy;
    }
};

nb::object copy(const void* data, std::size_t items, std::size_t bytes, PyObject* dtype) {
    const nb::object count = nb::steal(PyLong_FromSize_t(items));
    PyObject* const arguments[] = {count.ptr(), dtype};
    nb::object array = nb::steal(PyObject_Vectorcall(Numpy::get().empty, arguments, 2, nullptr));
    if (!array.is_valid()) throw nb::python_error();
    if (bytes == 0) return array;
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_WRITABLE) != 0) throw nb::python_error();
    std::memcpy(buffer.buf, data, bytes);
    PyBuffer_Release(&buffer);
    return array;
}

}  // namespace

nb::object to_array(const std::vector<std::uint32_t>& numbers) {
    return copy(numbers.data(), numbers.size(), numbers.size() * sizeof(numbers[0]), Numpy::get().uint32);
}

nb::object to_array(const std::vector<std::int64_t>& numbers) {
    return copy(numbers.data(), numbers.size(), numbers.size() * sizeof(numbers[0]), Numpy::get().int64);
}

}  // namespace penstock::bind
