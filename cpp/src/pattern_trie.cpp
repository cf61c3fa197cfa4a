#include "penstock/pattern_trie.hpp"

namespace penstock {

std::uint32_t PatternTrie::add_node() {
    if (free_ != none) {
        const std::uint32_t node = free_;
        free_ = nodes_[node].pattern;
        nodes_[node] = {StringPool::none, 0, 0};
        return node;
    }
    nodes_.push_back({StringPool::none, 0, 0});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

bool PatternTrie::add(std::string_view text, StringPool::Id pattern) {
    std::array<std::uint32_t, max_bytes> path{};
    std::size_t depth = 0;
    try {
        for (; depth < text.size(); ++depth) {
            const auto byte = static_cast<std::uint8_t>(text[depth]);
            std::uint32_t node = depth == 0 ? root_[byte] : child(path[depth - 1], byte);
            if (node == none) {
                if (free_ == none && nodes_.size() == max_nodes) {
                    prune(text, path, depth);
                    return false;
                }
                node = add_node();
                if (depth == 0) {
                    root_[byte] = node;
                } else {
                    const std::uint32_t from = edge_of(path[depth - 1], byte);
                    try {
                        table_.insert(hash_of(from), Edge{from, node},
                                      [&](const Edge& edge) { return hash_of(edge.from); });
                    } catch (...) {
                        nodes_[node] = {free_, 0, 0};
                        free_ = node;
                        throw;
                    }
                    ++nodes_[path[depth - 1]].children;
                }
            }
            path[depth] = node;
        }
    } catch (...) {
        prune(text, path, depth);
        throw;
    }
    Node& last = nodes_[path[depth - 1]];
    if (last.uses == 0) {
        ++size_;
        ++version_;
    }
    ++last.uses;
    last.pattern = pattern;
    return true;
}

void PatternTrie::remove(std::string_view text) {
    std::array<std::uint32_t, max_bytes> path{};
    for (std::size_t depth = 0; depth < text.size(); ++depth) {
        const auto byte = static_cast<std::uint8_t>(text[depth]);
        path[depth] = depth == 0 ? root_[byte] : child(path[depth - 1], byte);
    }
    Node& last = nodes_[path[text.size() - 1]];
    if (--last.uses > 0) return;
    last.pattern = StringPool::none;
    --size_;
    ++version_;
    prune(text, path, text.size());
}

// Takes away what leads to no pattern, from the end of the path up.
void PatternTrie::prune(std::string_view text, std::array<std::uint32_t, max_bytes>& path,
                        std::size_t depth) {
    for (; depth > 0; --depth) {
        const std::uint32_t node = path[depth - 1];
        if (nodes_[node].uses > 0 || nodes_[node].children > 0) return;
        const auto byte = static_cast<std::uint8_t>(text[depth - 1]);
        if (depth == 1) {
            root_[byte] = none;
        } else {
            const std::uint32_t from = edge_of(path[depth - 2], byte);
            const Edge* const edge =
                table_.find(hash_of(from), [from](const Edge& other) { return other.from == from; });
            table_.erase(edge, [&](const Edge& other) { return hash_of(other.from); });
            --nodes_[path[depth - 2]].children;
        }
        nodes_[node] = {free_, 0, 0};
        free_ = node;
    }
}

}  // namespace penstock
