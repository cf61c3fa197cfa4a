// The default index of topics: a trie that ends where a pattern is alone.
//
//     A ─┬─ B ─── [A/B/*/x/y]            a link leads to a node, or to a pattern that shares no more with any
//        └─ * ─┬─ B ─── [A/*/B]          other: its remaining levels are compared at once
//              └─ C ─── [A/*/C/D]
//
// A level is known by 32 bits of its hash, so a topic needs no dictionary of levels; what is found is
// compared with the text, and patterns that the bits cannot tell apart form a chain. Nodes with few children
// hold them side by side, those of nodes with many are in one hash table: no update takes long.
//
// (Levels as interned ids would make the trie exact, but every level of every topic had to be looked up, and
// most topics leave the trie early. There is no cache of results either: it would help topics that come again
// soon, at the cost of all others, of memory in each thread, and of telling it about every change.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "penstock/arena.hpp"
#include "penstock/hash_table.hpp"
#include "penstock/topic_patterns.hpp"
#include "penstock/topic_scratch.hpp"

namespace penstock {

class TopicRadix {
  public:
    // Fewer bits of a hash make chains, for tests.
    explicit TopicRadix(std::uint32_t symbol_bits = UINT32_MAX) : symbol_bits_(symbol_bits) {}

    PatternId find(const TopicPatterns& patterns, const TopicLevels& pattern) const;
    // Throws when there is no more memory; then it may hold a node more than it needs, and no more patterns.
    void add(TopicPatterns& patterns, const TopicLevels& pattern, PatternId id);
    void remove(TopicPatterns& patterns, const TopicLevels& pattern, PatternId id) noexcept;
    // Appends the patterns that match to scratch.found.
    void match(const TopicPatterns& patterns, const TopicLevels& topic, TopicScratch& scratch) const;

    std::size_t nodes() const { return nodes_; }
    std::size_t bytes() const { return blocks_.bytes() + far_.bytes(); }
    void shrink() {
        blocks_.shrink();
        far_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        blocks_.archive(archive);
        far_.archive(archive);
        archive(root_);
        archive(nodes_);
        archive(seed_);
        archive(symbol_bits_);
    }

  private:
    using Symbol = std::uint32_t;
    // A node by its place, or a pattern with a flag.
    using Link = std::uint32_t;
    static constexpr Link nothing = UINT32_MAX;
    static constexpr Link pattern_flag = 1U << 31U;
    static bool is_pattern(Link link) { return (link & pattern_flag) != 0; }

    // The words of a node: its children and how many it has room for, in halves; the link for any level; the
    // pattern that ends here; the symbols of the children, and then their links. A node with many children
    // has their number in the place of their symbols.
    static constexpr std::size_t any_at = 1;
    static constexpr std::size_t end_at = 2;
    static constexpr std::size_t head = 3;
    static constexpr std::uint32_t most_near = 12;
    static constexpr std::uint32_t far_room = UINT16_MAX;
    static std::uint32_t room_of(const std::uint32_t* node) { return node[0] >> 16U; }
    static bool is_far(const std::uint32_t* node) { return room_of(node) == far_room; }
    static std::uint32_t size_of(const std::uint32_t* node) {
        return is_far(node) ? node[head] : node[0] & UINT16_MAX;
    }
    static std::size_t words_for(std::uint32_t room) {
        return head + (room == far_room ? 1 : 2 * std::size_t{room});
    }

    struct Far {
        std::uint32_t node = 0;  // no node lies at 0
        Symbol symbol = 0;
        Link link = 0;
        bool is_nothing() const { return node == 0; }
    };

    // Where a link is stored: in the root, in a word of a node, or with a far child.
    struct Holder {
        std::uint32_t node = 0;  // 0: it is the root
        Symbol symbol = 0;
        std::uint32_t word = 0;  // 0: among the far children
    };

    Symbol symbol_of(std::string_view level) const {
        return static_cast<Symbol>(hash_level(level, seed_) >> 32U) & symbol_bits_;
    }
    static std::uint64_t hash_of(const Far& far) { return mix(far.node, far.symbol); }
    const Far* find_far(std::uint32_t node, Symbol symbol) const {
        return far_.find(mix(node, symbol),
                         [&](const Far& far) { return far.node == node && far.symbol == symbol; });
    }
    Link child(const std::uint32_t* words, std::uint32_t node, Symbol symbol) const;

    // Where the node has, or would have, its link for a level of the pattern.
    Holder step(std::uint32_t node, const TopicLevels& pattern, std::size_t level) const;
    Link get(const Holder& holder) const;
    void set(const Holder& holder, Link link);
    void erase(const Holder& holder);
    bool collapse(const Holder& holder);

    bool alike(const TopicPatterns& patterns, PatternId id, const TopicLevels& pattern) const;
    std::uint32_t new_node(std::uint32_t room);
    void free_node(std::uint32_t node);
    std::uint32_t split(const TopicPatterns& patterns, PatternId id, std::size_t level);
    void add_child(const Holder& holder, Symbol symbol, Link link);
    std::uint32_t widen(std::uint32_t node);
    std::uint32_t move_far(std::uint32_t node);

    Arena blocks_;
    HashTable<Far, 3> far_;
    Link root_ = nothing;
    std::uint64_t nodes_ = 0;
    std::uint64_t seed_ = hash_seed;
    Symbol symbol_bits_;
};

}  // namespace penstock
