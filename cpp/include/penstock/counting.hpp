// The counting algorithm over disjunctions, with the selectivity table as an optional first step.
//
// Each attribute of the message yields the constraints that it satisfies; each constraint counts down its
// filters; a filter that reaches zero matches, and with it its interface. Filters of interfaces that are
// matched already, or excluded, are skipped; the work ends when no interface is left. Vetoes come first:
// an attribute that is there spoils the filters that ask for its absence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "penstock/boolean_network.hpp"
#include "penstock/catalogue.hpp"
#include "penstock/constraint_index.hpp"
#include "penstock/found_ids.hpp"
#include "penstock/selectivity.hpp"

namespace penstock {

class CountingEngine {
  public:
    // With zero rounds the selectivity table is not used: the plain counting algorithm.
    explicit CountingEngine(std::uint32_t rounds = 0) : rounds_(rounds) {}

    void build(const Catalogue& catalogue);
    // Appends each matching interface once, in no particular order.
    void match(MessageView message, FoundIds& matched);

    // What the last match did.
    struct Trace {
        std::uint64_t constraints = 0;  // satisfied
        std::uint64_t postings = 0;     // filters counted down or skipped
        std::uint64_t excluded = 0;     // interfaces ruled out by the selectivity table
    };
    const Trace& trace() const { return trace_; }

    const ConstraintIndex& index() const { return index_; }
    const SelectivityTable& selectivity() const { return selectivity_; }
    struct Bytes {
        std::size_t names, numbers, strings, other, postings, filters, selectivity, scratch;
    };
    Bytes bytes() const;

  private:
    struct Lookup {
        std::uint32_t name;
        const ValueView* value;
    };
    // Counters are bytes unless some filter is too large. A vetoed filter's counter is set to zero; counting
    // further down wraps around, and one less than the width's maximum is never reached from there.
    template <class Count>
    struct Counters {
        std::vector<Count> initial;
        std::vector<Count> remaining;
    };
    template <class Count, class OwnerOf, bool skips>
    void forward(Counters<Count>& counters, OwnerOf owner_of, FoundIds& matched);
    template <class Count>
    void restore(Counters<Count>& counters);
    void resolve(MessageView message);
    void exclude();
    void forget(const FoundIds& matched, std::size_t first);

    std::uint32_t rounds_;
    ConstraintIndex index_;
    BooleanNetwork network_;
    SelectivityTable selectivity_;
    std::variant<Counters<std::uint8_t>, Counters<std::uint16_t>> counters_;

    // Scratch, clean between matches.
    std::vector<Lookup> lookups_;
    Answer answer_;
    std::vector<std::span<const std::uint32_t>> touched_;  // filters that restore() must set back
    BitVector present_;     // names in the message; used by the selectivity table only
    BitVector ignored_;     // interfaces (and groups) matched or excluded
    std::size_t done_ = 0;  // how many interfaces are in there
    Trace trace_;
};

}  // namespace penstock
