// Numbers as NumPy arrays.
#include <cstring>

#include "table.hpp"

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

namespace penstock::bind {

namespace {

// Through NumPy's own table of functions: where results are few, calling numpy.empty and asking it for its
// buffer would take longer than the match, and the way through DLPack several times as long. NumPy is loaded
// with the first array: importing it takes a while.
nb::object copy(const void* data, std::size_t items, std::size_t bytes, int type) {
    if (PyArray_API == nullptr && _import_array() < 0) throw nb::python_error();
    npy_intp count = static_cast<npy_intp>(items);
    nb::object array = nb::steal(PyArray_SimpleNew(1, &count, type));
    if (!array.is_valid()) throw nb::python_error();
    if (bytes > 0) std::memcpy(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())), data, bytes);
    return array;
}

}  // namespace

nb::object to_array(std::span<const std::uint32_t> numbers) {
    return copy(numbers.data(), numbers.size(), numbers.size_bytes(), NPY_UINT32);
}

nb::object to_array(std::span<const std::int64_t> numbers) {
    return copy(numbers.data(), numbers.size(), numbers.size_bytes(), NPY_INT64);
}

}  // namespace penstock::bind
