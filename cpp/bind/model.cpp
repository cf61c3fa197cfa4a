// Type, Operator, Limits, Constraint, Filter, Predicate.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/typing.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "bind.hpp"
#include "penstock/covering.hpp"
#include "penstock/language.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

// Values made in Python are the program's own; the limits guard texts and tables.
constexpr std::size_t unlimited = SIZE_MAX;
constexpr Limits no_limits{unlimited, max_depth, unlimited, unlimited, unlimited};

Scalar to_scalar(nb::handle value) {
    if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
    if (PyLong_Check(value.ptr())) {
        int overflow = 0;
        const long long integer = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
        if (overflow != 0) {
            throw FilterError(FilterError::Code::type, "an integer outside 64 bits", "write it as a float");
        }
        return static_cast<std::int64_t>(integer);
    }
    if (PyFloat_Check(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
    if (PyUnicode_Check(value.ptr())) return std::string(filter_text(value));
    raise_type_error(std::string("a constraint's value is a str, int, float or bool, not ") +
                     class_name(value));
}

std::vector<Scalar> to_values(nb::handle value, Operator op) {
    std::vector<Scalar> values;
    if (value.is_none()) return values;
    if (is_set(op)) {
        if (PyUnicode_Check(value.ptr())) {
            throw FilterError(FilterError::Code::type,
                              "IN needs a collection of values, got a single string");
        }
        for (nb::handle item : value) values.push_back(to_scalar(item));
    } else {
        values.push_back(to_scalar(value));
    }
    return values;
}

Type infer_type(const std::vector<Scalar>& values) {
    if (values.empty()) return Type::any;
    const Type type = type_of(values[0]);
    return is_numeric(type) ? Type::number : type;
}

nb::object value_of(const Constraint& constraint) {
    if (constraint.values.empty()) return nb::none();
    if (!is_set(constraint.op)) return to_python(constraint.values[0]);
    nb::list values;
    for (const Scalar& value : constraint.values) values.append(to_python(value));
    return nb::tuple(values);
}

nb::tuple constraints_of(const Filter& filter) {
    nb::list items;
    for (const ConstraintPtr& constraint : filter.constraints) items.append(nb::cast(constraint));
    return nb::tuple(items);
}

nb::tuple filters_of(const Predicate& predicate) {
    nb::list items;
    for (const FilterPtr& filter : predicate.filters) items.append(nb::cast(filter));
    return nb::tuple(items);
}

template <class Value>
std::shared_ptr<const Value> member(nb::handle item, const char* rule) {
    if (!nb::isinstance<Value>(item)) raise_type_error(std::string(rule) + ", not " + class_name(item));
    return nb::cast<std::shared_ptr<const Value>>(item);
}

void bind_vocabulary(nb::module_& module) {
    nb::enum_<Type>(module, "Type",
                    "The type that a constraint asks for; NUMBER is int or float, compared exactly.")
        .value("ANY", Type::any)
        .value("STRING", Type::string)
        .value("NUMBER", Type::number)
        .value("INT", Type::int_)
        .value("FLOAT", Type::float_)
        .value("BOOL", Type::bool_);
    nb::enum_<Operator>(module, "Operator", "What a constraint demands of the attribute's value.")
        .value("EQ", Operator::eq)
        .value("NE", Operator::ne)
        .value("LT", Operator::lt)
        .value("GE", Operator::ge)
        .value("GT", Operator::gt)
        .value("LE", Operator::le)
        .value("PREFIX", Operator::prefix)
        .value("NOT_PREFIX", Operator::not_prefix)
        .value("SUFFIX", Operator::suffix)
        .value("NOT_SUFFIX", Operator::not_suffix)
        .value("SUBSTRING", Operator::substring)
        .value("NOT_SUBSTRING", Operator::not_substring)
        .value("IN", Operator::in)
        .value("NOT_IN", Operator::not_in)
        .value("LIKE", Operator::like)
        .value("NOT_LIKE", Operator::not_like)
        .value("TOPIC", Operator::topic)
        .value("NOT_TOPIC", Operator::not_topic)
        .value("EXISTS", Operator::exists)
        .value("NOT_EXISTS", Operator::not_exists);
}

std::size_t within(const char* name, std::size_t value, std::size_t bound) {
    if (value > bound) {
        raise_value_error(std::string(name) + " can be at most " + std::to_string(bound));
    }
    return value;
}

nb::tuple values_of(const Limits& limits) {
    return nb::make_tuple(limits.text_bytes, limits.depth, limits.filters, limits.constraints,
                          limits.set_values);
}

void bind_limits(nb::module_& module) {
    constexpr Limits usual;
    nb::class_<Limits>(module, "Limits", "Bounds on filters, checked before any work is done.")
        .def(
            "__init__",
            [](Limits* self, std::size_t text_bytes, std::size_t depth, std::size_t filters,
               std::size_t constraints, std::size_t set_values) {
                new (self) Limits{text_bytes, within("depth", depth, max_depth), filters,
                                  within("constraints", constraints, max_constraints), set_values};
            },
            nb::kw_only(), "text_bytes"_a = usual.text_bytes, "depth"_a = usual.depth,
            "filters"_a = usual.filters, "constraints"_a = usual.constraints,
            "set_values"_a = usual.set_values)
        .def_ro("text_bytes", &Limits::text_bytes, "bytes of UTF-8 in a text")
        .def_ro("depth", &Limits::depth, "nesting of parentheses and NOT")
        .def_ro("filters", &Limits::filters, "filters in a predicate, after expansion")
        .def_ro("constraints", &Limits::constraints, "constraints in a filter")
        .def_ro("set_values", &Limits::set_values, "values in an IN list")
        .def(
            "__eq__", [](const Limits& self, const Limits& other) { return self == other; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Limits& self) { return nb::hash(values_of(self)); })
        .def("__getstate__", values_of, nb::sig("def __getstate__(self) -> tuple[int, ...]"))
        .def(
            "__setstate__",
            [](Limits& self,
               std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t> state) {
                const auto& [text_bytes, depth, filters, constraints, set_values] = state;
                new (&self) Limits{text_bytes, depth, filters, constraints, set_values};
            },
            nb::sig("def __setstate__(self, state: tuple[int, ...], /) -> None"))
        .def("__repr__", [](const Limits& self) {
            return nb::str("Limits(text_bytes={}, depth={}, filters={}, constraints={}, set_values={})")
                .format(self.text_bytes, self.depth, self.filters, self.constraints, self.set_values);
        });
}

// What all three kinds of values have in common.
template <class Value, class... Extra>
nb::class_<Value> bind_value(nb::module_& module, const char* name, const char* doc) {
    return nb::class_<Value>(module, name, doc, nb::is_final())
        .def(
            "__eq__", [](const Value& self, const Value& other) { return self == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Value& self) { return static_cast<Py_hash_t>(hash(self) >> 1U); })
        .def(
            "__str__", [](const Value& self) { return print(self); }, "The text that parses back to this.")
        .def("__repr__",
             [name](const Value& self) { return "<" + std::string(name) + " " + print(self) + ">"; });
}

void bind_constraint(nb::module_& module) {
    bind_value<Constraint>(module, "Constraint",
                           "One condition on one attribute. Immutable, in canonical form.")
        .def(nb::new_([](nb::str name, Operator op, nb::object value, std::optional<Type> type) {
                 std::vector<Scalar> values = to_values(value, op);
                 const Type asked = type.value_or(infer_type(values));
                 return make_constraint(std::string(filter_text(name)), asked, op, std::move(values),
                                        no_limits);
             }),
             "name"_a, "operator"_a, "value"_a = nb::none(), "type"_a = nb::none())
        .def_prop_ro("name", [](const Constraint& self) { return self.name; })
        .def_prop_ro("type", [](const Constraint& self) { return self.type; })
        .def_prop_ro("operator", [](const Constraint& self) { return self.op; })
        .def_prop_ro("value", value_of,
                     nb::sig("def value(self) -> str | int | float | bool | "
                             "tuple[str | int | float | bool, ...] | None"),
                     "None for EXISTS and NOT EXISTS, a tuple for IN and NOT IN.")
        .def(
            "__reduce__",
            [](const Constraint& self) {
                return nb::make_tuple(nb::type<Constraint>(),
                                      nb::make_tuple(self.name, self.op, value_of(self), self.type));
            },
            nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

void bind_filter(nb::module_& module) {
    bind_value<Filter>(module, "Filter", "A conjunction of constraints; empty, it matches every message.")
        .def(nb::new_([](nb::typed<nb::iterable, Constraint> constraints) {
                 std::vector<ConstraintPtr> items;
                 for (nb::handle item : constraints)
                     items.push_back(member<Constraint>(item, "a Filter holds Constraints"));
                 return make_filter(std::move(items), no_limits);
             }),
             "constraints"_a = nb::tuple())
        .def_prop_ro("constraints", constraints_of,
                     nb::sig("def constraints(self) -> tuple[Constraint, ...]"))
        .def("__len__", [](const Filter& self) { return self.constraints.size(); })
        .def(
            "__iter__", [](const Filter& self) { return nb::iter(constraints_of(self)); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Constraint]"))
        .def(
            "covers", [](const Filter& self, const Filter& other) { return covers(self, other); }, "other"_a,
            "True only if every message that matches other matches this; False may also mean not sure.")
        .def(
            "__reduce__",
            [](const Filter& self) {
                return nb::make_tuple(nb::type<Filter>(), nb::make_tuple(constraints_of(self)));
            },
            nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

void bind_predicate(nb::module_& module) {
    bind_value<Predicate>(module, "Predicate", "A disjunction of filters; empty, it matches no message.")
        .def(nb::new_([](nb::typed<nb::iterable, Filter> filters) {
                 std::vector<FilterPtr> items;
                 for (nb::handle item : filters)
                     items.push_back(member<Filter>(item, "a Predicate holds Filters"));
                 return std::make_shared<Predicate>(make_predicate(std::move(items), no_limits));
             }),
             "filters"_a = nb::tuple())
        .def_prop_ro("filters", filters_of, nb::sig("def filters(self) -> tuple[Filter, ...]"))
        .def("__len__", [](const Predicate& self) { return self.filters.size(); })
        .def(
            "__iter__", [](const Predicate& self) { return nb::iter(filters_of(self)); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Filter]"))
        .def(
            "covers", [](const Predicate& self, const Predicate& other) { return covers(self, other); },
            "other"_a,
            "True only if every message that matches other matches this; False may also mean not sure.")
        .def(
            "__reduce__",
            [](const Predicate& self) {
                return nb::make_tuple(nb::type<Predicate>(), nb::make_tuple(filters_of(self)));
            },
            nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

std::vector<FilterPtr> to_filters(nb::handle filter) {
    if (nb::isinstance<Predicate>(filter)) return nb::cast<const Predicate&>(filter).filters;
    if (nb::isinstance<Filter>(filter)) return {nb::cast<FilterPtr>(filter)};
    if (nb::isinstance<Constraint>(filter))
        return {make_filter({nb::cast<ConstraintPtr>(filter)}, no_limits)};
    raise_type_error(std::string("a filter is a str, Predicate, Filter or Constraint, not ") +
                     class_name(filter));
}

// Values made in Python are canonical but as large as they like; a table has limits of its own.
Predicate within_limits(std::vector<FilterPtr> filters, const Limits& limits) {
    for (const FilterPtr& filter : filters) {
        make_filter(filter->constraints, limits);
        for (const ConstraintPtr& constraint : filter->constraints) {
            if (constraint->values.size() <= limits.set_values) continue;
            make_constraint(constraint->name, constraint->type, constraint->op, constraint->values, limits);
        }
    }
    return make_predicate(std::move(filters), limits);
}

}  // namespace

nb::object to_python(const Scalar& value) {
    return std::visit([](const auto& held) -> nb::object { return nb::cast(held); }, value);
}

Predicate to_predicate(nb::handle filter, const Limits& limits) {
    try {
        if (PyUnicode_Check(filter.ptr())) return parse(filter_text(filter), limits);
        return within_limits(to_filters(filter), limits);
    } catch (const FilterError& error) {
        raise_filter_error(error, PyUnicode_Check(filter.ptr()) ? filter : nb::handle(Py_None));
    }
}

void bind_model(nb::module_& module) {
    bind_vocabulary(module);
    bind_limits(module);
    bind_constraint(module);
    bind_filter(module);
    bind_predicate(module);
}

}  // namespace penstock::bind
