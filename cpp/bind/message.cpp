#include "message.hpp"

#include <nanobind/stl/string.h>

namespace penstock::bind {

namespace {

[[noreturn]] void refuse_type(std::string_view name, nb::handle value) {
    if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) || PyAnySet_Check(value.ptr()))
        refuse_several(name, std::string("a ") + class_name(value));
    throw MessageError(std::string(name), std::string("is of type ") + class_name(value) +
                                              "; use str, int, float, bool, None or a nested mapping");
}

bool is_numpy(nb::handle value) {
    return std::string_view(class_name(value)).starts_with("numpy.");
}

// Surely no mapping; telling that of other values may need Python code to be run.
bool is_scalar(nb::handle value) {
    return PyUnicode_Check(value.ptr()) || PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()) ||
           is_numpy(value);
}

std::string_view text_of(std::string_view name, nb::handle value) {
    const auto text = utf8(value);
    if (!text) refuse_surrogate(name);
    return *text;
}

std::int64_t integer_of(std::string_view name, nb::handle value) {
    int overflow = 0;
    const long long integer = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow != 0) refuse_integer(name);
    return integer;
}

}  // namespace

void Message::clear() {
    flat_.clear();
    kept_.clear();
}

void Message::read(nb::handle mapping) {
    const auto attempt = [&](bool careful) {
        clear();
        careful_ = careful;
        if (!is_mapping(mapping)) {
            raise_type_error(std::string("a message is a mapping of names to values, not ") +
                             class_name(mapping));
        }
        read_mapping(mapping);
    };
    try {
        attempt(false);
    } catch (const NeedsCare&) {
        attempt(true);
    }
    flat_.finish();
}

bool Message::is_mapping(nb::handle value) const {
    if (PyDict_Check(value.ptr())) return true;
    // Sequences have the mapping slots too, so only the abstract class can tell.
    if (!PyMapping_Check(value.ptr()) || PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()))
        return false;
    if (!careful_) throw NeedsCare();
    return nb::isinstance(value, nb::module_::import_("collections.abc").attr("Mapping"));
}

void Message::read_mapping(nb::handle mapping) {
    nb::object dict = nb::borrow(mapping);
    if (careful_) {  // a dictionary of our own, which keeps alive what it holds
        dict = PyDict_Check(mapping.ptr()) ? nb::steal(PyDict_Copy(mapping.ptr()))
                                           : nb::module_::import_("builtins").attr("dict")(mapping);
        kept_.push_back(dict);
    }
    PyObject* name = nullptr;
    PyObject* value = nullptr;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict.ptr(), &at, &name, &value) != 0) {
        if (value != Py_None) read_item(name, value);
    }
}

void Message::read_item(nb::handle name, nb::handle value) {
    const std::string_view key = read_name(name);
    if (read_plain(key, value)) return;
    if (!is_scalar(value) && is_mapping(value)) {
        flat_.enter(key);
        read_mapping(value);
        flat_.leave();
    } else {
        read_value(flat_.name_of(key), value);
    }
}

std::string_view Message::read_name(nb::handle name) {
    if (!PyUnicode_Check(name.ptr())) {
        if (!careful_) throw NeedsCare();
        const std::string shown = nb::cast<std::string>(nb::repr(name));
        throw MessageError(std::string(flat_.name_of(shown)), "is not a name: attribute names are str");
    }
    const auto text = utf8(name);
    if (!text) throw MessageError("a name holds a lone surrogate, which is not a character");
    kept_.push_back(nb::borrow(name));
    // Names that are no plain str can be equal where Python says that they are not.
    if (!PyUnicode_CheckExact(name.ptr())) flat_.doubt_names();
    return *text;
}

// The very types that messages are mostly made of, told by one comparison each.
bool Message::read_plain(std::string_view key, nb::handle value) {
    PyTypeObject* const type = Py_TYPE(value.ptr());
    if (type == &PyUnicode_Type) {
        const std::string_view name = flat_.name_of(key);
        flat_.add(name, ValueView::of(text_of(name, value)));
        kept_.push_back(nb::borrow(value));
    } else if (type == &PyLong_Type) {
        const std::string_view name = flat_.name_of(key);
        flat_.add(name, ValueView::of(integer_of(name, value)));
    } else if (type == &PyFloat_Type) {
        flat_.add(flat_.name_of(key), ValueView::of(PyFloat_AS_DOUBLE(value.ptr())));
    } else {
        return false;
    }
    return true;
}

void Message::read_value(std::string_view name, nb::handle value) {
    if (PyUnicode_Check(value.ptr())) {
        flat_.add(name, ValueView::of(text_of(name, value)));
        kept_.push_back(nb::borrow(value));
    } else if (PyBool_Check(value.ptr())) {
        flat_.add(name, ValueView::of(value.ptr() == Py_True));
    } else if (PyLong_Check(value.ptr())) {
        flat_.add(name, ValueView::of(integer_of(name, value)));
    } else if (PyFloat_Check(value.ptr())) {
        flat_.add(name, ValueView::of(PyFloat_AS_DOUBLE(value.ptr())));
    } else if (!read_numpy(name, value)) {
        refuse_type(name, value);
    }
}

// NumPy's own scalars stand for the values they hold; no other class is asked to convert itself.
bool Message::read_numpy(std::string_view name, nb::handle value) {
    if (!is_numpy(value)) return false;
    const std::string_view type = class_name(value);
    if (type == "numpy.bool" || type == "numpy.bool_") {
        flat_.add(name, ValueView::of(PyObject_IsTrue(value.ptr()) == 1));
    } else if (type.starts_with("numpy.int") || type.starts_with("numpy.uint")) {
        const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
        if (!index.is_valid()) throw nb::python_error();
        flat_.add(name, ValueView::of(integer_of(name, index)));
    } else if (type == "numpy.float32" || type == "numpy.float16") {
        flat_.add(name, ValueView::of(PyFloat_AsDouble(value.ptr())));
    } else {
        return false;
    }
    return true;
}

}  // namespace penstock::bind
