#include "penstock/topic_hash.hpp"

#include <algorithm>
#include <array>

namespace penstock {

std::uint64_t TopicHash::hash_of(const TopicLevels& pattern) const {
    std::uint64_t hash = start;
    for (std::size_t level = 0; level < pattern.size(); ++level)
        hash = extend(hash, pattern.is_wildcard(level) ? wildcard : hash_level(pattern[level], seed_));
    return hash;
}

PatternId TopicHash::find(const TopicPatterns& patterns, const TopicLevels& pattern) const {
    const std::uint32_t half = upper(hash_of(pattern));
    const Key* const key = keys_.find(std::uint64_t{half} << 32U, [&](const Key& other) {
        return other.hash == half && patterns.is(other.id(), pattern);
    });
    return key == nullptr ? no_pattern : key->id();
}

void TopicHash::add(const TopicPatterns&, const TopicLevels& pattern, PatternId id) {
    const StringPool::Id first = firsts_.acquire(pattern[0]);
    try {
        const std::size_t needed = std::size_t{firsts_.bound()} * stride_;
        if (counts_.size() < needed) counts_.resize(needed);
        const Key key{id + 1, upper(hash_of(pattern))};
        keys_.insert(hash_of(key), key, [](const Key& other) { return hash_of(other); });
    } catch (...) {
        firsts_.release(first);
        throw;
    }
    count(pattern, first, 1);
}

void TopicHash::remove(const TopicPatterns&, const TopicLevels& pattern, PatternId id) noexcept {
    const StringPool::Id first = firsts_.find(pattern[0]);
    const Key sought{id + 1, upper(hash_of(pattern))};
    const Key* const key =
        keys_.find(hash_of(sought), [&](const Key& other) { return other.pattern == sought.pattern; });
    keys_.erase(key, [](const Key& other) { return hash_of(other); });
    count(pattern, first, UINT32_MAX);
    firsts_.release(first);
}

// Counts of a first level that is gone are zero, as those of a new one must be.
void TopicHash::count(const TopicLevels& pattern, StringPool::Id first, std::uint32_t change) {
    std::uint32_t* const of_first = counts(first);
    of_first[0] += change;
    for (std::size_t level = 1; level < pattern.size(); ++level) {
        if (pattern.is_wildcard(level)) of_first[level] += change;
    }
}

// One match. Keys are constructed depth first, so that they need no memory however many they are.
class TopicHash::Lookup {
  public:
    Lookup(const TopicHash& table, const TopicPatterns& patterns, const TopicLevels& topic,
           std::vector<PatternId>& found)
        : table_(table), patterns_(patterns), topic_(topic), found_(found) {
        for (std::size_t level = 0; level < topic.size(); ++level)
            hashes_[level] = hash_level(topic[level], table.seed_);
    }

    void run(const std::uint32_t* counts) {
        for (std::size_t level = 1; level < topic_.size(); ++level)
            wildcards_ |= static_cast<std::uint32_t>(counts[level] > 0) << level;
        extend_key(start, 0, 0);
    }

  private:
    // A key never ends in a wildcard: those were removed on entry.
    void extend_key(std::uint64_t hash, std::uint32_t chosen, std::size_t level) {
        const std::uint64_t longer = extend(hash, hashes_[level]);
        const bool last = level + 1 == topic_.size();
        probe(longer, chosen | 2U << level);
        if (last) return;
        extend_key(longer, chosen, level + 1);
        if (((wildcards_ >> level) & 1U) != 0)
            extend_key(extend(hash, wildcard), chosen | 1U << level, level + 1);
    }

    void probe(std::uint64_t hash, std::uint32_t shape) {
        const std::uint32_t half = upper(hash);
        const Key* const key = table_.keys_.find(std::uint64_t{half} << 32U, [&](const Key& other) {
            return other.hash == half && patterns_.shape(other.id()) == shape &&
                   patterns_.matches(other.id(), topic_);
        });
        if (key != nullptr) found_.push_back(key->id());
    }

    const TopicHash& table_;
    const TopicPatterns& patterns_;
    const TopicLevels& topic_;
    std::vector<PatternId>& found_;
    std::array<std::uint64_t, most_topic_levels> hashes_;
    std::uint32_t wildcards_ = 0;  // levels at which some pattern has one
};

void TopicHash::match(const TopicPatterns& patterns, const TopicLevels& topic, TopicScratch& scratch) const {
    const StringPool::Id first = firsts_.find(topic[0]);
    if (first == StringPool::none) return;
    Lookup(*this, patterns, topic, scratch.found).run(counts_.data() + std::size_t{first} * stride_);
}

void TopicHash::shrink() {
    keys_.shrink();
    firsts_.shrink();
    counts_.shrink();
}

}  // namespace penstock
