// Wide filters, a bit each: those with nothing but conditions that hold so often that none is worth standing
// under, and that follow from the place of a value on an axis.
//
// A sheet has room for 1,024 of them. For a value of the message, turns say which of the filters it
// satisfies; each of these then counts one condition more, all at the same time, since the bits of their
// counters lie in three rows of words. Whoever has counted all of its conditions matches: the counting
// algorithm, many filters to a word. That takes half a nanosecond for a filter, but the same whether or not
// it could match; so sheets are for filters that nearly every message would have to look at.
//
// All filters of a sheet have a condition on one axis, which leads it. A message whose value there satisfies
// none of them, since it has none or it lies beyond them all, passes the sheet by.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "penstock/arena.hpp"
#include "penstock/axis_key.hpp"
#include "penstock/filter_store.hpp"
#include "penstock/hash_table.hpp"
#include "penstock/id_slot.hpp"
#include "penstock/turns.hpp"

namespace penstock {

class SheetIndex {
  public:
    using Axis = std::uint32_t;  // the number of one; whoever gives them out knows what lies on it
    static constexpr std::size_t most_conditions = 7;  // of one filter

    // What a filter asks of an axis.
    struct Condition {
        Axis axis = 0;
        Turns turns;  // none if it can never hold
    };
    // The first condition leads. Nothing changes if memory runs out. Precondition: the filter is not there
    // yet; its conditions are on different axes, and not too many.
    void add(FilterId filter, Owner owner, std::span<const Condition> conditions);
    // Precondition: it was added with these, in whatever order. May return another filter, which had better
    // move: its sheet is nearly empty.
    std::optional<FilterId> remove(FilterId filter, std::span<const Condition> conditions) noexcept;
    // To a sheet with more of them, if there is room in one. Nothing changes if memory runs out.
    void move(FilterId filter, std::span<const Condition> conditions);
    // Precondition: it is there.
    void set_owner(FilterId filter, Owner owner) noexcept { owners_[find(filter)] = owner; }

    // Some filter asks something of it, or has done so.
    bool has(Axis axis) const { return axis < axes_.size() && axes_[axis].lines != Arena::none; }
    // About which share of the turns on an axis lies before the brief, if there are enough to tell.
    std::optional<double> share_before(Axis axis, std::uint32_t brief) const;

    // Where a value lies on an axis.
    struct Point {
        Arena::Place lines, led;  // of the axis
        std::uint32_t brief;
        bool is_own;  // no other key has that brief
    };
    // Precondition: there is the axis.
    Point point(Axis axis, const AxisKey& key) const {
        return {axes_[axis].lines, axes_[axis].led, key.brief, key.is_own};
    }
    // Calls visit(filter, owner, sure) for those that are satisfied, perhaps where not sure, until after a
    // sheet is_enough() says so; then returns false.
    template <class Visit, class IsEnough>
    bool for_each_match(std::span<const Point> points, const Visit& visit, const IsEnough& is_enough) const {
        for (const Point& point : points) {
            // While one sheet is counted, memory is asked for what leads the next.
            Search search{none, {}, {}, &point};
            for (const Led& led : led_by(point.led)) {
                if (point.brief < led.from || point.brief > led.to) continue;
                const Search next = begin(led.sheet, point);
                if (!finish(search, points, visit) && is_enough()) return false;
                search = next;
            }
            if (!finish(search, points, visit) && is_enough()) return false;
        }
        return true;
    }

    std::size_t size() const { return by_filter_.size(); }
    std::size_t bytes() const {
        return turns_.bytes() + axes_.bytes() + blocks_.bytes() + sheets_.bytes() + filters_.bytes() +
               owners_.bytes() + by_filter_.bytes();
    }
    void shrink() {
        turns_.shrink();
        axes_.shrink();
        blocks_.shrink();
        sheets_.shrink();
        filters_.shrink();
        owners_.shrink();
        by_filter_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        turns_.archive(archive);
        archive(axes_);
        blocks_.archive(archive);
        archive(sheets_);
        archive(filters_);
        archive(owners_);
        by_filter_.archive(archive);
        archive(empty_);
    }

  private:
    static constexpr std::uint32_t places = 64 * std::tuple_size_v<SheetBits>;
    static constexpr std::uint32_t none = UINT32_MAX;

    struct Sheet {
        // They start below zero by the number of conditions; those of free places at one, where they stay.
        std::array<SheetBits, 3> counters{};
        SheetBits used{};
        std::uint32_t size = 0;  // how many are
        Axis axis = 0;           // that leads
        std::uint32_t at = 0;    // among the sheets that it leads; of an empty sheet: the next one
        std::uint32_t padding = 0;
    };
    // A sheet, and between which briefs some of its filters may be satisfied.
    struct Led {
        std::uint32_t sheet, from, to;
    };
    // Lines: how many sheets there is room for, then the turns on each. Led: how many sheets the axis leads
    // and how many there is room for, then these.
    struct Lead {
        Arena::Place lines = Arena::none;
        Arena::Place led = Arena::none;
        std::uint32_t open = none;  // a sheet that it leads, which may have room
    };
    static constexpr std::size_t led_words = sizeof(Led) / 4;
    static std::size_t words_for_led(std::uint32_t room) { return 2 + led_words * std::size_t{room}; }

    std::span<const Led> led_by(Arena::Place led) const {
        if (led == Arena::none) return {};
        const std::uint32_t* const words = blocks_.at(led);
        return {reinterpret_cast<const Led*>(words + 2), words[0]};
    }
    std::span<Led> led_by(Arena::Place led) {
        const auto all = std::as_const(*this).led_by(led);
        return {const_cast<Led*>(all.data()), all.size()};
    }
    TurnIndex::Line line_of(Arena::Place lines, std::size_t sheet) const {
        const std::uint32_t* const words = blocks_.at(lines);
        return sheet < words[0] ? words[1 + sheet] : TurnIndex::empty;
    }
    TurnIndex::Line& line_at(Axis axis, std::size_t sheet) {
        return blocks_.at(axes_[axis].lines)[1 + sheet];
    }
    // For what a value satisfies on a sheet, if there is one.
    struct Search {
        std::uint32_t sheet;
        TurnIndex::Line line;
        std::uint32_t chunk;
        const Point* point;
    };
    Search begin(std::uint32_t sheet, const Point& point) const {
        const TurnIndex::Line line = line_of(point.lines, sheet);
        if (line == TurnIndex::empty) return {none, line, 0, &point};
        const std::uint32_t chunk = turns_.find_chunk(line, point.brief);
        turns_.prefetch(line, chunk);
        return {sheet, line, chunk, &point};
    }
    void read(const Search& search, SheetBits& satisfied, SheetBits& unsure) const {
        turns_.read(search.line, search.chunk, search.point->brief, search.point->is_own, satisfied, unsure);
    }
    // Who matches; false if nobody can.
    bool count(const Search& leading, std::span<const Point> points, SheetBits& matching,
               SheetBits& unsure) const;
    // True if nobody was visited.
    template <class Visit>
    bool finish(const Search& leading, std::span<const Point> points, const Visit& visit) const {
        SheetBits matching;
        SheetBits unsure{};
        if (leading.sheet == none || !count(leading, points, matching, unsure)) return true;
        for (std::size_t i = 0; i < matching.size(); ++i) {
            for (std::uint64_t left = matching[i]; left != 0; left &= left - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(left));
                const std::size_t place = std::size_t{places} * leading.sheet + 64 * i + bit;
                visit(filters_[place], owners_[place], (unsure[i] >> bit & 1U) == 0);
            }
        }
        return false;
    }

    void make_room(Axis axis, std::uint32_t sheet);
    std::uint32_t free_place(std::uint32_t sheet) const;
    void put_turns(std::uint32_t place, std::span<const Condition> conditions);
    void use(std::uint32_t place, FilterId filter, Owner owner, std::span<const Condition> conditions);
    void leave(std::uint32_t place) noexcept;
    std::uint32_t open_sheet(Axis axis);
    std::uint32_t new_sheet();
    void lead(Axis axis, std::uint32_t sheet);
    void drop_if_empty(std::uint32_t sheet) noexcept;
    void widen(std::uint32_t sheet, const Turns& turns);
    std::uint32_t find(FilterId filter) const;
    void take_turns(std::uint32_t place, std::span<const Condition> conditions) noexcept;
    void set_counter(std::uint32_t place, unsigned value);
    static std::uint64_t hash(FilterId filter) { return mix(filter, 0); }
    auto hash_of() const {
        return [this](IdSlot slot) { return hash(filters_[slot.id()]); };
    }

    TurnIndex turns_;
    Column<Lead> axes_;  // by number
    Arena blocks_;
    Column<Sheet> sheets_;
    Column<FilterId> filters_;     // by place
    Column<Owner> owners_;         // likewise
    HashTable<IdSlot> by_filter_;  // the places of filters
    std::uint32_t empty_ = none;   // the first sheet that nobody leads
};

}  // namespace penstock
