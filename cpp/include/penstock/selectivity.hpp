// The selectivity table: which interfaces can be ruled out because a message lacks an attribute?
//
// A name is a determinant of an interface when every filter of that interface needs an attribute of that
// name. The table lists names by how many interfaces they determine, most first, and keeps as many as there
// are rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "penstock/bit_vector.hpp"
#include "penstock/catalogue.hpp"
#include "penstock/constraint_index.hpp"

namespace penstock {

class SelectivityTable {
  public:
    void build(const Catalogue& catalogue, const ConstraintIndex& index, std::uint32_t rounds);

    // Adds to `ignored`, an empty set, the interfaces that a message with just the `present` names cannot
    // match, and says how many they are.
    std::size_t exclude(const BitVector& present, BitVector& ignored) const;

    struct Row {
        std::uint32_t name;   // in the constraint index
        std::uint32_t count;  // interfaces that it determines
        // A set that is mostly empty takes less as a list.
        std::variant<BitVector, std::vector<InterfaceId>> interfaces;
    };
    const std::vector<Row>& rows() const { return rows_; }
    std::size_t bytes() const;

  private:
    std::vector<Row> rows_;
};

}  // namespace penstock
