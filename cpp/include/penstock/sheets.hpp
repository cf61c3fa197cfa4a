// Wide filters, a bit each: those with nothing but conditions on numbers that hold so often that none is
// worth standing under.
//
// A sheet has room for 1,024 of them. For a value of the message, turns say which of the filters it
// satisfies; each of these then counts one condition more, all at the same time, since the bits of their
// counters lie in three rows of words. Whoever has counted all of its conditions matches: the counting
// algorithm, many filters to a word. That takes half a nanosecond for a filter, but the same
// whether or not it could match; so sheets are for filters that nearly every message would have to look at.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "penstock/arena.hpp"
#include "penstock/axis_key.hpp"
#include "penstock/filter_store.hpp"
#include "penstock/hash_table.hpp"
#include "penstock/id_slot.hpp"
#include "penstock/turns.hpp"

namespace penstock {

class SheetIndex {
  public:
    // The number of an axis: that of its name, and which of three kinds of numbers.
    using Axis = std::uint32_t;
    static constexpr std::size_t most_conditions = 7;  // of one filter

    // What a filter asks of an axis.
    struct Condition {
        Axis axis = 0;
        Turns turns;  // none if it can never hold
    };
    // Nothing changes if memory runs out. Precondition: it is not there yet; its conditions are on different
    // axes, and not too many.
    void add(FilterId filter, Owner owner, std::span<const Condition> conditions);
    // Precondition: it was added with these.
    void remove(FilterId filter, std::span<const Condition> conditions) noexcept;

    // Precondition: it is there.
    void set_owner(FilterId filter, Owner owner) noexcept { owners_[find(filter)] = owner; }

    // Some filter asks something of it, or has done so.
    bool has(Axis axis) const { return axis < axes_.size() && axes_[axis] != Arena::none; }
    // About which share of the turns on an axis lies before the brief. Precondition: there is the axis.
    double share_before(Axis axis, std::uint32_t brief) const;

    // Where a value lies on an axis.
    struct Point {
        Arena::Place axis;
        std::uint32_t brief;
        bool is_own;  // no other key has that brief
    };
    // Precondition: there is the axis.
    Point point(Axis axis, const AxisKey& key) const { return {axes_[axis], key.brief, key.is_own}; }
    // Calls visit(filter, owner, sure) for those that are satisfied, perhaps where not sure, until after a
    // sheet is_enough() says so; then returns false.
    template <class Visit, class IsEnough>
    bool for_each_match(std::span<const Point> points, const Visit& visit, const IsEnough& is_enough) const {
        for (std::size_t sheet = 0; sheet < sheets_.size(); ++sheet) {
            SheetBits matching;
            SheetBits unsure{};
            if (!count(sheet, points, matching, unsure)) continue;
            for (std::size_t i = 0; i < matching.size(); ++i) {
                for (std::uint64_t left = matching[i]; left != 0; left &= left - 1) {
                    const auto bit = static_cast<std::size_t>(std::countr_zero(left));
                    const std::size_t place = places * sheet + 64 * i + bit;
                    visit(filters_[place], owners_[place], (unsure[i] >> bit & 1U) == 0);
                }
            }
            if (is_enough()) return false;
        }
        return true;
    }

    std::size_t size() const { return by_filter_.size(); }
    std::size_t bytes() const {
        return turns_.bytes() + axes_.bytes() + lines_.bytes() + sheets_.bytes() + filters_.bytes() +
               owners_.bytes() + by_filter_.bytes();
    }
    void shrink() {
        turns_.shrink();
        axes_.shrink();
        lines_.shrink();
        sheets_.shrink();
        filters_.shrink();
        owners_.shrink();
        by_filter_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        turns_.archive(archive);
        archive(axes_);
        lines_.archive(archive);
        archive(sheets_);
        archive(filters_);
        archive(owners_);
        by_filter_.archive(archive);
        archive(free_);
    }

  private:
    static constexpr std::size_t places = 64 * std::tuple_size_v<SheetBits>;
    static constexpr std::uint32_t none = UINT32_MAX;

    // The counters start below zero by the number of conditions; those of free places at one, where they
    // stay.
    struct Sheet {
        std::array<SheetBits, 3> counters{};
        std::uint64_t used = 0;
    };
    void set_counter(std::uint32_t place, unsigned value);

    std::uint32_t take_place();
    std::uint32_t find(FilterId filter) const;
    static std::uint64_t hash(FilterId filter) { return mix(filter, 0); }
    auto hash_of() const {
        return [this](IdSlot slot) { return hash(filters_[slot.id()]); };
    }

    // The lines of an axis: how many sheets there is room for, then one line for each.
    TurnIndex::Line line_of(Arena::Place axis, std::size_t sheet) const {
        const std::uint32_t* const words = lines_.at(axis);
        return sheet < words[0] ? words[1 + sheet] : TurnIndex::empty;
    }
    TurnIndex::Line& line_at(Axis axis, std::size_t sheet) { return lines_.at(axes_[axis])[1 + sheet]; }
    void make_room(Axis axis, std::size_t sheet);
    void take_turns(std::uint32_t place, std::span<const Condition> conditions) noexcept;
    // False if nobody can match.
    bool count(std::size_t sheet, std::span<const Point> points, SheetBits& matching,
               SheetBits& unsure) const;

    TurnIndex turns_;
    Column<Arena::Place> axes_;  // their lines, by number
    Arena lines_;
    Column<Sheet> sheets_;
    Column<FilterId> filters_;     // by place; of a free one: the next
    Column<Owner> owners_;         // likewise
    HashTable<IdSlot> by_filter_;  // the places of filters
    std::uint32_t free_ = none;    // the first free place
};

}  // namespace penstock
