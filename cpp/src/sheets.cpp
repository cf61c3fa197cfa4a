#include "penstock/sheets.hpp"

#include <algorithm>
#include <utility>

namespace penstock {

namespace {

// Adds one to the counters of some.
void count_one(std::array<SheetBits, 3>& counters, const SheetBits& of) {
    for (std::size_t i = 0; i < of.size(); ++i) {
        const std::uint64_t carried = counters[0][i] & of[i];
        const std::uint64_t twice = counters[1][i] & carried;
        counters[0][i] ^= of[i];
        counters[1][i] ^= carried;
        counters[2][i] ^= twice;
    }
}

}  // namespace

bool SheetIndex::count(std::size_t sheet, std::span<const Point> points, SheetBits& matching,
                       SheetBits& unsure) const {
    constexpr std::size_t at_once = 16;
    struct Search {
        TurnIndex::Line line;
        std::uint32_t chunk;
        const Point* point;
    };
    if (sheets_[sheet].used == 0) return false;
    std::array<SheetBits, 3> counters = sheets_[sheet].counters;
    bool counted = false;
    while (!points.empty()) {
        std::array<Search, at_once> searches;
        std::size_t size = 0;
        const auto some = points.first(std::min(points.size(), at_once));
        points = points.subspan(some.size());
        for (const Point& point : some) {
            if (const TurnIndex::Line next = line_of(point.axis, sheet + 1); next != TurnIndex::empty)
                turns_.prefetch(next);
            const TurnIndex::Line line = line_of(point.axis, sheet);
            if (line == TurnIndex::empty) continue;
            const std::uint32_t chunk = turns_.find_chunk(line, point.brief);
            turns_.prefetch(line, chunk);
            searches[size++] = {line, chunk, &point};
        }
        counted = counted || size > 0;
        for (const Search& search : std::span(searches).first(size)) {
            SheetBits satisfied;
            turns_.read(search.line, search.chunk, search.point->brief, search.point->is_own, satisfied,
                        unsure);
            count_one(counters, satisfied);
        }
    }
    if (!counted) return false;
    for (std::size_t i = 0; i < matching.size(); ++i)
        matching[i] = ~(counters[0][i] | counters[1][i] | counters[2][i]);
    return true;
}

double SheetIndex::share_before(Axis axis, std::uint32_t brief) const {
    const std::uint32_t* const words = lines_.at(axes_[axis]);
    const std::span lines(words + 1, words[0]);
    const auto line = std::ranges::find_if(lines, [](auto each) { return each != TurnIndex::empty; });
    return line == lines.end() ? 0.5 : turns_.share_before(*line, brief);
}

void SheetIndex::set_counter(std::uint32_t place, unsigned value) {
    const std::uint64_t bit = std::uint64_t{1} << (place & 63U);
    for (unsigned row = 0; row < 3; ++row) {
        std::uint64_t& word = sheets_[place / places].counters[row][place % places / 64];
        word = (value >> row & 1U) != 0 ? word | bit : word & ~bit;
    }
}

// A free one, with a new sheet if need be. It stays free until it is used.
std::uint32_t SheetIndex::take_place() {
    if (free_ != none) return free_;
    const auto first = static_cast<std::uint32_t>(filters_.size());
    filters_.reserve(first + places);
    owners_.reserve(first + places);
    sheets_.push_back({});
    sheets_.back().counters[0].fill(UINT64_MAX);
    filters_.resize(first + places);
    owners_.resize(first + places, no_owner);
    for (std::uint32_t i = 0; i < places; ++i) filters_[first + i] = i + 1 < places ? first + i + 1 : none;
    return free_ = first;
}

std::uint32_t SheetIndex::find(FilterId filter) const {
    const auto is_it = [&](IdSlot slot) { return filters_[slot.id()] == filter; };
    return by_filter_.find(hash(filter), is_it)->id();
}

void SheetIndex::make_room(Axis axis, std::size_t sheet) {
    if (axes_.size() <= axis) axes_.resize(std::size_t{axis} + 1, Arena::none);
    Arena::Place& place = axes_[axis];
    const std::uint32_t had = place == Arena::none ? 0 : *lines_.at(place);
    if (sheet < had) return;
    const auto room = static_cast<std::uint32_t>(sheet + sheet / 4 + 1);
    const Arena::Place wider = lines_.allocate(std::size_t{1} + room);
    std::uint32_t* const words = lines_.at(wider);
    words[0] = room;
    std::fill_n(words + 1, room, TurnIndex::empty);
    if (had > 0) {
        std::copy_n(lines_.at(place) + 1, had, words + 1);
        lines_.release(place, std::size_t{1} + had);
    }
    place = wider;
}

void SheetIndex::add(FilterId filter, Owner owner, std::span<const Condition> conditions) {
    const std::uint32_t place = take_place();
    const std::size_t sheet = place / places;
    const auto number = static_cast<TurnIndex::Number>(place % places);
    std::size_t done = 0;
    try {
        for (; done < conditions.size(); ++done) {
            const Condition& condition = conditions[done];
            if (condition.turns.size == 0) continue;
            make_room(condition.axis, sheet);
            turns_.insert(line_at(condition.axis, sheet), condition.turns, number);
        }
        // Its place says whose it is when slots move.
        const std::uint32_t next = std::exchange(filters_[place], filter);
        try {
            by_filter_.insert(hash(filter), IdSlot(place), hash_of());
        } catch (...) {
            filters_[place] = next;
            throw;
        }
        free_ = next;
    } catch (...) {
        take_turns(place, conditions.first(done));
        throw;
    }
    owners_[place] = owner;
    set_counter(place, static_cast<unsigned>(8 - conditions.size()));
    ++sheets_[sheet].used;
}

void SheetIndex::take_turns(std::uint32_t place, std::span<const Condition> conditions) noexcept {
    for (const Condition& condition : conditions) {
        if (condition.turns.size == 0) continue;
        turns_.erase(line_at(condition.axis, place / places), condition.turns,
                     static_cast<TurnIndex::Number>(place % places));
    }
}

void SheetIndex::remove(FilterId filter, std::span<const Condition> conditions) noexcept {
    const std::uint32_t place = find(filter);
    take_turns(place, conditions);
    const auto is_it = [&](IdSlot slot) { return slot.id() == place; };
    by_filter_.erase(by_filter_.find(hash(filter), is_it), hash_of());
    set_counter(place, 1);
    --sheets_[place / places].used;
    filters_[place] = std::exchange(free_, place);
}

}  // namespace penstock
