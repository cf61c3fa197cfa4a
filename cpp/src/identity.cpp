// When two constraints, filters or predicates are the same, and how they sort and hash.
#include <bit>

#include "penstock/constraint.hpp"
#include "penstock/hash.hpp"

namespace penstock {

namespace {

int sign(int order) {
    return (order > 0) - (order < 0);
}

template <typename Items, typename Order>
int lexicographic(const Items& a, const Items& b, Order order) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (const int difference = order(a[i], b[i])) return difference;
    }
    return (a.size() > b.size()) - (a.size() < b.size());
}

// Equal numbers must hash alike, so it is the place on the axis that counts, not the representation.
std::uint64_t hash_scalar(const Scalar& scalar) {
    if (const auto* boolean = std::get_if<bool>(&scalar)) return *boolean ? 1 : 0;
    if (const auto* text = std::get_if<std::string>(&scalar)) return hash_bytes(*text);
    const Number number = number_of(scalar);
    return mix(std::bit_cast<std::uint64_t>(number.rounded), static_cast<std::uint64_t>(number.residual));
}

template <typename Items>
std::size_t hash_all(const Items& items) {
    std::uint64_t state = items.size();
    for (const auto& item : items) state = mix(state, hash(*item));
    return state;
}

}  // namespace

int compare(const Constraint& a, const Constraint& b) {
    if (const int order = a.name.compare(b.name)) return sign(order);
    if (a.type != b.type) return a.type < b.type ? -1 : 1;
    if (a.op != b.op) return a.op < b.op ? -1 : 1;
    return lexicographic(a.values, b.values, [](const Scalar& x, const Scalar& y) { return compare(x, y); });
}

int compare(const Filter& a, const Filter& b) {
    return lexicographic(a.constraints, b.constraints, [](const ConstraintPtr& x, const ConstraintPtr& y) {
        return x == y ? 0 : compare(*x, *y);
    });
}

int compare(const Predicate& a, const Predicate& b) {
    return lexicographic(a.filters, b.filters,
                         [](const FilterPtr& x, const FilterPtr& y) { return x == y ? 0 : compare(*x, *y); });
}

std::size_t hash(const Constraint& constraint) {
    const auto kind =
        static_cast<std::uint64_t>(constraint.type) << 8U | static_cast<std::uint64_t>(constraint.op);
    std::uint64_t state = mix(hash_bytes(constraint.name), kind);
    for (const Scalar& value : constraint.values) state = mix(state, hash_scalar(value));
    return state;
}

std::size_t hash(const Filter& filter) {
    return hash_all(filter.constraints);
}

std::size_t hash(const Predicate& predicate) {
    return hash_all(predicate.filters);
}

}  // namespace penstock
