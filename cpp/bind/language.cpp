// parse, and Siena's notation.
#include "penstock/language.hpp"

#include <nanobind/stl/string.h>

#include "bind.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

template <Predicate (*read)(std::string_view, const Limits&)>
Predicate read_text(nb::str text, const Limits& limits) {
    try {
        return read(filter_text(text), limits);
    } catch (const FilterError& error) {
        raise_filter_error(error, text);
    }
}

}  // namespace

void bind_language(nb::module_& module) {
    module.def("parse", read_text<parse>, "text"_a, "limits"_a = Limits(),
               nb::sig("def parse(text: str, limits: Limits = ...) -> Predicate"),
               "Read a filter in the text language: `dest = 'MXP' AND price < 500`.");
    module.def("parse_siena", read_text<parse_siena>, "text"_a, "limits"_a = Limits(),
               nb::sig("def parse_siena(text: str, limits: Limits = ...) -> Predicate"),
               "Read a predicate in Siena's notation: `[string dest = MXP; int price < 500]`.");
    module.def("print_siena", print_siena, "predicate"_a, "Write a predicate in Siena's notation.");
}

}  // namespace penstock::bind
