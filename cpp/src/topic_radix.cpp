// Changes of the default index of topics.
#include "penstock/topic_radix.hpp"

#include <algorithm>
#include <array>

#include "penstock/error.hpp"

namespace penstock {

TopicRadix::Holder TopicRadix::step(std::uint32_t node, const TopicLevels& pattern, std::size_t level) const {
    if (pattern.is_wildcard(level)) return {node, 0, static_cast<std::uint32_t>(node + any_at)};
    const Symbol symbol = symbol_of(pattern[level]);
    const std::uint32_t* const words = blocks_.at(node);
    if (!is_far(words)) {
        const std::uint32_t* const symbols = words + head;
        const auto at = std::find(symbols, symbols + size_of(words), symbol) - symbols;
        if (at < size_of(words))
            return {node, symbol, static_cast<std::uint32_t>(node + head + room_of(words) + at)};
    }
    return {node, symbol, 0};
}

TopicRadix::Link TopicRadix::get(const Holder& holder) const {
    if (holder.node == 0) return root_;
    if (holder.word != 0) return *blocks_.at(holder.word);
    if (!is_far(blocks_.at(holder.node))) return nothing;
    const Far* const far = find_far(holder.node, holder.symbol);
    return far == nullptr ? nothing : far->link;
}

// Of a link that is there, or is the one for any level.
void TopicRadix::set(const Holder& holder, Link link) {
    if (holder.node == 0) {
        root_ = link;
    } else if (holder.word != 0) {
        *blocks_.at(holder.word) = link;
    } else {
        far_.find(mix(holder.node, holder.symbol),
                  [&](const Far& far) { return far.node == holder.node && far.symbol == holder.symbol; })
            ->link = link;
    }
}

void TopicRadix::erase(const Holder& holder) {
    if (holder.node == 0 || holder.word == holder.node + any_at) return set(holder, nothing);
    std::uint32_t* const words = blocks_.at(holder.node);
    if (is_far(words)) {
        far_.erase(find_far(holder.node, holder.symbol), hash_of);
        --words[head];
        return;
    }
    const std::uint32_t last = --words[0] & UINT16_MAX;
    std::uint32_t* const links = words + head + room_of(words);
    const auto at = static_cast<std::uint32_t>(blocks_.at(holder.word) - links);
    words[head + at] = words[head + last];
    links[at] = links[last];
}

std::uint32_t TopicRadix::new_node(std::uint32_t room) {
    const std::size_t words = words_for(room);
    std::uint32_t node = blocks_.allocate(words);
    if (node == 0)
        node = blocks_.allocate(words);  // the first place stays unused: far children mean nothing by it
    if (node >= pattern_flag) {
        blocks_.release(node, words);
        throw CapacityError("the index of topics would exceed 8 GiB");
    }
    std::uint32_t* const block = blocks_.at(node);
    block[0] = room << 16U;
    block[any_at] = nothing;
    block[end_at] = no_pattern;
    if (room == far_room) block[head] = 0;
    ++nodes_;
    return node;
}

void TopicRadix::free_node(std::uint32_t node) {
    blocks_.release(node, words_for(room_of(blocks_.at(node))));
    --nodes_;
}

// Whether the index cannot tell the two apart.
bool TopicRadix::alike(const TopicPatterns& patterns, PatternId id, const TopicLevels& pattern) const {
    if (patterns.shape(id) != pattern.shape()) return false;
    const TopicLevels other = TopicLevels::canonical(patterns.text(id));
    for (std::size_t level = 0; level < pattern.size(); ++level) {
        if (symbol_of(other[level]) != symbol_of(pattern[level])) return false;
    }
    return true;
}

// A node for a pattern that is alone no longer, where it and its chain have their place.
std::uint32_t TopicRadix::split(const TopicPatterns& patterns, PatternId id, std::size_t level) {
    const TopicLevels levels = TopicLevels::canonical(patterns.text(id));
    const std::uint32_t node = new_node(1);
    std::uint32_t* const words = blocks_.at(node);
    if (levels.size() == level) {
        words[end_at] = id;
    } else if (levels.is_wildcard(level)) {
        words[any_at] = id | pattern_flag;
    } else {
        ++words[0];
        words[head] = symbol_of(levels[level]);
        words[head + 1] = id | pattern_flag;
    }
    return node;
}

void TopicRadix::add(TopicPatterns& patterns, const TopicLevels& pattern, PatternId id) {
    const Link self = id | pattern_flag;
    Holder holder;
    if (root_ == nothing) return set(holder, self);
    for (std::size_t level = 0;; ++level) {
        Link link = get(holder);
        if (is_pattern(link)) {
            if (alike(patterns, link & ~pattern_flag, pattern)) {
                patterns.set_next(id, link & ~pattern_flag);
                return set(holder, self);
            }
            link = split(patterns, link & ~pattern_flag, level);
            set(holder, link);
        }
        if (level == pattern.size()) {
            std::uint32_t& end = blocks_.at(link)[end_at];
            patterns.set_next(id, end);
            end = id;
            return;
        }
        const Holder next = step(link, pattern, level);
        if (get(next) == nothing) {
            return pattern.is_wildcard(level) ? set(next, self) : add_child(holder, next.symbol, self);
        }
        holder = next;
    }
}

void TopicRadix::add_child(const Holder& holder, Symbol symbol, Link link) {
    std::uint32_t node = get(holder);
    if (const std::uint32_t* const words = blocks_.at(node);
        !is_far(words) && size_of(words) == room_of(words)) {
        const std::uint32_t wider = size_of(words) < most_near ? widen(node) : move_far(node);
        set(holder, wider);
        free_node(node);
        node = wider;
    }
    std::uint32_t* const words = blocks_.at(node);
    if (is_far(words)) {
        far_.insert(mix(node, symbol), {node, symbol, link}, hash_of);
        ++words[head];
    } else {
        const std::uint32_t size = words[0]++ & UINT16_MAX;
        words[head + size] = symbol;
        words[head + room_of(words) + size] = link;
    }
}

// A copy with more room.
std::uint32_t TopicRadix::widen(std::uint32_t node) {
    const std::uint32_t size = size_of(blocks_.at(node));
    const std::size_t wanted = Arena::room(words_for(size + 1 + size / 4));
    const auto room = std::min(static_cast<std::uint32_t>((wanted - head) / 2), most_near);
    const std::uint32_t wider = new_node(room);
    const std::uint32_t* const from = blocks_.at(node);
    std::uint32_t* const to = blocks_.at(wider);
    to[0] = room << 16U | size;
    to[any_at] = from[any_at];
    to[end_at] = from[end_at];
    std::copy_n(from + head, size, to + head);
    std::copy_n(from + head + room_of(from), size, to + head + room);
    return wider;
}

// A copy that has its children in the hash table.
std::uint32_t TopicRadix::move_far(std::uint32_t node) {
    const std::uint32_t far = new_node(far_room);
    const std::uint32_t* const from = blocks_.at(node);
    std::uint32_t* const to = blocks_.at(far);
    const std::uint32_t size = size_of(from);
    try {
        for (; to[head] < size; ++to[head]) {
            const std::uint32_t at = to[head];
            const Symbol symbol = from[head + at];
            far_.insert(mix(far, symbol), {far, symbol, from[head + room_of(from) + at]}, hash_of);
        }
    } catch (...) {
        while (to[head] > 0) far_.erase(find_far(far, from[head + --to[head]]), hash_of);
        free_node(far);
        throw;
    }
    to[any_at] = from[any_at];
    to[end_at] = from[end_at];
    return far;
}

void TopicRadix::remove(TopicPatterns& patterns, const TopicLevels& pattern, PatternId id) noexcept {
    // The rest of a chain without the pattern.
    const auto without = [&](PatternId first) {
        if (first == id) return patterns.next(id);
        PatternId before = first;
        while (patterns.next(before) != id) before = patterns.next(before);
        patterns.set_next(before, patterns.next(id));
        return first;
    };
    std::array<Holder, most_topic_levels + 1> path;
    std::size_t level = 0;
    Link link = root_;
    while (!is_pattern(link) && level < pattern.size()) {
        const Holder next = step(link, pattern, level);
        path[++level] = next;
        link = get(next);
    }
    if (is_pattern(link)) {
        const PatternId rest = without(link & ~pattern_flag);
        if (rest != no_pattern) return set(path[level], rest | pattern_flag);
        erase(path[level]);
        if (level == 0) return;
        --level;
    } else {
        std::uint32_t& end = blocks_.at(link)[end_at];
        end = without(end);
    }
    while (collapse(path[level]) && level > 0) --level;
}

// A node with a single pattern left gives it its own place; one with nothing left gives that up.
bool TopicRadix::collapse(const Holder& holder) {
    const std::uint32_t node = get(holder);
    const std::uint32_t* const words = blocks_.at(node);
    const std::uint32_t size = size_of(words);
    Link left = nothing;
    if (size + (words[any_at] != nothing) + (words[end_at] != no_pattern) > 1) return false;
    if (words[end_at] != no_pattern) {
        left = words[end_at] | pattern_flag;
    } else if (words[any_at] != nothing) {
        left = words[any_at];
    } else if (size == 1) {
        if (is_far(words)) return false;  // it cannot say which; the last to leave closes it
        left = words[head + room_of(words)];
    }
    if (left == nothing) {
        erase(holder);
    } else {
        if (!is_pattern(left)) return false;
        set(holder, left);
    }
    free_node(node);
    return true;
}

}  // namespace penstock
