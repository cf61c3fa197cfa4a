#include "penstock/ternary_trie.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "small_world.hpp"

namespace penstock {
namespace {

class Trie {
    auto text_of() const {
        return [this](std::uint32_t key) { return std::string_view(keys_[key]); };
    }

  public:
    explicit Trie(const std::set<std::string>& keys) : keys_(keys.begin(), keys.end()) {
        root_ = trie_.build(0, static_cast<std::uint32_t>(keys_.size()), text_of());
    }

    void check(const std::string& text) const {
        std::vector<std::string> prefixes;
        const auto stop = trie_.walk(root_, text, text_of(), [&](std::uint32_t key, std::size_t end) {
            EXPECT_EQ(end, keys_[key].size());
            prefixes.push_back(keys_[key]);
        });
        std::vector<std::string> want;
        for (const std::string& key : keys_) {
            if (text.starts_with(key)) want.push_back(key);
        }
        EXPECT_EQ(prefixes, want);

        const auto found = std::lower_bound(keys_.begin(), keys_.end(), text);
        if (found != keys_.end() && *found == text) {
            EXPECT_EQ(stop.exact, static_cast<std::uint32_t>(found - keys_.begin()));
            return;
        }
        const auto rank = static_cast<std::uint32_t>(found - keys_.begin());
        EXPECT_EQ(stop.exact, TernaryTrie::no_key);
        EXPECT_EQ(trie_.closest_after(stop), rank < keys_.size() ? rank : TernaryTrie::no_key) << text;
        EXPECT_EQ(trie_.closest_before(stop), rank > 0 ? rank - 1 : TernaryTrie::no_key) << text;
    }

  private:
    std::vector<std::string> keys_;
    TernaryTrie trie_;
    TernaryTrie::Link root_;
};

TEST(TernaryTrie, FindsPrefixesAndNeighboursOfAnyText) {
    SmallWorld world(3);
    for (int round = 0; round < 500; ++round) {
        std::set<std::string> keys;
        for (std::size_t n = world.below(12); n > 0; --n)
            keys.insert(world.text(round % 2 == 0 ? "ab" : "abcdefgh\xC3\xA9"));
        keys.erase("");
        const Trie trie(keys);
        trie.check("");
        for (const std::string& key : keys) trie.check(key);
        for (int n = 0; n < 40; ++n) trie.check(world.text(round % 2 == 0 ? "ab" : "abcdefgh\xC3\xA9"));
    }
}

TEST(TernaryTrie, ComparesWhatKeysShareInOneGo) {
    const Trie trie({"internal", "international", "internet", "interval", "in", "win"});
    for (const char* text : {"", "i", "in", "inter", "intern", "internal", "internation", "internationally",
                             "inu", "interz", "intera", "wi", "win", "winter", "a", "z"}) {
        trie.check(text);
    }
}

TEST(TernaryTrie, HoldsKeysAsDeepAsTheyAreLong) {
    const std::string deep(60000, 'a');
    const Trie trie({deep + "x", deep + "y", deep});
    trie.check(deep);
    trie.check(deep + "x");
    trie.check(deep + "xx");
    trie.check(deep + "0");
    trie.check("b");
}

}  // namespace
}  // namespace penstock
