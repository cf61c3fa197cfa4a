// Filters that may match: sifted by the checks beside their postings, read where these cannot tell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "access_grams.hpp"
#include "access_lookup.hpp"
#include "access_output.hpp"
#include "access_reading.hpp"
#include "penstock/access_scratch.hpp"

namespace penstock {

class AccessCandidates {
  public:
    using Row = AccessEngine::Scratch::Row;

    AccessCandidates(const AccessEngine& engine, AccessEngine::Trace& trace, Row& row, AccessOutput& output)
        : engine_(engine),
          catalogue_(engine.catalogue_),
          filters_(engine.catalogue_.filters()),
          trace_(trace),
          row_(row),
          output_(output) {}

    static bool is_related(const Posting& posting, std::uint32_t relations) {
        return (relations >> posting.checks[0].mark() & 1U) != 0;
    }
    static auto related_by(std::uint32_t relations) {
        return [relations](const Posting& posting) { return is_related(posting, relations); };
    }

    // Each considers some, and settles what has survived when there is much of it; false if every interface
    // is found.
    bool consider(std::span<const Posting> postings) {
        trace_.candidates += postings.size();
        make_room(postings.size());
        consider_each(postings, [](const Posting&) { return true; });
        return survivors_ < block() || judge();
    }
    bool consider(const Stretches<Posting>& stretches) {
        trace_.candidates += stretches.total();
        make_room(stretches.total());
        for (const std::span<const Posting> part : stretches.parts()) {
            consider_each(part, [](const Posting&) { return true; });
            if (survivors_ >= block() && !judge()) return false;
        }
        return true;
    }
    // Of those that stand in one of these relations to their key.
    bool consider(std::span<const Posting> postings, std::uint32_t relations) {
        trace_.candidates += postings.size();
        make_room(postings.size());
        if (!is_worth_searching(postings)) {
            consider_each(postings, relations);
            return survivors_ < block() || judge();
        }
        while (!postings.empty()) {
            auto stretch = postings.first(std::min(postings.size(), KeyIndex::stretch));
            postings = postings.subspan(stretch.size());
            while (!stretch.empty()) {
                const std::size_t least = std::min(stretch.size(), block());
                stretch = stretch.subspan(consider_sorted(stretch, least, relations));
                if (survivors_ >= block() && !judge()) return false;
            }
        }
        return true;
    }
    // Of a value with that hash: all but those that exclude it match.
    void consider_exclusions(std::span<const Posting> postings, std::uint32_t hash) {
        make_room(postings.size());
        output_.make_place(postings.size());
        for (const Posting& posting : postings) {
            if (posting.excluded_hash() != hash) {
                output_.emit(posting.target);
            } else {
                row_.survivors[survivors_++] = {posting.excluding_filter()};
            }
        }
    }

    // One whose constraints hold, if not sure then perhaps; and so many, until it is time to settle them.
    void add(FilterId filter, bool sure) {
        make_room(1);
        row_.survivors[survivors_++] = Posting{filter}.made_complete(sure);
    }
    bool are_many() const { return survivors_ >= block(); }

    // Of the survivors, keeps those that pass their other checks too, notes which are settled by that, and
    // asks memory for them.
    void sift() {
        if (row_.settled.size() < survivors_) row_.settled.resize(row_.survivors.size());
        const bool are_many = survivors_ > few && ask_for_grams();
        if (are_many) keep_if(AccessGrams(row_).of_all_texts(engine_));
        keep_passing();
        if (!are_many && ask_for_grams()) keep_with_grams();
    }
    // Settles those that were sifted, first the ones that need not be read. False if every interface is
    // found.
    bool settle() {
        trace_.judged += survivors_;
        Posting* const survivors = row_.survivors.data();
        std::uint8_t* const settled = row_.settled.data();
        std::size_t left = 0;
        output_.emit_many(survivors_, [&](const auto& emit_if) {
            for (std::size_t i = 0; i < survivors_; ++i) {
                const FilterId filter = survivors[i].target;
                const Owner owner = filters_.owner(filter);
                const bool is_settled = (settled[i] != 0) & !OwnerGroups::is_group(owner);
                emit_if(is_settled, is_settled ? owner : 0);
                survivors[left].target = filter;
                settled[left] = settled[i];
                left += is_settled ? 0 : 1;
            }
        });
        output_.make_place(left);
        for (std::size_t i = 0; i < left; ++i) read(survivors[i].target, settled[i] != 0);
        survivors_ = 0;
        return !output_.has_all();
    }

    bool judge() {
        sift();
        return settle();
    }

  private:
    // What the message's attributes say to checks. A copy of it stays at hand in a loop that writes.
    struct Answers {
        const Acceptance* const* by_name;

        const Acceptance::Answer& to(Check check) const { return by_name[check.name()]->answer(check); }
        bool pass(Check check) const { return to(check).passes(check); }
    };
    Answers answers() const { return {row_.answers.data()}; }

    // So many survivors are judged at a time: soon, where that may be the end of it.
    std::size_t block() const { return output_.is_for_few() ? 64 : 1024; }
    // Before so many are considered.
    void make_room(std::size_t more) {
        if (row_.survivors.size() < survivors_ + more) grow(more);
    }
    [[gnu::noinline]] void grow(std::size_t more) { row_.survivors.resize(survivors_ + more + more / 2); }
    // Precondition: there is room for all.
    void consider_each(std::span<const Posting> postings, std::uint32_t relations) {
        if (relations == AccessLookup::any_relation) {
            consider_each(postings, [](const Posting&) { return true; });
        } else {
            consider_each(postings, related_by(relations));
        }
    }
    template <class IsRelated>
    void consider_each(std::span<const Posting> postings, const IsRelated& is_related) {
        const Answers answers = this->answers();
        Posting* end = row_.survivors.data() + survivors_;
#pragma GCC unroll 4
        for (const Posting& posting : postings) {
            *end = posting;
            end = is_related(posting) & answers.pass(posting.checks[0]) ? end + 1 : end;
        }
        survivors_ = static_cast<std::size_t>(end - row_.survivors.data());
    }
    static bool is_worth_searching(std::span<const Posting> postings) {
        const auto all_ask_alike = [&] {
            return postings.front().checks[0].question() == postings.back().checks[0].question();
        };
        return postings.size() >= many || (postings.size() >= several && all_ask_alike());
    }
    // Considers the first ones, at least so many of them, and returns how many: where a question comes often,
    // those that do not pass are passed over. Precondition: they are sorted by their checks from that one on,
    // and there is room for all.
    template <std::size_t At = 0>
    std::size_t consider_sorted(std::span<const Posting> postings, std::size_t least,
                                std::uint32_t relations) {
        std::size_t at = 0;
        while (at < least) {
            const Check check = postings[at].checks[At];
            const std::size_t further = at + often - 1;
            if (further >= postings.size() || postings[further].checks[At].question() != check.question()) {
                const std::size_t end = std::min(at + often, postings.size());
                consider_each(postings.subspan(at, end - at), relations);
                at = end;
                continue;
            }
            auto same = postings.subspan(at);
            const std::uint32_t start = check.question() * Check::codes;
            if (same.back().checks[At].question() != check.question())
                same = same.first(count_before<At>(same, start + Check::codes));
            consider_alike<At>(same, relations);
            at += same.size();
        }
        return at;
    }
    // Those that have the same question there.
    template <std::size_t At>
    void consider_alike(std::span<const Posting> same, std::uint32_t relations) {
        const Check check = same[0].checks[At];
        const CodeRange passing = answers().to(check).passing();
        if (passing.count == 0) return;
        if constexpr (At == 0) {
            if (check.asks_for_another()) {
                consider_sorted<1>(same, same.size(), relations);
                return;
            }
        }
        // Most often none pass, or all from the first or to the last one do.
        const auto count_below = [&](std::uint32_t code) {
            if (code <= check.code()) return std::size_t{0};
            if (code > same.back().checks[At].code()) return same.size();
            return count_before<At>(same, check.question() * Check::codes + code);
        };
        const std::size_t first = count_below(passing.first);
        const std::size_t last = count_below(passing.first + passing.count);
        const auto found = same.subspan(first, last - first);
        if constexpr (At == 0) {
            keep_by_next(found, relations);
        } else {
            keep(found, relations);
        }
    }
    // Those that pass: where many have the very same check, those that pass the next one lie together too.
    void keep_by_next(std::span<const Posting> passing, std::uint32_t relations) {
        while (!passing.empty()) {
            const std::uint32_t order = passing[0].checks[0].order();
            std::size_t count = std::min(passing.size(), often_alike);
            if (count < often_alike || passing[count - 1].checks[0].order() != order) {
                keep(passing.first(count), relations);
            } else {
                count = count_before<0>(passing, order + 1);
                consider_sorted<1>(passing.first(count), count, relations);
            }
            passing = passing.subspan(count);
        }
    }
    void keep(std::span<const Posting> passing, std::uint32_t relations) {
        for (const Posting& posting : passing) {
            row_.survivors[survivors_] = posting;
            survivors_ += is_related(posting, relations) ? 1 : 0;
        }
    }
    // Without branches, which nobody could foretell. Precondition: there are some, and they are sorted.
    template <std::size_t At>
    static std::size_t count_before(std::span<const Posting> sorted, std::uint32_t order) {
        const auto is_before = [&](std::size_t at) {
            return sorted[at].checks[At].order() < order ? 1U : 0U;
        };
        std::size_t first = 0;
        for (std::size_t left = sorted.size(); left > 1;) {
            const std::size_t half = left / 2;
            first += half * is_before(first + half - 1);
            left -= half;
        }
        return first + is_before(first);
    }

    // Of the survivors; here and below without a branch.
    template <class Passes>
    void keep_if(const Passes& passes) {
        Posting* const survivors = row_.survivors.data();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < survivors_; ++i) {
            const Posting posting = survivors[i];
            survivors[kept] = posting;
            kept += passes(posting) ? 1 : 0;
        }
        survivors_ = kept;
    }
    // Those that pass their other checks; notes which are settled by that.
    void keep_passing() {
        const Answers answers = this->answers();
        Posting* const survivors = row_.survivors.data();
        std::uint8_t* const settled = row_.settled.data();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < survivors_; ++i) {
            const Posting posting = survivors[i];
            filters_.prefetch(posting.target);
            const auto [first, second, third] = posting.checks;
            const Acceptance::Answer to_second = answers.to(second);
            const Acceptance::Answer to_third = answers.to(third);
            survivors[kept] = posting;
            settled[kept] = posting.is_complete() & answers.to(first).is_sure(first) &
                            to_second.is_sure(second) & to_third.is_sure(third);
            kept += to_second.passes(second) & to_third.passes(third) ? 1 : 0;
        }
        survivors_ = kept;
    }
    void keep_with_grams() {
        const AccessGrams grams(row_);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < survivors_; ++i) {
            if (!grams.has(row_.survivors[i])) continue;
            row_.survivors[kept] = row_.survivors[i];
            row_.settled[kept++] = row_.settled[i];
        }
        survivors_ = kept;
    }
    bool ask_for_grams() const {
        return std::ranges::any_of(std::span(row_.survivors).first(survivors_), &Posting::asks_for_grams);
    }
    // Precondition: there is a place for each of the survivors.
    void read(FilterId filter, bool is_settled) {
        const Owner owner = filters_.owner(filter);
        const bool is_group = OwnerGroups::is_group(owner);
        if (!is_group && output_.has(owner)) return;
        if (!is_settled && !AccessReading(filters_, row_).matches(filter)) return;
        if (!is_group) return output_.emit(owner);
        output_.emit_all(catalogue_.groups().members(owner));
        output_.make_place(survivors_);
    }

    static constexpr std::size_t many = 32;         // so many postings are worth a search
    static constexpr std::size_t several = 12;      // so many are if all have the same question
    static constexpr std::size_t often = 8;         // so many with the same question are searched
    static constexpr std::size_t few = 128;         // so many survivors are asked for grams one by one
    static constexpr std::size_t often_alike = 16;  // so many with the same check are searched by the next

    const AccessEngine& engine_;
    const Catalogue& catalogue_;
    const FilterStore& filters_;
    AccessEngine::Trace& trace_;
    Row& row_;
    AccessOutput& output_;
    std::size_t survivors_ = 0;
};

}  // namespace penstock
