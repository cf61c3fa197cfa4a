// A match among some interfaces only.
#include "penstock/selection.hpp"

#include <string>

#include "table.hpp"

namespace penstock::bind {

namespace {

// The names as a list of our own: afterwards no Python code runs that could change them.
nb::object read_names(nb::handle only) {
    if (PyUnicode_Check(only.ptr())) {
        raise_type_error("only is a collection of interface names, not a single str; write {'…'}");
    }
    nb::object names = nb::steal(PySequence_List(only.ptr()));
    if (!names.is_valid()) throw nb::python_error();
    for (nb::handle name : names) {
        if (PyUnicode_Check(name.ptr())) continue;
        raise_type_error(std::string("only is a collection of interface names, and those are str, not ") +
                         class_name(name));
    }
    return names;
}

}  // namespace

Selection::Selection(nb::handle only) {
    if (only.is_none()) return;
    chosen_ = true;
    names_ = read_names(only);
    for (nb::handle name : names_) {
        if (const auto view = utf8(name)) views_.push_back(*view);  // no interface has half a character
    }
}

void Selection::apply(FoundIds& matched, const Catalogue& catalogue) const {
    if (chosen_) keep_only(matched, views_, catalogue);
}

}  // namespace penstock::bind
