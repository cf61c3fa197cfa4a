// No index at all: patterns are kept, one for each subscription, for somebody else to match.
#pragma once

#include <cstddef>

#include "penstock/topic_patterns.hpp"

namespace penstock {

class TopicOutside {
  public:
    PatternId find(const TopicPatterns&, const TopicLevels&) const { return no_pattern; }
    void add(const TopicPatterns&, const TopicLevels&, PatternId) {}
    void remove(const TopicPatterns&, const TopicLevels&, PatternId) noexcept {}

    std::size_t bytes() const { return 0; }
    void shrink() {}
    template <class Archive>
    void archive(Archive&) {}
};

}  // namespace penstock
