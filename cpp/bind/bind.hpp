// The seams between the binding's files. Everything in this folder only converts; the core does the work.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>

#include "penstock/constraint.hpp"
#include "penstock/error.hpp"
#include "penstock/limits.hpp"

namespace penstock::bind {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_model(nb::module_& module);
void bind_language(nb::module_& module);
void bind_reason(nb::module_& module);
void bind_table(nb::module_& module);
void bind_topic(nb::module_& module);

// These raise by setting the Python error and throwing nb::python_error.
// The class of penstock.errors that belongs to the error, with the text it is about, or None.
[[noreturn]] void raise_filter_error(const FilterError& error, nb::handle text);
[[noreturn]] void raise_type_error(const std::string& message);
[[noreturn]] void raise_value_error(const std::string& message);

// The exception MessageError, not raised.
nb::object message_error(const std::optional<std::string>& attribute, const std::string& message);

// Raises UnknownSubscriptionError for whatever was given as an id.
[[noreturn]] void raise_unknown_subscription(nb::handle id);

// UTF-8 of a str, borrowed from it; nothing if it holds lone surrogates.
std::optional<std::string_view> encode_utf8(nb::handle string);
inline std::optional<std::string_view> utf8(nb::handle string) {
    if (!PyUnicode_IS_COMPACT_ASCII(string.ptr())) return encode_utf8(string);
    return std::string_view(static_cast<const char*>(PyUnicode_DATA(string.ptr())),
                            static_cast<std::size_t>(PyUnicode_GET_LENGTH(string.ptr())));
}
// The same for filter texts: raises a FilterSyntaxError at the surrogate.
std::string_view filter_text(nb::handle string);

// A text, Predicate, Filter or Constraint as a predicate within the limits; raises FilterError or TypeError.
Predicate to_predicate(nb::handle filter, const Limits& limits);

nb::object to_python(const Scalar& value);

const char* class_name(nb::handle value);

// As the system wants it. Raises TypeError for what is no path, ValueError for one with a NUL.
std::string file_path(nb::handle path);

}  // namespace penstock::bind
