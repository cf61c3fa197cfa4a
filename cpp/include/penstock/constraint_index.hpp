// The left-hand side of the forwarding table: which constraints does an attribute satisfy?
//
// A name leads through a ternary search trie to its record, the attribute's type to the indexes that concern
// it: an int is looked up among the constraints of the number family and among the strict int ones.
// Constraints get their numbers here, in the order that lets indexes answer in runs (see run.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "penstock/constraint_table.hpp"
#include "penstock/key_table.hpp"
#include "penstock/number_index.hpp"
#include "penstock/run.hpp"
#include "penstock/string_index.hpp"
#include "penstock/ternary_trie.hpp"
#include "penstock/value.hpp"

namespace penstock {

class ConstraintIndex {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;

    // Indexes every constraint of the table; returns their numbers by constraint id.
    std::vector<std::uint32_t> build(const ConstraintTable& table);

    std::uint32_t size() const { return size_; }  // constraints; numbers are below this
    std::uint32_t name_count() const { return static_cast<std::uint32_t>(names_.size()); }
    std::string_view name_at(std::uint32_t name) const { return keys_.at(name); }

    std::uint32_t find(std::string_view name) const;  // none if no constraint is on that name
    // The constraint `NOT EXISTS name`, the only one that an attribute of that name makes false at once.
    std::uint32_t absence(std::uint32_t name) const { return names_[name].absence; }

    // Adds to answer.runs all constraints on that name which the value satisfies.
    void match(std::uint32_t name, const ValueView& value, Answer& answer) const;

    struct Bytes {
        std::size_t names, numbers, strings, other;
    };
    Bytes bytes() const;
    std::size_t trie_nodes() const { return strings_.node_count(); }

  private:
    // The type switch. Links are to families of the indexes, none where there are no constraints.
    struct Name {
        std::uint32_t string = none;
        std::array<std::uint32_t, 3> numeric{none, none, none};  // number, int, float
        std::uint32_t boolean = none;
        std::uint32_t presence = none;  // first of the EXISTS constraints
        std::uint32_t presence_end = none;
        std::uint32_t absence = none;
    };
    struct Presence {
        Type type;
        std::uint32_t number;
    };
    // Numbers of the constraints that `false` satisfies, then of those that `true` does.
    struct Boolean {
        std::uint32_t no, yes, end;
    };
    class Builder;

    KeyTable keys_;
    TernaryTrie trie_;
    TernaryTrie::Link root_ = TernaryTrie::none;
    std::vector<Name> names_;
    StringIndex strings_;
    NumberIndex numbers_;
    std::vector<Boolean> booleans_;
    std::vector<std::uint32_t> boolean_hits_;
    std::vector<Presence> presences_;
    std::uint32_t size_ = 0;
};

}  // namespace penstock
