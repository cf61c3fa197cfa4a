// The syntax tree: nodes in one vector that refer to each other by index, so that neither
// building nor destroying it recurses. AND and OR have any number of children, chained by `next`.
#pragma once

#include <cstdint>
#include <vector>

#include "penstock/constraint.hpp"

namespace penstock {

enum class NodeKind : std::uint8_t {
    constraint,
    constant,  // TRUE or FALSE
    negation,
    conjunction,
    disjunction,
};

struct Node {
    static constexpr std::uint32_t none = UINT32_MAX;

    NodeKind kind;
    std::uint32_t at;            // byte offset of its first token
    std::uint32_t first = none;  // child; of a constraint, its place in `constraints`; of a constant, 1 or 0
    std::uint32_t next = none;   // sibling
};

struct Syntax {
    std::vector<Node> nodes;
    std::vector<ConstraintPtr> constraints;
    std::uint32_t root = Node::none;
};

}  // namespace penstock
