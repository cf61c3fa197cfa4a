// How likely is a constraint to hold? What the access engine decides by where to put a filter.
//
// Two factors: that the attribute is there, and that its value fits. Without messages to go by, a name is
// taken to be as common in messages as in filters, and operators to be as selective as they usually are.
// Messages that were observed speak with more weight the more there are of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "penstock/filter_store.hpp"
#include "penstock/judge.hpp"
#include "penstock/key_index.hpp"

namespace penstock {

class Likelihood {
  public:
    // Counts the names and keeps a sample of the values that the table has constraints on. What it learns
    // depends on the messages and their order alone.
    void observe(MessageView message, const FilterStore& filters);

    // Takes note of the value that a filter asks for, wherever the filter will stand.
    void note(const StoredConstraint& constraint);

    // What the index tells of a constraint's name and type.
    struct Known {
        std::uint32_t values = 0;  // how many different ones there are keys for
        double fitting = 0.5;      // which share of them a bound has on its side
    };
    double of(const StoredConstraint& constraint, const FilterStore& filters, const KeyIndex& keys,
              const Known& known) const;

    // That both bounds hold, for an interval of that width: see CellRange.
    double of_interval(const StoredConstraint& lower, const StoredConstraint& upper, double width,
                       const FilterStore& filters) const;
    // That the check of the constraint passes, which can be far more likely than that it holds.
    double of_check(const StoredConstraint& constraint, double holds, const FilterStore& filters) const;

    std::size_t bytes() const;

  private:
    static constexpr std::size_t sample_size = 16;

    struct Sample {
        std::uint64_t before = 0;  // messages when the name was new, of which nothing is known
        std::uint64_t seen = 0;    // messages that had the name
        std::vector<Scalar> values;
    };
    // The values that filters ask for under a name, strings and numbers: for each a bit of 64, by its hash.
    using Asked = std::array<std::uint64_t, 2>;
    static std::size_t kind_of(const StoredConstraint& constraint) {
        return constraint.type == Type::string ? 0 : 1;
    }
    double different_values(const StoredConstraint& constraint, const FilterStore& filters,
                            const Known& known) const;
    static double as_asked_for(const StoredConstraint& pattern, double by_length, const FilterStore& filters);
    double usual(const StoredConstraint& constraint, const FilterStore& filters, const Known& known) const;
    double presence(NameId name, const FilterStore& filters, double fits = 0) const;
    double refine(double usual, NameId name, const FilterStore& filters,
                  std::span<const StoredConstraint* const> constraints) const;
    std::uint64_t next_random();

    std::vector<Asked> asked_;     // by name
    std::vector<Sample> samples_;  // by name, as far as there were names when messages were last observed
    std::uint64_t messages_ = 0;
    std::uint64_t random_ = 0x2545F4914F6CDD1DU;
};

}  // namespace penstock
