// Which of the known patterns does a text contain? A trie that changes in place.
//
// Patterns are strings of a pool, of at most `max_bytes`; each is counted as often as it is added. A walk
// from every position of the text finds them all. Failure links would save walks, but cannot be kept under
// changes; walks are short, since texts soon leave the trie, and never longer than a pattern.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "penstock/hash_table.hpp"
#include "penstock/string_pool.hpp"

namespace penstock {

class PatternTrie {
  public:
    static constexpr std::size_t max_bytes = 32;

    PatternTrie() { root_.fill(none); }

    // Precondition: one to max_bytes bytes. False, and nothing is changed, when the trie is full.
    bool add(std::string_view text, StringPool::Id pattern);
    void remove(std::string_view text);

    // Calls visit(pattern, begin, end) for each place of the text where a pattern lies.
    template <class Visit>
    void search(std::string_view text, Visit&& visit) const {
        for (std::size_t begin = 0; begin < text.size(); ++begin) search_at(begin, text, visit);
    }
    // The same for patterns that begin at one place. Precondition: the text is longer than that.
    template <class Visit>
    void search_at(std::size_t begin, std::string_view text, Visit&& visit) const {
        if (size_ == 0) return;
        std::uint32_t node = root_[static_cast<std::uint8_t>(text[begin])];
        for (std::size_t end = begin + 1; node != none; ++end) {
            if (nodes_[node].pattern != StringPool::none) visit(nodes_[node].pattern, begin, end);
            if (end == text.size() || nodes_[node].children == 0) break;
            node = child(node, static_cast<std::uint8_t>(text[end]));
        }
    }

    std::size_t size() const { return size_; }          // distinct patterns
    std::uint64_t version() const { return version_; }  // another one whenever the patterns change
    std::size_t bytes() const { return nodes_.bytes() + table_.bytes(); }
    template <class Archive>
    void archive(Archive& archive) {
        archive(nodes_);
        table_.archive(archive);
        archive(root_);
        archive(free_);
        archive(size_);
        archive(seed_);
    }

  private:
    struct Node {
        StringPool::Id pattern;  // that ends here, or none; of a dead node: the next free one
        std::uint32_t uses;      // of the pattern
        std::uint32_t children;
    };
    struct Edge {
        std::uint32_t from = 0;  // a node and a byte; never zero
        std::uint32_t to = 0;

        bool is_nothing() const { return from == 0; }
    };
    static constexpr std::uint32_t none = UINT32_MAX;
    static constexpr std::uint32_t max_nodes = (1U << 24U) - 1;

    static std::uint32_t edge_of(std::uint32_t node, std::uint8_t byte) { return (node + 1) << 8U | byte; }
    std::uint64_t hash_of(std::uint32_t edge) const { return mix(edge, seed_); }
    std::uint32_t child(std::uint32_t node, std::uint8_t byte) const {
        const std::uint32_t from = edge_of(node, byte);
        const Edge* const edge =
            table_.find_at_once(hash_of(from), [from](const Edge& other) { return other.from == from; });
        return edge == nullptr ? none : edge->to;
    }
    std::uint32_t add_node();
    void prune(std::string_view text, std::array<std::uint32_t, max_bytes>& path, std::size_t depth);

    Column<Node> nodes_;
    HashTable<Edge, 3> table_;
    std::array<std::uint32_t, 256> root_;  // the first byte, without a search
    std::uint32_t free_ = none;
    std::uint64_t size_ = 0;
    std::uint64_t version_ = 0;
    std::uint64_t seed_ = hash_seed;
};

}  // namespace penstock
