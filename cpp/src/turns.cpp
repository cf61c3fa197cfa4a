#include "penstock/turns.hpp"

#include <algorithm>
#include <utility>

#include "penstock/bounds.hpp"

namespace penstock {

std::uint32_t TurnIndex::find_chunk(Line line, std::uint32_t brief) const {
    const std::uint32_t* const all = firsts(line);
    const std::uint32_t below =
        count_below(brief, header(line).size, [all](std::uint32_t at) { return all[at]; });
    return below == 0 ? 0 : below - 1;
}

void TurnIndex::prefetch(Line line, std::uint32_t at) const {
    const auto* const bytes = reinterpret_cast<const char*>(&chunk(line, at));
    for (std::size_t i = 0; i < sizeof(Chunk); i += 64) __builtin_prefetch(bytes + i);
}

void TurnIndex::read(Line line, std::uint32_t at, std::uint32_t brief, bool is_own, SheetBits& satisfied,
                     SheetBits& unsure) const {
    const Chunk* in = &chunk(line, at);
    satisfied = in->before;
    std::uint32_t turn = 0;
    for (; turn < in->size && in->briefs[turn] < brief; ++turn) flip(satisfied, in->filters[turn]);
    if (is_own) return;
    for (;;) {
        for (; turn < in->size && in->briefs[turn] == brief; ++turn) {
            set(satisfied, in->filters[turn]);
            set(unsure, in->filters[turn]);
        }
        if (turn < in->size || ++at == header(line).size || firsts(line)[at] > brief) return;
        in = &chunk(line, at);
        turn = 0;
    }
}

std::optional<double> TurnIndex::share_before(Line line, std::uint32_t brief) const {
    constexpr std::uint32_t enough = 4;
    if (header(line).size < enough) return {};
    return (find_chunk(line, brief) + 0.5) / header(line).size;
}

std::uint32_t TurnIndex::new_chunk() {
    if (free_ == none) {
        chunks_.push_back({});
        return static_cast<std::uint32_t>(chunks_.size() - 1);
    }
    const std::uint32_t number = std::exchange(free_, chunks_[free_].size);
    chunks_[number] = {};
    return number;
}

void TurnIndex::release(std::uint32_t number) noexcept {
    chunks_[number].size = std::exchange(free_, number);
}

TurnIndex::Line TurnIndex::new_line() {
    constexpr std::uint32_t first_room = 1;
    const Line line = lines_.allocate(words_for(first_room));
    header(line) = {0, first_room};
    try {
        numbers(line)[0] = new_chunk();
    } catch (...) {
        lines_.release(line, words_for(first_room));
        throw;
    }
    header(line).size = 1;
    firsts(line)[0] = 0;
    return line;
}

// For one chunk more.
void TurnIndex::make_room(Line& line) {
    const Header head = header(line);
    if (head.size < head.room) return;
    const std::uint32_t wider = head.room + head.room / 2 + 1;
    const Line fresh = lines_.allocate(words_for(wider));
    header(fresh) = {head.size, wider};
    std::copy_n(firsts(line), head.size, firsts(fresh));
    std::copy_n(numbers(line), head.size, numbers(fresh));
    lines_.release(line, words_for(head.room));
    line = fresh;
}

// In its middle.
void TurnIndex::split(Line& line, std::uint32_t at) {
    make_room(line);
    const std::uint32_t number = new_chunk();
    Chunk& low = chunk(line, at);
    Chunk& high = chunks_[number];
    constexpr std::uint32_t middle = room / 2;
    high.before = low.behind(middle);
    high.size = low.size - middle;
    std::copy_n(low.briefs.begin() + middle, high.size, high.briefs.begin());
    std::copy_n(low.filters.begin() + middle, high.size, high.filters.begin());
    low.size = middle;
    const auto put = [&](std::uint32_t* words, std::uint32_t word) {
        std::copy_backward(words + at + 1, words + header(line).size, words + header(line).size + 1);
        words[at + 1] = word;
    };
    put(firsts(line), high.briefs[0]);
    put(numbers(line), number);
    ++header(line).size;
}

void TurnIndex::flip_from(Line line, std::uint32_t at, Number filter) {
    for (; at < header(line).size; ++at) chunk(line, at).flip(filter);
}

void TurnIndex::add_turn(Line& line, std::uint32_t brief, Number filter) {
    std::uint32_t at = find_chunk(line, brief);
    if (chunk(line, at).size == room) {
        split(line, at);
        at = find_chunk(line, brief);
    }
    Chunk& into = chunk(line, at);
    std::uint32_t turn = into.size++;
    for (; turn > 0 && into.briefs[turn - 1] > brief; --turn) {
        into.briefs[turn] = into.briefs[turn - 1];
        into.filters[turn] = into.filters[turn - 1];
    }
    into.briefs[turn] = brief;
    into.filters[turn] = filter;
    flip_from(line, at + 1, filter);
}

void TurnIndex::drop_chunk(Line line, std::uint32_t at) noexcept {
    Header& head = header(line);
    release(numbers(line)[at]);
    for (std::uint32_t* const words : {firsts(line), numbers(line)})
        std::copy(words + at + 1, words + head.size, words + at);
    --head.size;
    firsts(line)[0] = 0;
}

// Precondition: it is there, in the chunk of that brief or, among equal ones, in one behind it.
void TurnIndex::take_turn(Line line, std::uint32_t brief, Number filter) noexcept {
    std::uint32_t at = find_chunk(line, brief);
    const auto find = [&](const Chunk& in) {
        std::uint32_t turn = 0;
        while (turn < in.size && (in.filters[turn] != filter || in.briefs[turn] != brief)) ++turn;
        return turn;
    };
    std::uint32_t turn = find(chunk(line, at));
    while (turn == chunk(line, at).size) turn = find(chunk(line, ++at));
    Chunk& from = chunk(line, at);
    std::copy(from.briefs.begin() + turn + 1, from.briefs.begin() + from.size, from.briefs.begin() + turn);
    std::copy(from.filters.begin() + turn + 1, from.filters.begin() + from.size, from.filters.begin() + turn);
    --from.size;
    flip_from(line, at + 1, filter);
    if (from.size == 0 && header(line).size > 1) return drop_chunk(line, at);
    if (at > 0) merge(line, at - 1);
    if (at + 1 < header(line).size) merge(line, at);
}

// With the chunk behind it, where both are far from full.
void TurnIndex::merge(Line line, std::uint32_t at) noexcept {
    Chunk& low = chunk(line, at);
    const Chunk& high = chunk(line, at + 1);
    if (low.size + high.size > room / 2) return;
    std::copy_n(high.briefs.begin(), high.size, low.briefs.begin() + low.size);
    std::copy_n(high.filters.begin(), high.size, low.filters.begin() + low.size);
    low.size += high.size;
    drop_chunk(line, at + 1);
}

void TurnIndex::insert(Line& line, const Turns& turns, Number filter) {
    if (line == empty) line = new_line();
    std::size_t done = 0;
    try {
        for (; done < turns.size; ++done) add_turn(line, turns.briefs[done], filter);
    } catch (...) {
        take_turns(line, turns.all().first(done), filter);
        throw;
    }
    if (turns.starts_satisfied) flip_from(line, 0, filter);
}

void TurnIndex::erase(Line& line, const Turns& turns, Number filter) noexcept {
    if (turns.starts_satisfied) flip_from(line, 0, filter);
    take_turns(line, turns.all(), filter);
}

void TurnIndex::take_turns(Line& line, std::span<const std::uint32_t> briefs, Number filter) noexcept {
    for (const std::uint32_t brief : briefs) take_turn(line, brief, filter);
    if (header(line).size == 1 && chunk(line, 0).size == 0) drop(line);
}

// Precondition: one chunk is left, without turns.
void TurnIndex::drop(Line& line) noexcept {
    release(numbers(line)[0]);
    lines_.release(line, words_for(header(line).room));
    line = empty;
}

}  // namespace penstock
