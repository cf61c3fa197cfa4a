// The multi-operator string index: one extended ternary search trie per name serves every string operator.
//
// Each constraint stands under its string, the key. A walk through the trie along the message's string passes
// partial-match nodes, which carry prefix and substring constraints, and may end at the complete match, which
// carries =, IN and suffix constraints and links into the two crown lists: the less-than constraints and the
// greater-than constraints in the order of their bounds. Where the walk ends without a complete match, it
// backtracks to the closest keys before and after. Walks from every further character find what remains,
// suffixes and substrings. LIKE and topic patterns stand under a literal that they must contain, and are
// verified when it is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/key_table.hpp"
#include "penstock/run.hpp"
#include "penstock/ternary_trie.hpp"
#include "penstock/vocabulary.hpp"

namespace penstock {

// How a key must lie in the text for the constraint under it to hold.
enum class Relation : std::uint8_t {
    equal,
    prefix,
    suffix,
    substring
};

class StringIndex {
  public:
    // What to index, for one name. Keys are ranks in the key table.
    struct Hit {
        std::uint32_t key;
        Relation relation;
        bool verify;  // the constraint is a pattern: the key only makes it a candidate
        std::uint32_t number;
    };
    struct Bound {
        std::uint32_t key;
        bool strict;
    };
    struct Pattern {
        std::uint32_t number;
        bool topic;  // otherwise LIKE
        std::string text;
    };
    static constexpr std::uint32_t max_number = 1U << 29U;

    // Texts of all keys and all patterns (by number) come first, then one family after the other.
    void begin(std::span<const std::string_view> sorted_keys, std::vector<Pattern> patterns);
    // `hits` sorted by key; `uppers` and `lowers` in the order of their numbers. Returns the family's number.
    std::uint32_t add(const Layout& layout, std::span<const Hit> hits, std::span<const Bound> uppers,
                      std::span<const Bound> lowers);
    void end();

    std::uint32_t rank(std::string_view key) const { return keys_.find(key); }
    void match(std::uint32_t family, std::string_view text, Answer& answer) const;

    std::size_t bytes() const;
    std::size_t node_count() const { return trie_.size(); }

  private:
    // A key of one name. Entries of a name are consecutive and in key order.
    struct Entry {
        std::uint32_t key;
        std::uint32_t hits;   // first of its hits; they end where the next entry's begin
        std::uint32_t upper;  // the first upper whose bound is this key or a later one; flag: it is `< key`
        std::uint32_t
            lower;  // one past the last lower whose bound is this key or an earlier one; flag: `> key`
    };
    static constexpr std::uint32_t strict_flag = 1U << 31U;

    struct Family {
        Layout layout;
        TernaryTrie::Link root;
        std::uint32_t empty;  // the entry of the empty key, which no trie can hold
        std::uint32_t
            inner;  // bytes of the shortest suffix or substring: how far walks must start from the end
    };

    static constexpr std::uint32_t no_inner = UINT32_MAX;

    std::uint32_t add_entries(const Layout& layout, std::span<const Hit> hits, std::span<const Bound> uppers,
                              std::span<const Bound> lowers);
    void follow_order(const Family& family, std::string_view text, const TernaryTrie::Stop& stop,
                      Answer& answer) const;
    void add_hits(const Family& family, std::uint32_t entry, unsigned relations, std::string_view text,
                  Answer& answer) const;
    bool pattern_holds(std::uint32_t number, std::string_view text) const;
    auto text_of() const {
        return [this](std::uint32_t entry) { return keys_.at(entries_[entry].key); };
    }

    KeyTable keys_;
    std::vector<Pattern> patterns_;
    TernaryTrie trie_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> hits_;  // relation (2 bits), verify (1 bit), constraint number (29 bits)
    std::vector<Family> families_;
};

}  // namespace penstock
