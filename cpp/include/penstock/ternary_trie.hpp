// Ternary search tries over sorted keys, many in one arena: names, and the skeleton of the string index.
//
// A node holds one byte and three links: to keys that are smaller here, that go on after this byte, and that
// are greater here. A link leads to a node or, once a single key is left, straight to that key, whose
// remaining bytes are compared in one go: most keys of a large table differ early and end in such a tail.
// Bytes that several keys have in common are compared in one go as well, by a stem: otherwise two keys of
// 64 KiB that differ in their last byte would make every walk as long as they are.
// Keys are numbered in their (byte) order, so neighbours in the trie are neighbours by number.
//
//            m                keys: 0 "man", 1 "me", 2 "men", 3 "to"
//          / | \              (a) 'm' -> 'e' is a partial match that continues; "me" ends at 'e'
//         -  e  "to"          (b) "man" and "men" are tails
//          / | \.
//     "man" "men" -
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace penstock {

class TernaryTrie {
  public:
    using Key = std::uint32_t;
    using Link = std::uint32_t;
    static constexpr Link none = UINT32_MAX;
    static constexpr Key no_key = UINT32_MAX;

    // Where a walk came to an end, for finding the neighbours of a text that is not a key.
    struct Stop {
        Key exact = no_key;  // the key that equals the text
        Link before = none;  // the subtrie (or key) next below the text, if the walk passed one
        Link after = none;   // the subtrie (or key) next above it
    };

    // Adds a trie of the keys [first, last), whose texts `text_of` gives in ascending order, none empty.
    template <class TextOf>
    Link build(Key first, Key last, TextOf&& text_of);

    // Follows `text` from its start. Calls on_key(key, end) for each key that is a prefix of the text, where
    // `end` is the key's length: a partial match, or the complete one when end == text.size().
    template <class TextOf, class OnKey>
    Stop walk(Link root, std::string_view text, TextOf&& text_of, OnKey&& on_key) const;

    template <class TextOf>
    Key find(Link root, std::string_view text, TextOf&& text_of) const {
        return walk(root, text, text_of, [](Key, std::size_t) {}).exact;
    }

    // The two backtrack functions: from where a walk stopped to the closest key below or above the text.
    Key closest_before(const Stop& stop) const;
    Key closest_after(const Stop& stop) const;

    std::size_t bytes() const { return nodes_.capacity() * sizeof(Node); }
    std::size_t size() const { return nodes_.size(); }
    void shrink() { nodes_.shrink_to_fit(); }

  private:
    struct Node {
        Link less = none;
        Link equal = none;
        Link greater = none;
        Key key = no_key;  // the key that ends with this byte
        std::uint16_t byte = 0;

        // A stem has the links of another kind: how many bytes its keys share, one of those keys, and the
        // node that goes on.
        bool is_stem() const { return byte == stem_mark; }
        std::size_t shared() const { return less; }
        Key sample() const { return greater; }
    };
    static constexpr std::uint16_t stem_mark = 256;
    static constexpr std::size_t shortest_stem = 2;  // below, plain nodes are as good
    static constexpr Link tail_flag = 1U << 31U;
    static constexpr Link tail(Key key) { return key | tail_flag; }
    static constexpr bool is_tail(Link link) { return (link & tail_flag) != 0; }
    static constexpr Key key_of(Link link) { return link & ~tail_flag; }
    static unsigned char byte_at(std::string_view text, std::size_t at) {
        return static_cast<unsigned char>(text[at]);
    }

    // A range of keys, equal in their first `depth` bytes, that is still to be hung below a node.
    struct Task {
        Key first, last;
        std::size_t depth;
        Link parent;  // none: this is the root
        Link Node::* side;
    };

    // How many bytes from `depth` on all keys between the two share, leaving each at least one byte more.
    static std::size_t shared_bytes(std::string_view low, std::string_view high, std::size_t depth) {
        std::size_t at = depth;
        while (at + 1 < low.size() && at + 1 < high.size() && low[at] == high[at]) ++at;
        return at - depth;
    }
    template <class TextOf>
    void split(const Task& task, Link link, TextOf&& text_of, std::vector<Task>& tasks);

    Link lowest(Link link) const;
    Link highest(Link link) const;

    std::vector<Node> nodes_;
};

template <class TextOf>
TernaryTrie::Link TernaryTrie::build(Key first, Key last, TextOf&& text_of) {
    Link root = none;
    // An explicit stack, since keys may be as deep as they are long.
    std::vector<Task> tasks{{first, last, 0, none, &Node::equal}};
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        if (task.first == task.last) continue;
        Link link = tail(task.first);
        if (task.last - task.first > 1) {
            link = static_cast<Link>(nodes_.size());
            nodes_.emplace_back();
            const std::size_t shared = shared_bytes(text_of(task.first), text_of(task.last - 1), task.depth);
            if (shared >= shortest_stem) {
                nodes_.back() = {static_cast<Link>(shared), none, task.first, no_key, stem_mark};
                tasks.push_back({task.first, task.last, task.depth + shared, link, &Node::equal});
            } else {
                split(task, link, text_of, tasks);
            }
        }
        if (task.parent == none) {
            root = link;
        } else {
            nodes_[task.parent].*task.side = link;
        }
    }
    return root;
}

// Makes a plain node of the range's median byte, which balances the search, and leaves the three parts to do.
template <class TextOf>
void TernaryTrie::split(const Task& task, Link link, TextOf&& text_of, std::vector<Task>& tasks) {
    const unsigned char byte = byte_at(text_of(task.first + (task.last - task.first) / 2), task.depth);
    const auto boundary = [&](auto&& below) {
        Key low = task.first;
        Key high = task.last;
        while (low < high) {
            const Key middle = low + (high - low) / 2;
            if (below(byte_at(text_of(middle), task.depth))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    };
    const Key begin = boundary([&](unsigned char other) { return other < byte; });
    const Key end = boundary([&](unsigned char other) { return other <= byte; });
    const bool ends_here = text_of(begin).size() == task.depth + 1;
    nodes_[link].byte = byte;
    if (ends_here) nodes_[link].key = begin;
    tasks.push_back({end, task.last, task.depth, link, &Node::greater});
    tasks.push_back({begin + (ends_here ? 1 : 0), end, task.depth + 1, link, &Node::equal});
    tasks.push_back({task.first, begin, task.depth, link, &Node::less});
}

template <class TextOf, class OnKey>
TernaryTrie::Stop TernaryTrie::walk(Link root, std::string_view text, TextOf&& text_of,
                                    OnKey&& on_key) const {
    Stop stop;
    Link link = root;
    std::size_t at = 0;
    while (link != none && !is_tail(link)) {
        if (at == text.size()) {  // every key in here goes on where the text ends
            stop.after = link;
            return stop;
        }
        const Node& node = nodes_[link];
        if (node.is_stem()) {
            const std::string_view rest = text.substr(at);
            const std::string_view stem = text_of(node.sample()).substr(at, node.shared());
            if (!rest.starts_with(stem)) {  // all keys in here lie on the same side of the text
                (rest < stem ? stop.after : stop.before) = link;
                return stop;
            }
            at += node.shared();
            link = node.equal;
            continue;
        }
        const unsigned char byte = byte_at(text, at);
        if (byte == node.byte) {
            if (node.less != none) stop.before = node.less;
            if (node.greater != none) stop.after = node.greater;
            ++at;
            if (node.key != no_key) {
                on_key(node.key, at);
                if (at == text.size()) {
                    stop.exact = node.key;
                    return stop;
                }
                stop.before = tail(node.key);
            }
            link = node.equal;
        } else if (byte < node.byte) {
            stop.after = node.key != no_key ? tail(node.key) : node.equal;
            link = node.less;
        } else {
            stop.before = node.equal != none ? node.equal : tail(node.key);
            link = node.greater;
        }
    }
    if (link == none) return stop;
    const Key key = key_of(link);
    const std::string_view key_text = text_of(key);
    if (text.substr(at).starts_with(key_text.substr(at))) {
        on_key(key, key_text.size());
        if (text.size() == key_text.size()) {
            stop.exact = key;
        } else {
            stop.before = link;
        }
    } else if (text < key_text) {
        stop.after = link;
    } else {
        stop.before = link;
    }
    return stop;
}

}  // namespace penstock
