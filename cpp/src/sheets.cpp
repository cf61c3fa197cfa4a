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

bool is_zero(const SheetBits& bits) {
    std::uint64_t all = 0;
    for (const std::uint64_t word : bits) all |= word;
    return all == 0;
}

}  // namespace

bool SheetIndex::count(const Search& leading, std::span<const Point> points, SheetBits& matching,
                       SheetBits& unsure) const {
    SheetBits satisfied;
    read(leading, satisfied, unsure);
    if (is_zero(satisfied)) return false;
    std::array<SheetBits, 3> counters = sheets_[leading.sheet].counters;
    count_one(counters, satisfied);
    while (!points.empty()) {
        constexpr std::size_t at_once = 16;
        std::array<Search, at_once> searches;
        std::size_t size = 0;
        const auto some = points.first(std::min(points.size(), at_once));
        points = points.subspan(some.size());
        for (const Point& point : some) {
            if (&point == leading.point) continue;
            searches[size] = begin(leading.sheet, point);
            size += searches[size].sheet != none ? 1 : 0;
        }
        // First all, then all: words that have just been written one by one are slow to be read in pairs.
        std::array<SheetBits, at_once> by_each;
        for (std::size_t i = 0; i < size; ++i) read(searches[i], by_each[i], unsure);
        for (std::size_t i = 0; i < size; ++i) count_one(counters, by_each[i]);
    }
    for (std::size_t i = 0; i < matching.size(); ++i)
        matching[i] = ~(counters[0][i] | counters[1][i] | counters[2][i]);
    return true;
}

std::optional<double> SheetIndex::share_before(Axis axis, std::uint32_t brief) const {
    if (!has(axis)) return {};
    const std::uint32_t* const words = blocks_.at(axes_[axis].lines);
    const std::span lines(words + 1, words[0]);
    const auto line = std::ranges::find_if(lines, [](auto each) { return each != TurnIndex::empty; });
    return line == lines.end() ? std::nullopt : turns_.share_before(*line, brief);
}

void SheetIndex::set_counter(std::uint32_t place, unsigned value) {
    const std::uint64_t bit = std::uint64_t{1} << (place & 63U);
    for (unsigned row = 0; row < 3; ++row) {
        std::uint64_t& word = sheets_[place / places].counters[row][place % places / 64];
        word = (value >> row & 1U) != 0 ? word | bit : word & ~bit;
    }
}

std::uint32_t SheetIndex::find(FilterId filter) const {
    const auto is_it = [&](IdSlot slot) { return filters_[slot.id()] == filter; };
    return by_filter_.find(hash(filter), is_it)->id();
}

// For a line of the axis on the sheet.
void SheetIndex::make_room(Axis axis, std::uint32_t sheet) {
    if (axes_.size() <= axis) axes_.resize(std::size_t{axis} + 1);
    Arena::Place& lines = axes_[axis].lines;
    const std::uint32_t had = lines == Arena::none ? 0 : *blocks_.at(lines);
    if (sheet < had) return;
    const std::uint32_t room = sheet + sheet / 4 + 1;
    const Arena::Place wider = blocks_.allocate(std::size_t{1} + room);
    std::uint32_t* const words = blocks_.at(wider);
    words[0] = room;
    std::fill_n(words + 1, room, TurnIndex::empty);
    if (had > 0) {
        std::copy_n(blocks_.at(lines) + 1, had, words + 1);
        blocks_.release(lines, std::size_t{1} + had);
    }
    lines = wider;
}

// One with room that the axis leads.
std::uint32_t SheetIndex::open_sheet(Axis axis) {
    make_room(axis, 0);
    const auto has_room = [&](std::uint32_t sheet) { return sheets_[sheet].size < places; };
    if (const std::uint32_t open = axes_[axis].open; open != none && has_room(open)) return open;
    const auto led = led_by(axes_[axis].led);
    const auto found = std::ranges::find_if(led, has_room, &Led::sheet);
    if (found != led.end()) return axes_[axis].open = found->sheet;
    const std::uint32_t sheet = new_sheet();
    try {
        lead(axis, sheet);
    } catch (...) {
        sheets_[sheet].at = std::exchange(empty_, sheet);
        throw;
    }
    return axes_[axis].open = sheet;
}

std::uint32_t SheetIndex::new_sheet() {
    if (empty_ != none) return std::exchange(empty_, sheets_[empty_].at);
    const auto sheet = static_cast<std::uint32_t>(sheets_.size());
    filters_.reserve(filters_.size() + places);
    owners_.reserve(owners_.size() + places);
    sheets_.push_back({});
    sheets_.back().counters[0].fill(UINT64_MAX);
    filters_.resize(filters_.size() + places);
    owners_.resize(owners_.size() + places);
    return sheet;
}

// Precondition: nobody leads it.
void SheetIndex::lead(Axis axis, std::uint32_t sheet) {
    const Arena::Place old = axes_[axis].led;
    const auto led = led_by(old);
    const std::uint32_t had = old == Arena::none ? 0 : blocks_.at(old)[1];
    if (led.size() == had) {
        const std::uint32_t room = had + had / 2 + 1;
        const Arena::Place wider = blocks_.allocate(words_for_led(room));
        std::uint32_t* const words = blocks_.at(wider);
        words[0] = static_cast<std::uint32_t>(led.size());
        words[1] = room;
        axes_[axis].led = wider;
        if (had > 0) {
            std::ranges::copy(led_by(old), led_by(wider).begin());
            blocks_.release(old, words_for_led(had));
        }
    }
    sheets_[sheet].axis = axis;
    sheets_[sheet].at = blocks_.at(axes_[axis].led)[0]++;
    led_by(axes_[axis].led).back() = {sheet, UINT32_MAX, 0};
}

// Then anybody may lead it.
void SheetIndex::drop_if_empty(std::uint32_t sheet) noexcept {
    if (sheets_[sheet].size > 0) return;
    Lead& axis = axes_[sheets_[sheet].axis];
    const auto led = led_by(axis.led);
    led[sheets_[sheet].at] = led.back();
    sheets_[led.back().sheet].at = sheets_[sheet].at;
    --blocks_.at(axis.led)[0];
    if (axis.open == sheet) axis.open = none;
    sheets_[sheet].at = std::exchange(empty_, sheet);
}

// So that what satisfies the leading condition does not pass by.
void SheetIndex::widen(std::uint32_t sheet, const Turns& turns) {
    if (turns.size == 0) return;
    Led& led = led_by(axes_[sheets_[sheet].axis].led)[sheets_[sheet].at];
    const bool ends_satisfied = turns.starts_satisfied != (turns.size % 2 != 0);
    led.from = turns.starts_satisfied ? 0 : std::min(led.from, std::ranges::min(turns.all()));
    led.to = ends_satisfied ? UINT32_MAX : std::max(led.to, std::ranges::max(turns.all()));
}

std::uint32_t SheetIndex::free_place(std::uint32_t sheet) const {
    const SheetBits& used = sheets_[sheet].used;
    const auto word = std::ranges::find_if(used, [](std::uint64_t bits) { return bits != UINT64_MAX; });
    return places * sheet + 64 * static_cast<std::uint32_t>(word - used.begin()) +
           static_cast<std::uint32_t>(std::countr_one(*word));
}

// Nothing changes if memory runs out.
void SheetIndex::put_turns(std::uint32_t place, std::span<const Condition> conditions) {
    std::size_t done = 0;
    try {
        for (; done < conditions.size(); ++done) {
            const Condition& condition = conditions[done];
            if (condition.turns.size == 0) continue;
            make_room(condition.axis, place / places);
            turns_.insert(line_at(condition.axis, place / places), condition.turns,
                          static_cast<TurnIndex::Number>(place % places));
        }
    } catch (...) {
        take_turns(place, conditions.first(done));
        throw;
    }
}

void SheetIndex::take_turns(std::uint32_t place, std::span<const Condition> conditions) noexcept {
    for (const Condition& condition : conditions) {
        if (condition.turns.size == 0) continue;
        turns_.erase(line_at(condition.axis, place / places), condition.turns,
                     static_cast<TurnIndex::Number>(place % places));
    }
}

// Precondition: the filter's turns are there.
void SheetIndex::use(std::uint32_t place, FilterId filter, Owner owner,
                     std::span<const Condition> conditions) {
    Sheet& sheet = sheets_[place / places];
    filters_[place] = filter;
    owners_[place] = owner;
    sheet.used[place % places / 64] |= std::uint64_t{1} << (place & 63U);
    ++sheet.size;
    set_counter(place, static_cast<unsigned>(8 - conditions.size()));
    const auto leading = std::ranges::find(conditions, sheet.axis, &Condition::axis);
    widen(place / places, leading->turns);
}

// Precondition: its turns are no longer there.
void SheetIndex::leave(std::uint32_t place) noexcept {
    Sheet& sheet = sheets_[place / places];
    set_counter(place, 1);
    sheet.used[place % places / 64] &= ~(std::uint64_t{1} << (place & 63U));
    --sheet.size;
    drop_if_empty(place / places);
}

void SheetIndex::add(FilterId filter, Owner owner, std::span<const Condition> conditions) {
    const std::uint32_t sheet = open_sheet(conditions[0].axis);
    const std::uint32_t place = free_place(sheet);
    try {
        put_turns(place, conditions);
        filters_[place] = filter;  // it says whose place it is when slots move
        try {
            by_filter_.insert(hash(filter), IdSlot(place), hash_of());
        } catch (...) {
            take_turns(place, conditions);
            throw;
        }
    } catch (...) {
        drop_if_empty(sheet);
        throw;
    }
    use(place, filter, owner, conditions);
}

std::optional<FilterId> SheetIndex::remove(FilterId filter, std::span<const Condition> conditions) noexcept {
    constexpr std::uint32_t few = places / 8;
    const std::uint32_t place = find(filter);
    const std::uint32_t sheet = place / places;
    take_turns(place, conditions);
    const auto is_it = [&](IdSlot slot) { return slot.id() == place; };
    by_filter_.erase(by_filter_.find(hash(filter), is_it), hash_of());
    leave(place);
    const std::uint32_t left = sheets_[sheet].size;
    if (left >= few) axes_[sheets_[sheet].axis].open = sheet;
    if (left == 0 || left >= few) return {};
    const SheetBits& used = sheets_[sheet].used;
    const auto word = std::ranges::find_if(used, [](std::uint64_t bits) { return bits != 0; });
    return filters_[places * sheet + 64 * static_cast<std::uint32_t>(word - used.begin()) +
                    static_cast<std::uint32_t>(std::countr_zero(*word))];
}

void SheetIndex::move(FilterId filter, std::span<const Condition> conditions) {
    const std::uint32_t place = find(filter);
    const std::uint32_t from = place / places;
    const auto led = led_by(axes_[sheets_[from].axis].led);
    const auto better = std::ranges::find_if(led, [&](const Led& other) {
        const std::uint32_t size = sheets_[other.sheet].size;
        return other.sheet != from && size < places && size >= sheets_[from].size;
    });
    if (better == led.end()) return;
    const std::uint32_t target = free_place(better->sheet);
    put_turns(target, conditions);
    take_turns(place, conditions);
    const auto is_it = [&](IdSlot slot) { return slot.id() == place; };
    *by_filter_.find(hash(filter), is_it) = IdSlot(target);
    use(target, filter, owners_[place], conditions);
    leave(place);
}

}  // namespace penstock
