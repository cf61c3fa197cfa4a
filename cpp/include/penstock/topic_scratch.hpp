// What a match of topics works with: one for each thread that is at it, so that nothing is allocated anew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/topic_patterns.hpp"

namespace penstock {

struct TopicScratch {
    std::vector<std::uint32_t> here;   // nodes of one level that the topic leads to
    std::vector<std::uint32_t> below;  // and of the next
    std::vector<PatternId> candidates;
    std::vector<PatternId> found;

    // Whether a destination is met for the first time since begin().
    class Seen {
      public:
        void begin(std::size_t destinations) {
            if (stamps_.size() < destinations) stamps_.resize(destinations);
            if (++now_ != 0) return;
            std::ranges::fill(stamps_, 0);
            now_ = 1;
        }
        bool is_new(DestinationId id) {
            if (stamps_[id] == now_) return false;
            stamps_[id] = now_;
            return true;
        }

      private:
        std::vector<std::uint32_t> stamps_;
        std::uint32_t now_ = 0;
    } seen;
};

}  // namespace penstock
