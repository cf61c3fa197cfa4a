#include "penstock/string_index.hpp"

#include <algorithm>

#include "penstock/pattern.hpp"
#include "penstock/utf8.hpp"

namespace penstock {

namespace {

constexpr std::uint32_t number_mask = StringIndex::max_number - 1;

constexpr unsigned mask(Relation relation) {
    return 1U << static_cast<unsigned>(relation);
}

std::uint32_t encode(const StringIndex::Hit& hit) {
    return static_cast<std::uint32_t>(hit.relation) << 30U | static_cast<std::uint32_t>(hit.verify) << 29U |
           hit.number;
}

}  // namespace

void StringIndex::begin(std::span<const std::string_view> sorted_keys, std::vector<Pattern> patterns) {
    keys_.build(sorted_keys);
    patterns_ = std::move(patterns);
}

std::uint32_t StringIndex::add(const Layout& layout, std::span<const Hit> hits, std::span<const Bound> uppers,
                               std::span<const Bound> lowers) {
    const auto first = static_cast<std::uint32_t>(entries_.size());
    const std::uint32_t last = add_entries(layout, hits, uppers, lowers);
    Family family{layout, TernaryTrie::none, TernaryTrie::no_key, no_inner};
    const bool has_empty = first < last && keys_.at(entries_[first].key).empty();
    if (has_empty) family.empty = first;
    family.root = trie_.build(first + (has_empty ? 1 : 0), last, text_of());
    for (const Hit& hit : hits) {
        if (hit.relation < Relation::suffix) continue;
        family.inner = std::min(family.inner, static_cast<std::uint32_t>(keys_.at(hit.key).size()));
    }
    families_.push_back(family);
    return static_cast<std::uint32_t>(families_.size() - 1);
}

// Merges the keys of hits and bounds into one ascending list of entries; returns where it ends.
std::uint32_t StringIndex::add_entries(const Layout& layout, std::span<const Hit> hits,
                                       std::span<const Bound> uppers, std::span<const Bound> lowers) {
    std::size_t hit = 0;
    std::size_t upper = 0;
    std::size_t lower = 0;
    while (hit < hits.size() || upper < uppers.size() || lower < lowers.size()) {
        std::uint32_t key = KeyTable::none;
        if (hit < hits.size()) key = hits[hit].key;
        if (upper < uppers.size()) key = std::min(key, uppers[upper].key);
        if (lower < lowers.size()) key = std::min(key, lowers[lower].key);
        Entry entry{key, static_cast<std::uint32_t>(hits_.size()), 0, 0};
        for (; hit < hits.size() && hits[hit].key == key; ++hit) hits_.push_back(encode(hits[hit]));
        entry.upper = layout.uppers + static_cast<std::uint32_t>(upper);
        for (; upper < uppers.size() && uppers[upper].key == key; ++upper) {
            if (uppers[upper].strict) entry.upper |= strict_flag;
        }
        bool strict = false;
        for (; lower < lowers.size() && lowers[lower].key == key; ++lower) strict = lowers[lower].strict;
        entry.lower = (layout.lowers + static_cast<std::uint32_t>(lower)) | (strict ? strict_flag : 0);
        entries_.push_back(entry);
    }
    return static_cast<std::uint32_t>(entries_.size());
}

void StringIndex::end() {
    entries_.push_back({KeyTable::none, static_cast<std::uint32_t>(hits_.size()), 0, 0});
    entries_.shrink_to_fit();
    hits_.shrink_to_fit();
    trie_.shrink();
}

void StringIndex::match(std::uint32_t number, std::string_view text, Answer& answer) const {
    const Family& family = families_[number];
    if (family.empty != TernaryTrie::no_key) {  // '' starts, ends and lies within everything
        add_hits(family, family.empty, text.empty() ? 15U : 15U & ~mask(Relation::equal), text, answer);
    }
    const TernaryTrie::Stop stop =
        trie_.walk(family.root, text, text_of(), [&](std::uint32_t entry, std::size_t end) {
            add_hits(family, entry,
                     end == text.size() ? 15U : mask(Relation::prefix) | mask(Relation::substring), text,
                     answer);
        });
    follow_order(family, text, stop, answer);
    if (family.inner != no_inner) {
        for (std::size_t at = 1; at + family.inner <= text.size(); ++at) {
            if (at == text.size() || is_continuation(text[at])) continue;
            const std::string_view rest = text.substr(at);
            trie_.walk(family.root, rest, text_of(), [&](std::uint32_t entry, std::size_t end) {
                const unsigned suffix = end == rest.size() ? mask(Relation::suffix) : 0;
                add_hits(family, entry, suffix | mask(Relation::substring), text, answer);
            });
        }
    }
    for (const std::uint32_t constraint : answer.once) answer.seen.reset(constraint);
    answer.once.clear();
    answer.add_exclusions(family.layout);
}

// Jumps onto the crown lists: at the complete match, or at its closest neighbours on either side.
void StringIndex::follow_order(const Family& family, std::string_view text, const TernaryTrie::Stop& stop,
                               Answer& answer) const {
    const Layout& layout = family.layout;
    if (layout.uppers == layout.exclusions) return;
    const std::uint32_t exact = text.empty() ? family.empty : stop.exact;
    if (exact != TernaryTrie::no_key) {
        const Entry& entry = entries_[exact];
        const std::uint32_t upper = entry.upper & ~strict_flag;
        const std::uint32_t lower = entry.lower & ~strict_flag;
        answer.add((entry.upper & strict_flag) != 0 ? upper + 1 : upper, layout.lowers);
        answer.add(layout.lowers, (entry.lower & strict_flag) != 0 ? lower - 1 : lower);
        return;
    }
    if (const auto after = trie_.closest_after(stop); after != TernaryTrie::no_key) {
        answer.add(entries_[after].upper & ~strict_flag, layout.lowers);
    }
    auto before = trie_.closest_before(stop);
    if (before == TernaryTrie::no_key && !text.empty()) before = family.empty;
    if (before != TernaryTrie::no_key) answer.add(layout.lowers, entries_[before].lower & ~strict_flag);
}

void StringIndex::add_hits(const Family& family, std::uint32_t entry, unsigned relations,
                           std::string_view text, Answer& answer) const {
    for (std::uint32_t at = entries_[entry].hits; at < entries_[entry + 1].hits; ++at) {
        const std::uint32_t hit = hits_[at];
        const auto relation = static_cast<Relation>(hit >> 30U);
        if ((relations & mask(relation)) == 0) continue;
        const std::uint32_t number = hit & number_mask;
        if (relation == Relation::substring) {  // may lie in the text more than once
            if (answer.seen.test(number)) continue;
            answer.seen.set(number);
            answer.once.push_back(number);
        }
        if ((hit >> 29U & 1U) != 0 && !pattern_holds(number, text)) continue;
        answer.add(number, family.layout);
    }
}

bool StringIndex::pattern_holds(std::uint32_t number, std::string_view text) const {
    const auto found = std::ranges::lower_bound(patterns_, number, {}, &Pattern::number);
    return found->topic ? topic_matches(found->text, text) : like_matches(found->text, text);
}

std::size_t StringIndex::bytes() const {
    std::size_t total = keys_.bytes() + trie_.bytes() + entries_.capacity() * sizeof(Entry) +
                        hits_.capacity() * sizeof(hits_[0]) + families_.capacity() * sizeof(Family) +
                        patterns_.capacity() * sizeof(Pattern);
    for (const Pattern& pattern : patterns_) total += pattern.text.capacity();
    return total;
}

}  // namespace penstock
