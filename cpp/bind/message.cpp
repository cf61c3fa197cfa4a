#include "message.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "penstock/limits.hpp"

namespace penstock::bind {

namespace {

std::string describe(nb::handle value) {
    if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) || PyAnySet_Check(value.ptr())) {
        return std::string("a ") + class_name(value) +
               ": several values for one attribute are not supported yet";
    }
    return std::string("of type ") + class_name(value) +
           "; use str, int, float, bool, None or a nested mapping";
}

std::string_view text_of(std::string_view name, nb::handle value) {
    const auto text = utf8(value);
    if (!text) throw MessageError(std::string(name), "holds a lone surrogate, which is not a character");
    if (text->size() > max_string_bytes) {
        throw MessageError(std::string(name), "is a string of " + std::to_string(text->size()) +
                                                  " bytes; the limit is " + std::to_string(max_string_bytes));
    }
    return *text;
}

std::int64_t integer_of(std::string_view name, nb::handle value) {
    int overflow = 0;
    const long long integer = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow != 0) throw MessageError(std::string(name), "is an integer outside 64 bits");
    return integer;
}

}  // namespace

void Message::clear() {
    attributes_.clear();
    names_.clear();
    copies_.clear();
    name_bytes_ = 0;
    mappings_ = 0;
    subclassed_ = false;
}

void Message::read(nb::handle mapping) {
    const auto attempt = [&](bool careful) {
        clear();
        careful_ = careful;
        if (!is_mapping(mapping)) {
            raise_type_error(std::string("a message is a mapping of names to values, not ") +
                             class_name(mapping));
        }
        read_mapping(mapping, nullptr, 0);
    };
    try {
        attempt(false);
    } catch (const NeedsCare&) {
        attempt(true);
    }
    if (!names_.empty() || subclassed_) refuse_repeated_names();
}

bool Message::is_mapping(nb::handle value) const {
    if (PyDict_Check(value.ptr())) return true;
    // Sequences have the mapping slots too, so only the abstract class can tell.
    if (!PyMapping_Check(value.ptr()) || PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()))
        return false;
    if (!careful_) throw NeedsCare();
    return nb::isinstance(value, nb::module_::import_("collections.abc").attr("Mapping"));
}

void Message::read_mapping(nb::handle mapping, const std::string* prefix, std::size_t depth) {
    if (depth > max_nesting) {
        throw MessageError(*prefix, "is nested deeper than " + std::to_string(max_nesting) + " levels");
    }
    if (++mappings_ > max_attributes) {
        throw MessageError(*prefix,
                           "is one nested mapping too many; the limit is " + std::to_string(max_attributes));
    }
    nb::object dict = nb::borrow(mapping);
    if (careful_) {  // a dictionary of our own, which keeps alive what it holds
        dict = PyDict_Check(mapping.ptr()) ? nb::steal(PyDict_Copy(mapping.ptr()))
                                           : nb::module_::import_("builtins").attr("dict")(mapping);
        copies_.push_back(dict);
    }
    PyObject* name = nullptr;
    PyObject* value = nullptr;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict.ptr(), &at, &name, &value) != 0) {
        if (value != Py_None) read_item(name, value, prefix, depth);
    }
}

// The attribute's name with those of the mappings around it; what is refused is refused before it is put
// together.
std::string_view Message::full_name(nb::handle key, const std::string* prefix) {
    if (!PyUnicode_Check(key.ptr())) {
        if (!careful_) throw NeedsCare();
        const std::string shown =
            (prefix != nullptr ? *prefix + "." : "") + nb::cast<std::string>(nb::repr(key));
        throw MessageError(shown, "is not a name: attribute names are str");
    }
    subclassed_ |= !PyUnicode_CheckExact(key.ptr());
    const auto name = utf8(key);
    const auto refuse = [&](const std::string& reason) {
        std::optional<std::string> where;
        if (prefix != nullptr) where = *prefix;
        throw MessageError(where, (where ? "holds a name " : "a message holds a name ") + reason);
    };
    if (!name) refuse("with a lone surrogate, which is not a character");
    const std::size_t size = name->size() + (prefix != nullptr ? prefix->size() + 1 : 0);
    if (size > max_string_bytes) {
        refuse("of " + std::to_string(size) + " bytes; the limit is " + std::to_string(max_string_bytes));
    }
    if (prefix == nullptr) return *name;
    if ((name_bytes_ += size) > max_dotted_bytes) {
        throw MessageError(*prefix,
                           "makes names of more than " + std::to_string(max_dotted_bytes) + " bytes in all");
    }
    return names_.emplace_back(*prefix + "." + std::string(*name));
}

void Message::read_item(nb::handle key, nb::handle value, const std::string* prefix, std::size_t depth) {
    const std::string_view name = full_name(key, prefix);
    if (PyUnicode_Check(value.ptr())) {
        add(name, ValueView::of(text_of(name, value)));
    } else if (PyBool_Check(value.ptr())) {
        add(name, ValueView::of(value.ptr() == Py_True));
    } else if (PyLong_Check(value.ptr())) {
        add(name, ValueView::of(integer_of(name, value)));
    } else if (PyFloat_Check(value.ptr())) {
        add(name, ValueView::of(PyFloat_AS_DOUBLE(value.ptr())));
    } else if (!read_numpy(name, value)) {
        if (!is_mapping(value)) throw MessageError(std::string(name), "is " + describe(value));
        if (prefix == nullptr) names_.emplace_back(name);  // a dotted name has just been put there
        read_mapping(value, &names_.back(), depth + 1);
    }
}

// NumPy's own scalars stand for the values they hold; no other class is asked to convert itself.
bool Message::read_numpy(std::string_view name, nb::handle value) {
    const std::string_view type = class_name(value);
    if (!type.starts_with("numpy.")) return false;
    if (type == "numpy.bool" || type == "numpy.bool_") {
        add(name, ValueView::of(PyObject_IsTrue(value.ptr()) == 1));
    } else if (type.starts_with("numpy.int") || type.starts_with("numpy.uint")) {
        const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
        if (!index.is_valid()) throw nb::python_error();
        add(name, ValueView::of(integer_of(name, index)));
    } else if (type == "numpy.float32" || type == "numpy.float16") {
        add(name, ValueView::of(PyFloat_AsDouble(value.ptr())));
    } else {
        return false;
    }
    return true;
}

void Message::add(std::string_view name, ValueView value) {
    if (attributes_.size() == max_attributes) {
        throw MessageError(std::string(name),
                           "is one attribute too many; the limit is " + std::to_string(max_attributes));
    }
    attributes_.push_back({name, value});
}

// Flattening can make two names equal: {"a.b": 1, "a": {"b": 2}}.
void Message::refuse_repeated_names() const {
    std::vector<std::string_view> names;
    for (const Attribute& attribute : attributes_) names.push_back(attribute.name);
    std::ranges::sort(names);
    const auto repeated = std::ranges::adjacent_find(names);
    if (repeated != names.end())
        throw MessageError(std::string(*repeated), "occurs twice once nested names are joined");
}

}  // namespace penstock::bind
