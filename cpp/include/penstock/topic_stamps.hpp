// When answers went out of date: a number for each first level, which no pattern leaves open, so that a
// change of a pattern concerns only topics that begin as it does.
//
// First levels share numbers by their hash: an answer may be thought out of date that is not, never the other
// way round. Numbers are read without waiting for anybody; a change counts up before it is over.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "penstock/topic_levels.hpp"

namespace penstock {

class TopicStamps {
  public:
    // Of a topic, or of what may turn out to be none.
    std::uint64_t of(std::string_view topic) const {
        return changes_[place(topic)].load(std::memory_order_acquire);
    }
    void change(std::string_view pattern) {
        changes_[place(pattern)].fetch_add(1, std::memory_order_release);
    }

  private:
    static constexpr std::size_t count = 1024;
    static std::size_t place(std::string_view text) {
        return hash_level(text.substr(0, text.find('/')), 0) % count;
    }

    std::array<std::atomic<std::uint64_t>, count> changes_{};
};

}  // namespace penstock
