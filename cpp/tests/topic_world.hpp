// Random topics and patterns over so few levels that they meet all the time.
#pragma once

#include <string>
#include <vector>

#include "small_world.hpp"

namespace penstock {

class TopicWorld : public SmallWorld {
  public:
    using SmallWorld::SmallWorld;

    std::string topic(std::size_t most_levels = 5) {
        std::string text = level();
        for (std::size_t n = below(most_levels); n > 0; --n) text += '/' + level();
        return text;
    }
    std::string pattern(std::size_t most_levels = 5) {
        std::string text = level();
        for (std::size_t n = below(most_levels); n > 0; --n) text += '/' + (below(3) == 0 ? "*" : level());
        return text;
    }

  private:
    // Of every length that is read in a way of its own.
    std::string level() {
        static const std::vector<std::string> levels = {
            "a", "b", "a*", "**", "ab", "abc", "pressure", "pressures", "é", "a level of its own"};
        return levels[below(below(3) == 0 ? levels.size() : 3)];
    }
};

}  // namespace penstock
