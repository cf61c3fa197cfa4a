#include "penstock/ternary_trie.hpp"

namespace penstock {

// Keys that end at a node precede those that go on below it.
TernaryTrie::Link TernaryTrie::lowest(Link link) const {
    while (!is_tail(link)) {
        const Node& node = nodes_[link];
        if (node.is_stem()) {
            link = node.equal;
        } else if (node.less != none) {
            link = node.less;
        } else {
            link = node.key != no_key ? tail(node.key) : node.equal;
        }
    }
    return link;
}

TernaryTrie::Link TernaryTrie::highest(Link link) const {
    while (!is_tail(link)) {
        const Node& node = nodes_[link];
        if (node.is_stem()) {
            link = node.equal;
        } else if (node.greater != none) {
            link = node.greater;
        } else {
            link = node.equal != none ? node.equal : tail(node.key);
        }
    }
    return link;
}

TernaryTrie::Key TernaryTrie::closest_before(const Stop& stop) const {
    return stop.before == none ? no_key : key_of(highest(stop.before));
}

TernaryTrie::Key TernaryTrie::closest_after(const Stop& stop) const {
    return stop.after == none ? no_key : key_of(lowest(stop.after));
}

}  // namespace penstock
