// Finding patterns in the default index of topics: level by level, so that the nodes of one level are on
// their way from memory at the same time.
#include <bit>
#include <utility>

#include "penstock/topic_radix.hpp"

namespace penstock {

inline TopicRadix::Link TopicRadix::child(const std::uint32_t* words, std::uint32_t node,
                                          Symbol symbol) const {
    if (is_far(words)) {
        const Far* const far = find_far(node, symbol);
        return far == nullptr ? nothing : far->link;
    }
    const std::uint32_t size = words[0] & UINT16_MAX;
    const std::uint32_t* const symbols = words + head;
    const std::uint32_t* const links = symbols + room_of(words);
    Link link = nothing;
    for (std::uint32_t i = 0; i < size; ++i) link = symbols[i] == symbol ? links[i] : link;
    return link;
}

void TopicRadix::match(const TopicPatterns& patterns, const TopicLevels& topic, TopicScratch& scratch) const {
    auto& [here, below, candidates, found, seen] = scratch;
    const auto follow = [&](Link link) {
        if (link == nothing) return;
        if (is_pattern(link)) {
            patterns.prefetch(link & ~pattern_flag);
            candidates.push_back(link & ~pattern_flag);
        } else {
            __builtin_prefetch(blocks_.at(link));
            below.push_back(link);
        }
    };
    candidates.clear();
    below.clear();
    follow(root_);
    for (std::size_t level = 0; !below.empty(); ++level) {
        std::swap(here, below);
        below.clear();
        const bool more = level < topic.size();
        const Symbol symbol = more ? symbol_of(topic[level]) : 0;
        for (const std::uint32_t node : here) {
            const std::uint32_t* const words = blocks_.at(node);
            if (words[end_at] != no_pattern) candidates.push_back(words[end_at]);
            if (!more) continue;
            follow(words[any_at]);
            follow(child(words, node, symbol));
        }
    }
    for (PatternId id : candidates) {
        for (; id != no_pattern; id = patterns.next(id)) {
            if (patterns.matches(id, topic)) found.push_back(id);
        }
    }
}

PatternId TopicRadix::find(const TopicPatterns& patterns, const TopicLevels& pattern) const {
    Link link = root_;
    for (std::size_t level = 0; link != nothing; ++level) {
        if (is_pattern(link)) {
            link &= ~pattern_flag;
            break;
        }
        const std::uint32_t* const words = blocks_.at(link);
        if (level == pattern.size()) {
            link = words[end_at];
            break;
        }
        link = pattern.is_wildcard(level) ? words[any_at] : child(words, link, symbol_of(pattern[level]));
    }
    while (link != no_pattern && !patterns.is(link, pattern)) link = patterns.next(link);
    return link;
}

}  // namespace penstock
