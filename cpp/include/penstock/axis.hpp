// Bounds in order: the postings of filters whose access constraint is <, <=, > or >=.
//
// An axis belongs to a name and a type. A value on it satisfies the upper bounds after its place and the
// lower ones before it. Bounds lie in chunks, each with those of a stretch of the axis: the four lists of
// upper and lower bounds, of candidates and sure filters, one after the other and each in order. All of them
// are searched at once, in one order of their briefs that says for each place how many of each list lie
// before it. Of the chunk that the value falls into a part of each list holds; of those before it all lower
// bounds, of those after it all upper ones. An axis of one chunk, as most are, has nothing above it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "penstock/arena.hpp"
#include "penstock/bounds.hpp"
#include "penstock/posting.hpp"

namespace penstock {

struct Axis {
    Arena::Place place = 0;  // of the chunk, or of the directory if there are several
    std::uint32_t chunks = 0;

    bool is_empty() const { return chunks == 0; }
};

class AxisIndex {
  public:
    enum class Side : std::uint8_t {
        upper,
        lower,
    };

    // Of sure postings only the target is kept. Nothing changes if memory runs out.
    void insert(Axis& axis, Side side, bool sure, const AxisPoint& point, const Posting& posting);
    void erase(Axis& axis, Side side, bool sure, const AxisPoint& point, std::uint32_t target) noexcept;

    // A search in steps, so that many can be under way while memory answers. Precondition: it is not empty.
    void prefetch(const Axis& axis) const { prefetch_block(axis.place); }
    std::uint32_t find_chunk(const Axis& axis, const AxisPoint& point) const;
    void prefetch(const Axis& axis, std::uint32_t chunk) const {
        if (axis.chunks == 1) return;
        prefetch_block(chunk_at(axis, chunk));
        if (axis.chunks > few_chunks) return;  // they would drive each other out
        const Chunk* const chunks = chunks_of(axis);
        for (std::uint32_t i = 0; i < axis.chunks; ++i) __builtin_prefetch(blocks_.at(chunks[i].place));
    }
    static constexpr std::uint32_t few_chunks = 64;
    static constexpr std::size_t lists = 4;
    using Counts = std::array<std::uint8_t, lists>;  // of each list
    struct Cut {
        std::uint32_t chunk;
        Arena::Place place;
        Counts at;  // how many lie before the point
    };
    Cut cut(const Axis& axis, std::uint32_t chunk, const AxisPoint& point) const;

    // What a match reads first of the candidates.
    void prefetch(const Cut& cut) const {
        const Posting* const first = lanes(cut.place).postings + cut.at[0];
        for (std::size_t line = 0; line < 4; ++line) __builtin_prefetch(first + 4 * line);
    }

    static constexpr std::uint32_t largest = 255;  // number of bounds in a chunk
    // Calls visit(stretch) with bounds that hold for a value there, until it returns false; then returns
    // false too: postings of candidates, targets of sure ones. Those of the chunk itself are one stretch: its
    // last upper bounds, then its first lower ones.
    template <bool sure, class Visit>
    bool for_each(const Axis& axis, const Cut& cut, Visit&& visit) const {
        constexpr std::size_t upper = list_of(Side::upper, sure);
        constexpr std::size_t lower = list_of(Side::lower, sure);
        const auto pass = [&](Arena::Place chunk, std::uint32_t first, std::uint32_t last) {
            return first == last || visit(std::span(of_kind<sure>(lanes(chunk)) + first, last - first));
        };
        const std::uint32_t end = std::uint32_t{header(cut.place).sizes[upper]} + cut.at[lower];
        if (!pass(cut.place, cut.at[upper], end)) return false;
        if (axis.chunks == 1) return true;
        const Chunk* const chunks = chunks_of(axis);
        for (std::uint32_t i = axis.chunks; --i > cut.chunk;) {
            if (!pass(chunks[i].place, 0, header(chunks[i].place).sizes[upper])) return false;
        }
        for (std::uint32_t i = 0; i < cut.chunk; ++i) {
            const Header& head = header(chunks[i].place);
            const std::uint32_t first = head.sizes[upper];
            if (!pass(chunks[i].place, first, first + head.sizes[lower])) return false;
        }
        return true;
    }

    // Calls visit(targets of sure ones, candidates) with all bounds that hold, chunk by chunk; either may be
    // empty.
    template <class Visit>
    void for_each_chunk(const Axis& axis, const Cut& cut, Visit&& visit) const {
        using Ends = std::array<std::uint32_t, 4>;  // of the sure ones, of the candidates
        const auto pass = [&](Arena::Place chunk, const auto& ends_in) {
            const Header& head = header(chunk);
            const auto words = lanes(chunk);
            const Ends ends = ends_in(head.sizes);
            visit(std::span(words.targets + ends[0], words.targets + ends[1]),
                  std::span(words.postings + ends[2], words.postings + ends[3]));
        };
        constexpr std::size_t upper = list_of(Side::upper, false);
        constexpr std::size_t lower = list_of(Side::lower, false);
        constexpr std::size_t sure_upper = list_of(Side::upper, true);
        constexpr std::size_t sure_lower = list_of(Side::lower, true);
        pass(cut.place, [&](const Counts& sizes) {
            return Ends{cut.at[sure_upper], std::uint32_t{sizes[sure_upper]} + cut.at[sure_lower],
                        cut.at[upper], std::uint32_t{sizes[upper]} + cut.at[lower]};
        });
        if (axis.chunks == 1) return;
        const Chunk* const chunks = chunks_of(axis);
        for (std::uint32_t i = axis.chunks; --i > cut.chunk;) {
            pass(chunks[i].place,
                 [&](const Counts& sizes) { return Ends{0, sizes[sure_upper], 0, sizes[upper]}; });
        }
        for (std::uint32_t i = 0; i < cut.chunk; ++i) {
            pass(chunks[i].place, [&](const Counts& sizes) {
                return Ends{sizes[sure_upper], std::uint32_t{sizes[sure_upper]} + sizes[sure_lower],
                            sizes[upper], std::uint32_t{sizes[upper]} + sizes[lower]};
            });
        }
    }

    // Of the sure bounds that lead to the target, the one that holds for most values.
    std::optional<AxisKey> furthest(const Axis& axis, Side side, std::uint32_t target) const;

    // About which share of the bounds lies before the point; a half while there are too few to tell.
    double share_before(const Axis& axis, const AxisPoint& point) const;

    std::size_t bytes() const { return blocks_.bytes(); }
    void shrink() { blocks_.shrink(); }
    template <class Archive>
    void archive(Archive& archive) {
        blocks_.archive(archive);
    }

  private:
    struct Room {
        std::uint16_t candidates, sure;

        std::uint32_t all() const { return std::min<std::uint32_t>(candidates + sure, largest); }
        std::size_t words() const {
            return header_words + step_words + (step_words + key_words) * std::size_t{all()} +
                   posting_words * std::size_t{candidates} + sure;
        }
        // With some to spare.
        static Room for_some(std::uint32_t candidates, std::uint32_t sure);
    };
    // A chunk: this, then lanes. Candidates come before sure ones.
    struct Header {
        Counts sizes;
        Room room;

        std::uint32_t begin(std::size_t list) const {
            std::uint32_t at = 0;
            for (std::size_t i = 0; i < list; ++i) at += sizes[i];
            return at;
        }
        std::uint32_t size() const { return begin(lists); }
        std::uint32_t candidates() const { return begin(2); }
        std::uint32_t sure() const { return size() - candidates(); }
    };
    // All bounds of a chunk in one order. There is one step more, which has no brief.
    struct Step {
        std::uint32_t brief;
        Counts before;  // how many of each list
    };
    // The lanes of a chunk: the steps, and all else list by list. Searches go by the briefs and seldom need
    // the keys in full, which lie behind what a match takes.
    template <class Word>
    struct Lanes {
        using StepLane = std::conditional_t<std::is_const_v<Word>, const Step*, Step*>;
        using PostingLane = std::conditional_t<std::is_const_v<Word>, const Posting*, Posting*>;
        StepLane steps;
        PostingLane postings;  // of candidates
        Word* targets;         // of sure ones
        Word *major_high, *major_low, *minor;

        KeyLanes keys() const { return {major_high, major_low, minor}; }
        std::uint32_t count_below(std::uint32_t brief, std::uint32_t size) const {
            return penstock::count_below(brief, size, brief_in(steps));
        }
        std::uint32_t count_up_to(std::uint32_t brief, std::uint32_t size) const {
            return penstock::count_up_to(brief, size, brief_in(steps));
        }
    };
    static auto brief_in(const Step* steps) {
        return [steps](std::uint32_t at) { return steps[at].brief; };
    }
    // A directory: how many chunks there is room for, then these.
    struct Chunk {
        std::uint32_t brief;  // the least in it
        Arena::Place place;
    };

    static constexpr std::size_t header_words = sizeof(Header) / 4;
    static constexpr std::size_t step_words = 2;
    static constexpr std::size_t key_words = 3;
    static constexpr std::size_t posting_words = sizeof(Posting) / 4;
    static constexpr std::size_t chunk_words = sizeof(Chunk) / 4;

    static constexpr std::size_t list_of(Side side, bool sure) {
        return (sure ? 2U : 0U) + static_cast<std::size_t>(side);
    }
    Header& header(Arena::Place chunk) { return *reinterpret_cast<Header*>(blocks_.at(chunk)); }
    const Header& header(Arena::Place chunk) const {
        return *reinterpret_cast<const Header*>(blocks_.at(chunk));
    }
    Chunk* chunks_of(const Axis& axis) { return reinterpret_cast<Chunk*>(blocks_.at(axis.place) + 1); }
    const Chunk* chunks_of(const Axis& axis) const {
        return reinterpret_cast<const Chunk*>(blocks_.at(axis.place) + 1);
    }
    Arena::Place chunk_at(const Axis& axis, std::uint32_t at) const {
        return axis.chunks == 1 ? axis.place : chunks_of(axis)[at].place;
    }
    // As far as a search in a chunk of middling size goes.
    void prefetch_block(Arena::Place place) const {
        for (std::size_t line = 0; line < 4; ++line) __builtin_prefetch(blocks_.at(place) + 16 * line);
    }
    template <class Word>
    static Lanes<Word> lanes(Word* block, const Room& room) {
        using StepLane = typename Lanes<Word>::StepLane;
        using PostingLane = typename Lanes<Word>::PostingLane;
        Word* const steps = block + header_words;
        Word* const postings = steps + step_words * (std::size_t{room.all()} + 1);
        Word* const targets = postings + posting_words * std::size_t{room.candidates};
        Word* const high = targets + room.sure;
        return {reinterpret_cast<StepLane>(steps),
                reinterpret_cast<PostingLane>(postings),
                targets,
                high,
                high + room.all(),
                high + 2 * std::size_t{room.all()}};
    }
    const Step* steps_of(Arena::Place chunk) const {
        return reinterpret_cast<const Step*>(blocks_.at(chunk) + header_words);
    }
    Lanes<std::uint32_t> lanes(Arena::Place chunk) { return lanes(blocks_.at(chunk), header(chunk).room); }
    Lanes<const std::uint32_t> lanes(Arena::Place chunk) const {
        return lanes(blocks_.at(chunk), header(chunk).room);
    }
    template <bool sure>
    static auto of_kind(const Lanes<const std::uint32_t>& words) {
        if constexpr (sure) {
            return words.targets;
        } else {
            return words.postings;
        }
    }

    bool begins_before(const Chunk& chunk, const AxisPoint& point) const;
    static std::size_t list_of(const Step* step);
    Counts count_before(Arena::Place chunk, const AxisPoint& point) const;
    AxisKey key_at(Arena::Place chunk, std::size_t list, std::uint32_t at) const;

    Arena::Place new_chunk(const Room& room);
    void release(Arena::Place chunk) { blocks_.release(chunk, header(chunk).room.words()); }
    void copy(Arena::Place from, const Counts& first, const Counts& last, Arena::Place to);
    void set_place(Axis& axis, std::uint32_t at, Arena::Place chunk);
    void note_least(const Axis& axis, std::uint32_t at);
    void add_chunk(Axis& axis, std::uint32_t at, Arena::Place chunk);
    void drop_chunk(Axis& axis, std::uint32_t at);
    void resize(Axis& axis, std::uint32_t at, const Room& room);
    void split(Axis& axis, std::uint32_t at, const AxisPoint& some);
    std::uint32_t find_room(Axis& axis, bool sure, const AxisPoint& point);
    struct Position {
        std::uint32_t chunk;
        std::uint32_t at;
    };
    Position find_target(const Axis& axis, std::size_t list, const AxisPoint& point,
                         std::uint32_t target) const;

    Arena blocks_;
};

}  // namespace penstock
