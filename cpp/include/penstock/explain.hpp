// Why an interface wants a message, or does not: a verdict on its filters and on each of their constraints.
//
// One pass over the subscriptions finds the interface's filters. A constraint is judged once, however many of
// them share it, and only the filters that are kept become values again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "penstock/catalogue.hpp"

namespace penstock {

enum class Reason : std::uint8_t {
    holds,
    absent,   // the message has no such attribute
    present,  // it has one, and NOT EXISTS asks that it have none
    type,     // the attribute is of a type that the constraint does not look at
    nan,      // it is NaN, which satisfies nothing but EXISTS
    value     // it is of the right type, and does not satisfy the operator
};

// The verdict on an attribute of the constraint's name; null when the message has none.
Reason judge(const ValueView* value, const Constraint& constraint);

struct ConstraintVerdict {
    ConstraintPtr constraint;
    Reason reason;
    std::optional<Scalar> value;  // what the message holds; a copy, since messages are borrowed
};

struct FilterVerdict {
    FilterPtr filter;
    std::size_t failed = 0;                     // how many of the constraints do not hold
    std::vector<SubscriptionId> subscriptions;  // of this interface, in ascending order
    std::vector<ConstraintVerdict> constraints;
};

struct Explanation {
    std::size_t matched = 0;             // how many of the interface's distinct filters match
    std::size_t total = 0;               // how many there are
    std::vector<FilterVerdict> filters;  // the best `limit` of them
};

// Filters with the fewest failures come first, so matches before near misses; ties are in canonical order.
Explanation explain(const Catalogue& catalogue, InterfaceId interface, MessageView message,
                    std::size_t limit);

}  // namespace penstock
