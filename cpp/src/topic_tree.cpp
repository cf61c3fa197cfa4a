#include "penstock/topic_tree.hpp"

#include <string>
#include <utility>

#include "penstock/error.hpp"

namespace penstock {

const TopicTree::Edge* TopicTree::find(const Key& key) const {
    return edges_.find(hash(key.from, key.value), [&](const Edge& edge) {
        return edge.from == key.from + 1 && edge.value == key.value;
    });
}

TopicTree::Edge* TopicTree::find(const Key& key) {
    return const_cast<Edge*>(std::as_const(*this).find(key));
}

TopicTree::Value TopicTree::value_of(const TopicLevels& levels, std::size_t level) const {
    if (levels.is_wildcard(level)) return wildcard;
    const StringPool::Id id = values_.find(levels[level]);
    return id == StringPool::none ? unknown : id;
}

PatternId TopicTree::find(const TopicPatterns&, const TopicLevels& pattern) const {
    Node node = root;
    for (std::size_t level = 0;; ++level) {
        const Edge* const edge = find({node, value_of(pattern, level)});
        if (edge == nullptr) return no_pattern;
        if (level + 1 == pattern.size()) return edge->pattern;
        if (edge->to == none) return no_pattern;
        node = edge->to;
    }
}

TopicTree::Node TopicTree::open_node() {
    if (free_ == none) {
        if (nodes_.size() >= unknown) throw CapacityError("a tree of topics holds at most 4 billion nodes");
        if (nodes_.empty()) nodes_.push_back(0);  // the root, which is never pruned
        nodes_.push_back(0);
        ++living_;
        return static_cast<Node>(nodes_.size() - 1);
    }
    const Node node = free_;
    free_ = std::exchange(nodes_[node], 0);
    ++living_;
    return node;
}

TopicTree::Edge* TopicTree::open_edge(const TopicLevels& pattern, std::size_t level, Node from) {
    const bool any = pattern.is_wildcard(level);
    const Value value = any ? wildcard : values_.acquire(pattern[level]);
    try {
        Edge* const edge = edges_.insert(hash(from, value), {.from = from + 1, .value = value}, hash_of);
        if (from != root) ++nodes_[from];
        return edge;
    } catch (...) {
        if (!any) values_.release(value);
        throw;
    }
}

// Edges are counted at the end, so that an attempt that fails can be taken back by pruning.
void TopicTree::add(const TopicPatterns&, const TopicLevels& pattern, PatternId id) {
    Path path;
    std::size_t done = 0;
    try {
        for (Node node = root; done < pattern.size();) {
            Edge* edge = find({node, value_of(pattern, done)});
            if (edge == nullptr) edge = open_edge(pattern, done, node);
            path[done++] = {node, edge->value};
            if (done < pattern.size() && edge->to == none) edge->to = open_node();
            node = edge->to;
        }
    } catch (...) {
        prune(path, done);
        throw;
    }
    for (std::size_t level = 0; level < done; ++level) ++find(path[level])->references;
    find(path[done - 1])->pattern = id;
}

void TopicTree::remove(const TopicPatterns&, const TopicLevels& pattern, PatternId) noexcept {
    Path path;
    Node node = root;
    Edge* edge = nullptr;
    for (std::size_t level = 0; level < pattern.size(); ++level) {
        path[level] = {node, value_of(pattern, level)};
        edge = find(path[level]);
        --edge->references;
        node = edge->to;
    }
    edge->pattern = no_pattern;
    prune(path, pattern.size());
}

// From the last edge of the path up, as long as nothing is reached through it; a node goes with its last
// edge.
void TopicTree::prune(const Path& path, std::size_t size) {
    while (size > 0) {
        const Key& key = path[--size];
        Edge* const edge = find(key);
        if (edge->to != none && nodes_[edge->to] == 0) {
            nodes_[edge->to] = std::exchange(free_, edge->to);
            edge->to = none;
            --living_;
        }
        if (edge->references > 0) return;
        edges_.erase(edge, hash_of);
        if (key.value != wildcard) values_.release(key.value);
        if (key.from != root) --nodes_[key.from];
    }
}

void TopicTree::match(const TopicPatterns&, const TopicLevels& topic, TopicScratch& scratch) const {
    std::array<Value, most_topic_levels> values;
    for (std::size_t level = 0; level < topic.size(); ++level) values[level] = value_of(topic, level);
    walk(values, topic.size(), 0, root, scratch.found);
}

// The edge of the topic's value, and that of the wildcard.
void TopicTree::walk(const std::array<Value, most_topic_levels>& values, std::size_t size, std::size_t level,
                     Node node, std::vector<PatternId>& found) const {
    for (const Value value : {values[level], wildcard}) {
        if (value == unknown) continue;
        const Edge* const edge = find({node, value});
        if (edge == nullptr) continue;
        if (edge->pattern != no_pattern) found.push_back(edge->pattern);
        if (edge->to != none && level + 1 < size) walk(values, size, level + 1, edge->to, found);
    }
}

void TopicTree::shrink() {
    values_.shrink();
    edges_.shrink();
    nodes_.shrink();
}

}  // namespace penstock
