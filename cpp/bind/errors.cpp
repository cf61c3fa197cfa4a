// From the core's errors to the classes of penstock.errors.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "penstock/utf8.hpp"

namespace penstock::bind {

namespace {

nb::object error_class(const char* name) {
    return nb::module_::import_("penstock.errors").attr(name);
}

const char* class_of(FilterError::Code code) {
    switch (code) {
        case FilterError::Code::syntax:
            return "FilterSyntaxError";
        case FilterError::Code::type:
            return "FilterTypeError";
        case FilterError::Code::limit:
            return "FilterLimitError";
        default:
            return "FilterUnsupportedError";
    }
}

[[noreturn]] void raise(const nb::object& error) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw nb::python_error();
}

// OSError itself chooses between FileNotFoundError, PermissionError and the like.
[[noreturn]] void raise_file_error(const FileError& error) {
    const auto size = static_cast<Py_ssize_t>(error.path.size());
    const auto path = nb::steal(PyUnicode_DecodeFSDefaultAndSize(error.path.data(), size));
    if (!path.is_valid()) throw nb::python_error();
    if (error.system == 0) raise(error_class("TableFileError")(path, error.message));
    const std::string reason = std::generic_category().message(error.system);
    raise(nb::borrow(PyExc_OSError)(error.system, reason, path));
}

void translate(const std::exception_ptr& exception, void*) {
    try {
        try {
            std::rethrow_exception(exception);
        } catch (const FilterError& error) {
            raise_filter_error(error, nb::none());
        } catch (const MessageError& error) {
            nb::object raised = message_error(error.attribute, error.message);
            if (error.row) raised.attr("row") = *error.row;
            raise(raised);
        } catch (const ArrowError& error) {
            raise(error_class("ArrowError")(error.what()));
        } catch (const FileError& error) {
            raise_file_error(error);
        } catch (const UnknownSubscription& error) {
            raise(error_class("UnknownSubscriptionError")(error.id));
        } catch (const CapacityError& error) {
            raise(error_class("CapacityError")(error.what()));
        }
    } catch (nb::python_error& error) {
        error.restore();
    }
}

}  // namespace

void raise_filter_error(const FilterError& error, nb::handle text) {
    nb::object at = nb::none();
    if (error.at && !text.is_none()) {  // the core counts bytes, Python counts characters
        if (const auto bytes = utf8(text)) at = nb::int_(count_characters(bytes->substr(0, *error.at)));
    }
    raise(error_class(class_of(error.code))(error.message, nb::arg("hint") = error.hint,
                                            nb::arg("expected") = error.expected, nb::arg("text") = text,
                                            nb::arg("at") = at));
}

nb::object message_error(const std::optional<std::string>& attribute, const std::string& message) {
    return error_class("MessageError")(attribute, message);
}

void raise_type_error(const std::string& message) {
    PyErr_SetString(PyExc_TypeError, message.c_str());
    throw nb::python_error();
}

void raise_value_error(const std::string& message) {
    PyErr_SetString(PyExc_ValueError, message.c_str());
    throw nb::python_error();
}

void raise_unknown_subscription(nb::handle id) {
    raise(error_class("UnknownSubscriptionError")(id));
}

std::optional<std::string_view> encode_utf8(nb::handle string) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(string.ptr(), &size);
    if (bytes == nullptr) {
        PyErr_Clear();
        return std::nullopt;
    }
    return std::string_view(bytes, static_cast<std::size_t>(size));
}

std::string_view filter_text(nb::handle string) {
    if (const auto bytes = utf8(string)) return *bytes;
    const Py_ssize_t length = PyUnicode_GET_LENGTH(string.ptr());
    Py_ssize_t at = 0;
    while (at < length && !Py_UNICODE_IS_SURROGATE(PyUnicode_READ_CHAR(string.ptr(), at))) ++at;
    raise(error_class("FilterSyntaxError")("a lone surrogate is not a character",
                                           nb::arg("hint") = "decode the text properly before parsing it",
                                           nb::arg("text") = string, nb::arg("at") = at));
}

const char* class_name(nb::handle value) {
    return Py_TYPE(value.ptr())->tp_name;
}

void bind_errors(nb::module_&) {
    nb::register_exception_translator(translate);
}

}  // namespace penstock::bind
