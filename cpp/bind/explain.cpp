// Explanations as plain tuples; penstock.explain gives them their names.
#include "penstock/explain.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "table.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

nb::tuple to_tuple(const FilterVerdict& verdict) {
    nb::list subscriptions;
    for (const SubscriptionId id : verdict.subscriptions) subscriptions.append(id);
    nb::list constraints;
    for (const ConstraintVerdict& each : verdict.constraints) {
        constraints.append(nb::make_tuple(each.constraint, each.reason,
                                          each.value ? to_python(*each.value) : nb::object(nb::none())));
    }
    return nb::make_tuple(nb::tuple(subscriptions), verdict.filter, constraints);
}

nb::object explain_match(PyTable& self, nb::handle mapping, nb::handle interface, std::size_t limit) {
    Message message;
    message.read(mapping);
    const auto name = PyUnicode_Check(interface.ptr()) ? utf8(interface) : std::nullopt;
    if (!name) return nb::none();
    const auto explanation = self.read([&](Table::View& view) -> std::optional<Explanation> {
        const InterfaceId id = view.catalogue().interfaces().find(*name);
        if (id == StringPool::none) return std::nullopt;
        return explain(view.catalogue(), id, message.view(), limit);
    });
    if (!explanation) return nb::none();
    nb::list filters;
    for (const FilterVerdict& verdict : explanation->filters) filters.append(to_tuple(verdict));
    return nb::make_tuple(explanation->matched, explanation->total, filters);
}

}  // namespace

void bind_reason(nb::module_& module) {
    nb::enum_<Reason>(module, "Reason", "Why a constraint holds for a message, or does not.")
        .value("HOLDS", Reason::holds, "it does hold")
        .value("ABSENT", Reason::absent, "the message has no such attribute")
        .value("PRESENT", Reason::present, "it has one, and NOT EXISTS asks that it have none")
        .value("TYPE", Reason::type, "the attribute is of another type")
        .value("NAN", Reason::nan, "it is NaN, which satisfies nothing but EXISTS")
        .value("VALUE", Reason::value, "its value does not satisfy the operator");
}

void bind_explain(nb::class_<PyTable>& table) {
    table.def("_explain", &explain_match, "message"_a.none(), "interface"_a.none(), "limit"_a,
              nb::sig("def _explain(self, message: collections.abc.Mapping[str, typing.Any], "
                      "interface: object, limit: int) -> tuple[int, int, list[tuple[tuple[int, ...], Filter, "
                      "list[tuple[Constraint, Reason, str | int | float | bool | None]]]]] | None"),
              "How many of the interface's filters match, how many there are, and verdicts on the best; None "
              "if there is no such interface.");
}

}  // namespace penstock::bind
