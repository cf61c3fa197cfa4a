// The tree of the streams paper (section 3.1): each level of a pattern is an edge <tag, value>.
//
// The tag is the depth of the node that an edge leaves from; the wildcard is a value like any other. An edge
// that a pattern ends with holds its destinations, and an edge that nothing continues leads to no node. Each
// edge counts the patterns that are reached through it; removal lowers the counts from the root down, then
// prunes from the last edge up, as far as counts are zero.
//
// Edges of all nodes lie in one hash table, by node and value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "penstock/hash_table.hpp"
#include "penstock/string_pool.hpp"
#include "penstock/topic_patterns.hpp"
#include "penstock/topic_scratch.hpp"

namespace penstock {

class TopicTree {
  public:
    PatternId find(const TopicPatterns& patterns, const TopicLevels& pattern) const;
    void add(const TopicPatterns& patterns, const TopicLevels& pattern, PatternId id);
    void remove(const TopicPatterns& patterns, const TopicLevels& pattern, PatternId id) noexcept;
    void match(const TopicPatterns& patterns, const TopicLevels& topic, TopicScratch& scratch) const;

    std::size_t nodes() const { return 1 + living_; }  // with the root
    std::size_t edges() const { return edges_.size(); }
    std::size_t bytes() const { return values_.bytes() + edges_.bytes() + nodes_.bytes(); }
    void shrink();
    template <class Archive>
    void archive(Archive& archive) {
        values_.archive(archive);
        edges_.archive(archive);
        archive(nodes_);
        archive(free_);
        archive(living_);
    }

  private:
    using Node = std::uint32_t;
    using Value = std::uint32_t;
    static constexpr Node root = 0;
    static constexpr Node none = UINT32_MAX;
    static constexpr Value wildcard = StringPool::none;
    static constexpr Value unknown = StringPool::none - 1;  // on no edge

    struct Edge {
        std::uint32_t from = 0;  // one more than the node
        Value value = 0;
        std::uint32_t references = 0;
        PatternId pattern = no_pattern;
        Node to = none;
        bool is_nothing() const { return from == 0; }
    };
    struct Key {
        Node from;
        Value value;
    };
    using Path = std::array<Key, most_topic_levels>;

    static std::uint64_t hash(Node from, Value value) { return mix(from + 1, value); }
    static std::uint64_t hash_of(const Edge& edge) { return mix(edge.from, edge.value); }
    const Edge* find(const Key& key) const;
    Edge* find(const Key& key);
    Value value_of(const TopicLevels& pattern, std::size_t level) const;
    Node open_node();
    Edge* open_edge(const TopicLevels& pattern, std::size_t level, Node from);
    void prune(const Path& path, std::size_t size);
    void walk(const std::array<Value, most_topic_levels>& values, std::size_t size, std::size_t level,
              Node node, std::vector<PatternId>& found) const;

    StringPool values_;
    HashTable<Edge, 4> edges_;
    Column<std::uint32_t> nodes_;  // how many edges leave each but the root; of a free one: the next free
    Node free_ = none;
    std::uint64_t living_ = 0;
};

}  // namespace penstock
