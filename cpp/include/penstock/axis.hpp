// Bounds in order: the postings of filters whose access constraint is <, <=, > or >=.
//
// An axis belongs to a name and a type, and has four lists: upper and lower bounds, of sure filters and of
// candidates. A list is sorted, so that the bounds which a value satisfies lie together: after its place the
// upper ones, before it the lower ones. They are found by one search and taken chunk by chunk. A chunk keeps
// its keys apart from its targets, which can be copied as they are; a list of one chunk, as most are, has
// nothing above it.
//
// One order serves numbers and strings: a key has a major part, the double or the first eight bytes, and a
// minor one, the residual of a large integer or the string itself; its lowest bit puts <= after <, > after
// >=.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "penstock/arena.hpp"
#include "penstock/check.hpp"
#include "penstock/key_index.hpp"
#include "penstock/number.hpp"
#include "penstock/string_pool.hpp"

namespace penstock {

struct AxisKey {
    std::uint64_t major;
    std::uint32_t minor;

    static AxisKey of(const Number& number, bool later);
    static AxisKey of(std::string_view text, StringPool::Id id, bool later);
    static std::uint64_t head(std::string_view text);
};

// A place on an axis: before(key) tells the keys before it.
class AxisPoint {
  public:
    // The place of a value: behind `< value` and `>= value`, before `<= value` and `> value`.
    explicit AxisPoint(const Number& value) : key_(AxisKey::of(value, true)) {}
    AxisPoint(std::string_view value, const StringPool& pool)
        : key_{AxisKey::head(value), 1}, text_(value), pool_(&pool) {}
    // The place of a key.
    explicit AxisPoint(const AxisKey& key) : key_(key) {}
    AxisPoint(const AxisKey& key, const StringPool& pool)
        : key_(key), text_(pool.at(key.minor >> 1U)), pool_(&pool) {}

    bool before(std::uint64_t major, std::uint32_t minor) const {
        if (major != key_.major) return major < key_.major;
        return pool_ == nullptr ? minor < key_.minor : text_before(minor);
    }
    const AxisKey& key() const { return key_; }

  private:
    bool text_before(std::uint32_t minor) const;

    AxisKey key_;
    std::string_view text_;
    const StringPool* pool_ = nullptr;
};

class AxisIndex {
  public:
    using Id = std::uint32_t;
    static constexpr Id none = UINT32_MAX;
    enum class Side : std::uint8_t {
        upper,
        lower,
    };

    Id create();
    // Sure postings have targets only, the others checks as well.
    void insert(Id axis, Side side, bool sure, const AxisPoint& point, const Posting& posting);
    void erase(Id axis, Side side, bool sure, const AxisPoint& point, std::uint32_t target) noexcept;

    // So that many searches can be under way while memory answers: the axis, then what it leads to.
    void prefetch(Id axis) const { __builtin_prefetch(axes_.data() + axis); }
    void prefetch_lists(Id axis) const {
        for (const auto& side : axes_[axis].lists) {
            for (const List& list : side) {
                if (list.chunks == 0) continue;
                // As far as a search in a chunk of middling size goes.
                for (std::size_t line = 0; line < 3; ++line)
                    __builtin_prefetch(blocks_.at(list.place) + 16 * line);
            }
        }
    }

    struct Stretch {
        std::span<const std::uint32_t> targets;
        const Check* checks;  // as many, for candidates
    };
    // Calls visit(stretch) with the bounds that hold for a value at that point, the loosest first, until it
    // returns false; then returns false too.
    template <bool sure, class Visit>
    bool for_each(Id axis, const AxisPoint& point, Visit&& visit) const {
        const auto& lists = axes_[axis].lists;
        return for_each_upper<sure>(lists[0][sure ? 1 : 0], point, visit) &&
               for_each_lower<sure>(lists[1][sure ? 1 : 0], point, visit);
    }

    std::size_t bytes() const { return axes_.bytes() + blocks_.bytes(); }
    void shrink() {
        axes_.shrink();
        blocks_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        archive(axes_);
        blocks_.archive(archive);
    }

  private:
    struct List {
        Arena::Place place;  // of the chunk, or of the chunks if there are several
        std::uint32_t chunks;
    };
    struct Axis {
        List lists[2][2];  // by side, and whether sure
    };
    // A block: the header, then in lanes the upper and lower halves of the major keys, the minor ones, the
    // targets, and the checks if there are any. Searches go by the first lane and seldom need another.
    struct Header {
        std::uint16_t size;
        std::uint16_t room;
    };
    // A block of several chunks: how many there is room for, then these.
    struct Chunk {
        std::uint32_t major_high, major_low, minor;  // its first key
        Arena::Place place;
    };
    struct Cut {
        std::uint32_t chunk;
        std::uint32_t at;
    };
    static constexpr std::uint32_t largest = 256;
    static constexpr std::size_t chunk_words = sizeof(Chunk) / 4;

    static std::size_t words_for(bool sure, std::size_t room) { return 1 + room * (sure ? 4 : 5); }
    Header& header(Arena::Place chunk) { return *reinterpret_cast<Header*>(blocks_.at(chunk)); }
    Header header(Arena::Place chunk) const { return *reinterpret_cast<const Header*>(blocks_.at(chunk)); }
    Chunk* chunks_of(const List& list) { return reinterpret_cast<Chunk*>(blocks_.at(list.place) + 1); }
    const Chunk* chunks_of(const List& list) const {
        return reinterpret_cast<const Chunk*>(blocks_.at(list.place) + 1);
    }
    Arena::Place chunk_at(const List& list, std::uint32_t at) const {
        return list.chunks == 1 ? list.place : chunks_of(list)[at].place;
    }
    std::uint64_t major_at(Arena::Place chunk, std::uint32_t at) const {
        return static_cast<std::uint64_t>(lane(chunk, 0)[at]) << 32U | lane(chunk, 1)[at];
    }
    const std::uint32_t* lane(Arena::Place chunk, std::uint32_t number) const {
        return blocks_.at(chunk) + 1 + number * header(chunk).room;
    }
    template <bool sure>
    Stretch stretch(Arena::Place chunk, std::uint32_t first, std::uint32_t last) const {
        const std::uint32_t* const at = lane(chunk, 3) + first;
        return {{at, last - first}, sure ? nullptr : reinterpret_cast<const Check*>(at + header(chunk).room)};
    }
    template <bool sure, class Visit>
    bool for_each_upper(const List& list, const AxisPoint& point, Visit&& visit) const {
        if (list.chunks == 0) return true;
        const Cut cut = find(list, point);
        for (std::uint32_t i = list.chunks; i-- > cut.chunk;) {
            const Arena::Place chunk = chunk_at(list, i);
            const std::uint32_t first = i == cut.chunk ? cut.at : 0;
            const std::uint32_t last = header(chunk).size;
            if (first < last && !visit(stretch<sure>(chunk, first, last))) return false;
        }
        return true;
    }
    template <bool sure, class Visit>
    bool for_each_lower(const List& list, const AxisPoint& point, Visit&& visit) const {
        if (list.chunks == 0) return true;
        const Cut cut = find(list, point);
        for (std::uint32_t i = 0; i <= cut.chunk; ++i) {
            const Arena::Place chunk = chunk_at(list, i);
            const std::uint32_t last = i == cut.chunk ? cut.at : header(chunk).size;
            if (last > 0 && !visit(stretch<sure>(chunk, 0, last))) return false;
        }
        return true;
    }

    // The first key that is not before the point; at the end of a chunk if the next one begins with it.
    // Precondition: there is a chunk.
    Cut find(const List& list, const AxisPoint& point) const;
    template <class Test>
    std::uint32_t count_before(Arena::Place chunk, std::uint32_t first, std::uint32_t last,
                               Test&& test) const;
    Cut find_target(const List& list, const AxisPoint& point, std::uint32_t target) const;
    Arena::Place new_chunk(bool sure, std::uint32_t room);
    void move(bool sure, Arena::Place from, std::uint32_t first, std::uint32_t count, Arena::Place to,
              std::uint32_t at);
    void resize_chunk(List& list, bool sure, std::uint32_t at, std::uint32_t room);
    void split_chunk(List& list, bool sure, std::uint32_t at);
    void add_chunk(List& list, std::uint32_t at, Arena::Place chunk);
    void drop_chunk(List& list, bool sure, std::uint32_t at);
    void set_place(List& list, std::uint32_t at, Arena::Place chunk);
    void note_first(const List& list, std::uint32_t at);

    Column<Axis> axes_;
    Arena blocks_;
};

}  // namespace penstock
