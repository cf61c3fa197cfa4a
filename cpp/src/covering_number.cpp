// Covering among ints or floats. Both types are mapped to consecutive whole numbers (ordinals) in their own
// order, so every constraint is a finite union of intervals and every answer is exact.
#include <bit>
#include <cmath>
#include <limits>

#include "penstock/implication.hpp"
#include "penstock/interval.hpp"

namespace penstock {

namespace {

using Ordinal = std::int64_t;
using Ordinals = IntervalSet<Ordinal>;

constexpr Ordinal least = std::numeric_limits<Ordinal>::min();
constexpr double infinity = std::numeric_limits<double>::infinity();

// The bits of positive doubles grow with their value; negative ones are mirrored. -0.0 falls onto 0.0.
Ordinal ordinal_of(double value) {
    const auto bits = std::bit_cast<Ordinal>(value);
    return bits < 0 ? least - bits : bits;
}

Cut<Ordinal> next(Ordinal ordinal) {
    if (ordinal == std::numeric_limits<Ordinal>::max()) return std::nullopt;
    return ordinal + 1;
}

// Where a number of either type falls among the ordinals of one type.
struct Position {
    Cut<Ordinal> first;  // the first that is not less than the number
    bool exact;          // is it equal to the number?

    Cut<Ordinal> behind() const { return exact ? next(*first) : first; }
};

Position among_ints(const Scalar& number) {
    if (const auto* integer = std::get_if<std::int64_t>(&number)) return {*integer, true};
    const double value = std::get<double>(number);
    constexpr double two63 = 9223372036854775808.0;
    if (value >= two63) return {std::nullopt, false};
    if (value < -two63) return {least, false};
    const double up = std::ceil(value);
    // Rounding up cannot reach 2^63: doubles that large have no fraction.
    return {static_cast<Ordinal>(up), up == value};
}

Position among_floats(const Scalar& number) {
    const Number exact = number_of(number);
    const Ordinal nearest = ordinal_of(exact.rounded);
    return {exact.residual > 0 ? nearest + 1 : nearest, exact.residual == 0};
}

struct Axis {
    Ordinals all;
    Position (*locate)(const Scalar&);
};

Axis axis_of(Type type) {
    if (type == Type::int_) return {Ordinals().complement(least), among_ints};
    return {Ordinals(ordinal_of(-infinity), ordinal_of(infinity) + 1), among_floats};
}

// May reach beyond the axis; intersected with it in the end.
Ordinals solutions(const Constraint& constraint, const Axis& axis) {
    if (constraint.op == Operator::exists) return axis.all;
    if (is_exclusion(constraint.op) || constraint.op == Operator::ge || constraint.op == Operator::le) {
        const Constraint positive{{}, constraint.type, negate(constraint.op), constraint.values};
        return solutions(positive, axis).complement(least);
    }
    const Position position = axis.locate(constraint.values.front());
    if (constraint.op == Operator::lt) return {least, position.first};
    if (constraint.op == Operator::gt) return {position.behind(), std::nullopt};
    Ordinals points;
    for (const Scalar& value : constraint.values) {
        const Position point = axis.locate(value);
        if (point.exact) points.append(point.first, point.behind());
    }
    return points;
}

}  // namespace

bool numbers_imply(Known known, const Constraint* wanted, Type type) {
    const Axis axis = axis_of(type);
    Ordinals left = axis.all;
    if (wanted) left = intersect(left, solutions(*wanted, axis).complement(least));
    for (const ConstraintPtr& constraint : known) {
        if (left.empty()) break;
        left = intersect(left, solutions(*constraint, axis));
    }
    return left.empty();
}

}  // namespace penstock
