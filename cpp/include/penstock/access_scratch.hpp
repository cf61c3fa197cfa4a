// What the access engine works with while it matches, and leaves clean; each thread has its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "penstock/access.hpp"
#include "penstock/bit_vector.hpp"
#include "penstock/judge.hpp"
#include "penstock/pattern_set.hpp"
#include "penstock/recent_names.hpp"
#include "penstock/stretches.hpp"
#include "penstock/value_memo.hpp"

namespace penstock {

class AccessEngine::Scratch {
  public:
    const Trace& trace() const { return trace_; }
    std::size_t bytes() const;

  private:
    friend class AccessLookup;
    friend class AccessMatch;
    friend class AccessRemembering;
    friend class AccessOutput;
    friend class AccessCandidates;
    friend class AccessGrams;
    friend class AccessPoints;
    friend class AccessReading;
    friend AccessEngine;

    struct Value {
        NameId name = 0;
        const ValueView* view = nullptr;
        const Name* about = nullptr;  // or null, where findings say all that is needed

        void set(NameId of_name, const ValueView& value, const Name* of_it) {
            name = of_name;
            view = &value;
            about = of_it;
            is_known_ = false;
        }
        // What is asked for where there is something to look up, or when a filter is read.
        KnownValue& known() {
            if (!is_known_) std::construct_at(&known_, *view);  // in place: copied, it would be waited for
            is_known_ = true;
            return known_;
        }

      private:
        bool is_known_ = false;
        KnownValue known_;
    };
    // The patterns in a string that was met lately.
    struct PatternMemo {
        static constexpr std::size_t room = 6;
        std::uint64_t version = UINT64_MAX;
        StringPool::Id text = StringPool::none;
        std::uint32_t count = 0;
        std::array<PatternSet::Pattern, room> patterns;
    };
    static constexpr std::size_t pattern_memos = 1024;
    struct Search {
        const Axis* axis;
        FrontIndex::Front front;  // for whoever remembers what was found
        std::uint32_t value;
        AxisPoint point;
        AxisIndex::Cut cut{};

        template <class... Place>
        explicit Search(const Axis& which, FrontIndex::Front of_it, std::uint32_t of_value,
                        const Place&... place)
            : axis(&which), front(of_it), value(of_value), point(place...) {}
    };
    struct Lookup {
        Key key;
        std::uint64_t hash;
        std::uint32_t relations;
        std::uint32_t value;
    };
    struct Found {
        const KeyIndex::Slot* slot;
        std::uint32_t relations;
        std::uint32_t value;
    };
    // Of one message that is being matched.
    struct Row {
        std::vector<std::uint16_t> present;      // by name: 1 + the number of the value, or 0
        std::vector<const Acceptance*> answers;  // likewise, what the value says to checks
        std::vector<Value> values;               // room for those that are taken
        std::uint32_t count = 0;                 // of these
        std::vector<Acceptance> acceptances;     // by the number of the value, where some ask
        std::vector<std::uint32_t> texts;        // values whose codes are sought
        std::vector<std::uint32_t> looked_up;    // values that have keys
        std::vector<GramSet> grams;              // by the number of the value plus one, where some asked
        std::vector<std::uint8_t> has_grams;     // whether they did
        std::vector<std::uint32_t> late;         // values that are looked up last
        std::vector<Search> searches;
        Stretches<InterfaceId> sure_bounds;     // that hold, as they lie on the axes
        Stretches<Posting> bounds;              // the same of candidates
        std::vector<SheetIndex::Point> points;  // on the axes of sheets
        std::vector<Lookup> lookups;
        std::vector<Found> found;
        std::vector<Posting> recalled;
        std::vector<Posting> survivors;
        std::vector<std::uint8_t> settled;  // whether their checks are sure of them
        BitVector seen;                     // interfaces, where one can be found twice
        FoundIds output;

        std::span<Value> taken() { return {values.data(), count}; }
        std::span<const Value> taken() const { return {values.data(), count}; }
        std::size_t bytes() const;
    };
    static constexpr std::size_t rows = 4;

    std::array<Row, rows> rows_;
    RecentNames names_;
    std::vector<NameId> ids_;           // of the attributes' names
    std::vector<std::size_t> by_type_;  // their numbers, when they have to be put in order
    PatternSet patterns_;
    std::vector<PatternMemo> pattern_memos_;
    ValueMemo memo_;
    Trace trace_;
};

}  // namespace penstock
