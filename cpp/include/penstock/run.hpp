// How an index answers: runs of consecutive constraint numbers.
//
// An index numbers its constraints so that those which hold together lie together: all less-than constraints
// of a name in the order of their bounds, then all greater-than ones, then the exclusions (!=, NOT IN, ...),
// which hold for every value but those that veto them. So a lookup yields few runs, each walked from end to
// end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "penstock/bit_vector.hpp"

namespace penstock {

struct Run {
    std::uint32_t first;
    std::uint32_t last;  // one past the end
};

// The numbers of one name and type: [plain | uppers | lowers | exclusions).
struct Layout {
    std::uint32_t uppers = 0;      // < and <=, by bound
    std::uint32_t lowers = 0;      // > and >=, by bound
    std::uint32_t exclusions = 0;  // the negated operators
    std::uint32_t end = 0;
};

// What a lookup works with; kept by the caller so that lookups allocate nothing once warm.
struct Answer {
    std::vector<Run> runs;
    std::vector<std::uint32_t> vetoes;  // exclusions that do not hold
    std::vector<std::uint32_t> once;    // constraints marked in `seen`
    BitVector seen;

    void add(std::uint32_t first, std::uint32_t last) {
        if (first < last) runs.push_back({first, last});
    }
    // A constraint found through its key: it holds, or, if it excludes the key, is vetoed.
    void add(std::uint32_t number, const Layout& layout) {
        if (number < layout.exclusions) {
            runs.push_back({number, number + 1});
        } else {
            vetoes.push_back(number);
        }
    }
    // All exclusions but the vetoed ones.
    void add_exclusions(const Layout& layout) {
        std::uint32_t first = layout.exclusions;
        std::sort(vetoes.begin(), vetoes.end());
        for (const std::uint32_t veto : vetoes) {
            add(first, veto);
            first = veto + 1;
        }
        add(first, layout.end);
        vetoes.clear();
    }
};

}  // namespace penstock
