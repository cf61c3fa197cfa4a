// Where on an axis filters begin and cease to be satisfied, for the filters of one sheet.
//
// A turn is such a place: a brief (see axis_key.hpp) and the number of a filter. Turns lie in order, in
// chunks, each with the state of all filters before its first turn: one search and a few flips tell which of
// them a value satisfies, 64 to a word. Briefs decide nearly always; where that of a value is shared with
// other keys, filters that turn there are only perhaps satisfied.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "penstock/arena.hpp"
#include "penstock/column.hpp"

namespace penstock {

// A bit for each filter of a sheet.
using SheetBits = std::array<std::uint64_t, 16>;

// What one filter asks of an axis: where it is satisfied, from the lower end on.
struct Turns {
    static constexpr std::size_t most = 6;

    bool starts_satisfied = false;
    std::uint8_t size = 0;
    std::array<std::uint32_t, most> briefs{};

    void add(std::uint32_t brief) { briefs[size++] = brief; }
    std::span<const std::uint32_t> all() const { return {briefs.data(), size}; }
};

class TurnIndex {
  public:
    using Number = std::uint16_t;               // of a filter
    using Line = Arena::Place;                  // of turns
    static constexpr Line empty = Arena::none;  // none

    // Nothing changes if memory runs out. Precondition: there are some.
    void insert(Line& line, const Turns& turns, Number filter);
    void erase(Line& line, const Turns& turns, Number filter) noexcept;

    // The chunk that a value with that brief falls into: a search in steps, so that many can be under way
    // while memory answers. Precondition, here and below: the line is not empty.
    std::uint32_t find_chunk(Line line, std::uint32_t brief) const;
    void prefetch(Line line, std::uint32_t chunk) const;
    // Whom the value satisfies. Where its brief is not its own, some of these perhaps: they are added to
    // `unsure`.
    void read(Line line, std::uint32_t chunk, std::uint32_t brief, bool is_own, SheetBits& satisfied,
              SheetBits& unsure) const;

    // About which share of the turns lies before the brief, if there are enough to tell.
    std::optional<double> share_before(Line line, std::uint32_t brief) const;

    std::size_t bytes() const { return lines_.bytes() + chunks_.bytes(); }
    void shrink() {
        lines_.shrink();
        chunks_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        lines_.archive(archive);
        archive(chunks_);
        archive(free_);
    }

  private:
    static constexpr std::uint32_t room = 30;  // of a chunk
    struct Chunk {
        SheetBits before{};
        std::array<std::uint32_t, room> briefs{};
        std::array<Number, room> filters{};
        std::uint32_t size = 0;  // of a free one: the number of the next

        void flip(Number filter) { TurnIndex::flip(before, filter); }
        // The state behind its first turns.
        SheetBits behind(std::uint32_t turns) const {
            SheetBits state = before;
            for (std::uint32_t i = 0; i < turns; ++i) TurnIndex::flip(state, filters[i]);
            return state;
        }
    };
    // A line: this, then for each chunk a brief that no turn in it lies before, then the chunks' numbers.
    struct Header {
        std::uint32_t size, room;
    };
    static constexpr std::size_t header_words = sizeof(Header) / 4;
    static constexpr std::uint32_t none = UINT32_MAX;
    static std::size_t words_for(std::uint32_t chunks) { return header_words + 2 * std::size_t{chunks}; }

    static void flip(SheetBits& bits, Number filter) {
        bits[filter >> 6U] ^= std::uint64_t{1} << (filter & 63U);
    }
    static void set(SheetBits& bits, Number filter) {
        bits[filter >> 6U] |= std::uint64_t{1} << (filter & 63U);
    }
    Header& header(Line line) { return *reinterpret_cast<Header*>(lines_.at(line)); }
    const Header& header(Line line) const { return *reinterpret_cast<const Header*>(lines_.at(line)); }
    std::uint32_t* firsts(Line line) { return lines_.at(line) + header_words; }
    const std::uint32_t* firsts(Line line) const { return lines_.at(line) + header_words; }
    std::uint32_t* numbers(Line line) { return firsts(line) + header(line).room; }
    const std::uint32_t* numbers(Line line) const { return firsts(line) + header(line).room; }
    Chunk& chunk(Line line, std::uint32_t at) { return chunks_[numbers(line)[at]]; }
    const Chunk& chunk(Line line, std::uint32_t at) const { return chunks_[numbers(line)[at]]; }

    std::uint32_t new_chunk();
    void release(std::uint32_t number) noexcept;
    Line new_line();
    void drop(Line& line) noexcept;
    void make_room(Line& line);
    void split(Line& line, std::uint32_t at);
    void add_turn(Line& line, std::uint32_t brief, Number filter);
    void take_turns(Line& line, std::span<const std::uint32_t> briefs, Number filter) noexcept;
    void take_turn(Line line, std::uint32_t brief, Number filter) noexcept;
    void merge(Line line, std::uint32_t at) noexcept;
    void drop_chunk(Line line, std::uint32_t at) noexcept;
    void flip_from(Line line, std::uint32_t at, Number filter);

    Arena lines_;
    Column<Chunk> chunks_;
    std::uint32_t free_ = none;  // the first free chunk
};

}  // namespace penstock
