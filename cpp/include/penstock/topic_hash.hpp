// The hash scheme of the streams paper (section 3.3): a pattern is itself the key that its destinations are
// found under, and a topic is looked up as every pattern that it could have been asked for by.
//
// For each first level there are counts of how many patterns have a wildcard at each level, so that only keys
// with wildcards at such levels are constructed: at most 2^(m-1) for a topic of m levels. Two things that the
// paper leaves open are done as they must be. The counts rise with a new pattern and fall with its last
// destination, not with each subscription; and every shorter prefix of the topic is looked up as well, since
// a pattern means everything below it.
//
// Keys are not put together as strings: a key's hash is made level by level, and its text is compared with
// the topic's own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "penstock/hash_table.hpp"
#include "penstock/string_pool.hpp"
#include "penstock/topic_patterns.hpp"
#include "penstock/topic_scratch.hpp"

namespace penstock {

class TopicHash {
  public:
    explicit TopicHash(std::size_t most_levels) : stride_(static_cast<std::uint32_t>(most_levels)) {}

    PatternId find(const TopicPatterns& patterns, const TopicLevels& pattern) const;
    void add(const TopicPatterns& patterns, const TopicLevels& pattern, PatternId id);
    void remove(const TopicPatterns& patterns, const TopicLevels& pattern, PatternId id) noexcept;
    void match(const TopicPatterns& patterns, const TopicLevels& topic, TopicScratch& scratch) const;

    std::size_t first_levels() const { return firsts_.size(); }
    std::size_t bytes() const { return keys_.bytes() + firsts_.bytes() + counts_.bytes(); }
    void shrink();
    template <class Archive>
    void archive(Archive& archive) {
        keys_.archive(archive);
        firsts_.archive(archive);
        archive(counts_);
        archive(stride_);
        archive(seed_);
    }

  private:
    struct Key {
        std::uint32_t pattern = 0;  // one more than the id
        std::uint32_t hash = 0;     // the upper half
        PatternId id() const { return pattern - 1; }
        bool is_nothing() const { return pattern == 0; }
    };
    static constexpr std::uint64_t start = 0;
    static constexpr std::uint64_t wildcard = 0x9E6C63D0876A9A99U;

    static std::uint64_t hash_of(const Key& key) { return std::uint64_t{key.hash} << 32U; }
    static std::uint32_t upper(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }
    static std::uint64_t extend(std::uint64_t hash, std::uint64_t level) { return mix(hash ^ level, 0); }
    std::uint64_t hash_of(const TopicLevels& pattern) const;
    std::uint32_t* counts(StringPool::Id first) { return counts_.data() + std::size_t{first} * stride_; }
    void count(const TopicLevels& pattern, StringPool::Id first, std::uint32_t change);

    class Lookup;

    HashTable<Key, 4> keys_;  // full to three quarters, as the paper's are
    StringPool firsts_;
    // For each first level: how many patterns start with it, and how many of them have a wildcard at each of
    // the further levels.
    Column<std::uint32_t> counts_;
    std::uint32_t stride_;
    std::uint64_t seed_ = hash_seed;
};

}  // namespace penstock
