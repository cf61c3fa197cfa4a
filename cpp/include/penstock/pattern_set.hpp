// The patterns in a text, each once, with all that is true of it.
//
// A text has few patterns, which are compared one by one, or hundreds: then there is a hash table of their
// positions, which is emptied by moving on in time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/string_pool.hpp"

namespace penstock {

class PatternSet {
  public:
    struct Pattern {
        StringPool::Id text;
        std::uint32_t relations;  // a bit for each
    };

    void clear() { patterns_.clear(); }
    void insert(StringPool::Id text, std::uint32_t relations) {
        if (patterns_.size() > few) return insert_among_many(text, relations);
        for (Pattern& pattern : patterns_) {
            if (pattern.text == text) {
                pattern.relations |= relations;
                return;
            }
        }
        patterns_.push_back({text, relations});
        if (patterns_.size() > few) index();
    }
    std::span<const Pattern> patterns() const { return patterns_; }
    std::size_t bytes() const {
        return slots_.capacity() * sizeof(Slot) + patterns_.capacity() * sizeof(Pattern);
    }

  private:
    struct Slot {
        std::uint32_t time = 0;  // never, at first
        std::uint32_t at = 0;
    };
    static constexpr std::size_t few = 12;

    void insert_among_many(StringPool::Id text, std::uint32_t relations) {
        Slot& slot = find(text);
        if (slot.time == time_) {
            patterns_[slot.at].relations |= relations;
            return;
        }
        slot = {time_, static_cast<std::uint32_t>(patterns_.size())};
        patterns_.push_back({text, relations});
        if (2 * patterns_.size() > slots_.size()) index();
    }
    // Of the text, or the free one where it belongs.
    Slot& find(StringPool::Id text) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = text * std::size_t{0x9E3779B97F4A7C15U} >> 40U;; ++at) {
            Slot& slot = slots_[at & mask];
            if (slot.time != time_ || patterns_[slot.at].text == text) return slot;
        }
    }
    void index() {
        const std::size_t least = std::max<std::size_t>(256, std::bit_ceil(4 * patterns_.size()));
        if (slots_.size() < least || ++time_ == 0) {
            slots_.assign(std::max(least, slots_.size()), {});
            time_ = 1;
        }
        for (std::uint32_t i = 0; i < patterns_.size(); ++i) find(patterns_[i].text) = {time_, i};
    }

    std::vector<Slot> slots_;
    std::uint32_t time_ = 0;
    std::vector<Pattern> patterns_;
};

}  // namespace penstock
