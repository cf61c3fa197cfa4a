#include "penstock/axis.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace penstock {

namespace {

template <class Word>
void shift(Word* lane, std::uint32_t from, std::uint32_t to, std::uint32_t count) {
    std::memmove(lane + to, lane + from, count * sizeof(Word));
}

}  // namespace

AxisIndex::Room AxisIndex::Room::for_some(std::uint32_t candidates, std::uint32_t sure) {
    const auto with_spare = [](std::uint32_t count, std::size_t more) {
        return static_cast<std::uint16_t>(std::min<std::size_t>(count + count / 4 + more, largest));
    };
    Room room{with_spare(candidates, 0), with_spare(sure, 0)};
    const std::size_t spare = Arena::room(room.words()) - room.words();
    if (candidates > sure) {
        room.candidates = with_spare(candidates, spare / (step_words + key_words + posting_words));
    } else {
        room.sure = with_spare(sure, spare / (step_words + key_words + 1));
    }
    return room;
}

bool AxisIndex::begins_before(const Chunk& chunk, const AxisPoint& point) const {
    if (chunk.brief != point.brief() || point.is_own()) return chunk.brief < point.brief();
    const Header& head = header(chunk.place);
    const auto words = lanes(chunk.place);
    const Counts equal = words.steps[words.count_up_to(point.brief(), head.size())].before;
    for (std::size_t list = 0; list < lists; ++list) {
        if (equal[list] > 0 && words.keys().is_before(head.begin(list), point)) return true;
    }
    return false;
}

// The last chunk that begins before the point: the first one if there is none.
std::uint32_t AxisIndex::find_chunk(const Axis& axis, const AxisPoint& point) const {
    if (axis.chunks == 1) return 0;
    const Chunk* const chunks = chunks_of(axis);
    std::uint32_t low = 0;
    for (std::uint32_t left = axis.chunks - 1; left > 0;) {
        const std::uint32_t half = left - left / 2;
        const bool before = begins_before(chunks[low + half], point);
        low = before ? low + half : low;
        left = before ? left - half : half - 1;
    }
    return low;
}

// How many bounds of each list lie before the point.
AxisIndex::Counts AxisIndex::count_before(Arena::Place chunk, const AxisPoint& point) const {
    const Header& head = header(chunk);
    const Step* const steps = steps_of(chunk);
    const std::uint32_t size = head.size();
    const std::uint32_t below = count_below(point.brief(), size, brief_in(steps));
    Counts counts = steps[below].before;
    if (point.is_own() || below == size || steps[below].brief != point.brief()) return counts;
    const auto words = lanes(chunk);
    const Counts upto = steps[words.count_up_to(point.brief(), size)].before;
    for (std::size_t list = 0; list < lists; ++list) {
        const auto equal = static_cast<std::uint32_t>(upto[list] - counts[list]);
        counts[list] += static_cast<std::uint8_t>(
            words.keys().count_before(head.begin(list) + counts[list], equal, point));
    }
    return counts;
}

AxisIndex::Cut AxisIndex::cut(const Axis& axis, std::uint32_t chunk, const AxisPoint& point) const {
    const Arena::Place place = chunk_at(axis, chunk);
    return {chunk, place, count_before(place, point)};
}

// The key of a bound by its number in its list: its brief is the first behind which there are so many.
AxisKey AxisIndex::key_at(Arena::Place chunk, std::size_t list, std::uint32_t at) const {
    const auto words = lanes(chunk);
    const auto* step = words.steps;
    while (step[1].before[list] <= at) ++step;
    return words.keys().key(header(chunk).begin(list) + at, step->brief);
}

std::optional<AxisKey> AxisIndex::furthest(const Axis& axis, Side side, std::uint32_t target) const {
    const std::size_t list = list_of(side, true);
    for (std::uint32_t i = 0; i < axis.chunks; ++i) {
        const Arena::Place chunk = chunk_at(axis, side == Side::upper ? axis.chunks - 1 - i : i);
        const Header& head = header(chunk);
        const std::span all(lanes(chunk).targets + head.begin(list) - head.candidates(), head.sizes[list]);
        std::size_t at = all.size();
        if (side == Side::lower) {
            at = static_cast<std::size_t>(std::ranges::find(all, target) - all.begin());
        } else if (const auto last = std::find(all.rbegin(), all.rend(), target); last != all.rend()) {
            at = static_cast<std::size_t>(all.rend() - last) - 1;
        }
        if (at < all.size()) return key_at(chunk, list, static_cast<std::uint32_t>(at));
    }
    return std::nullopt;
}

double AxisIndex::share_before(const Axis& axis, const AxisPoint& point) const {
    constexpr std::uint32_t enough = 32;
    if (axis.is_empty()) return 0.5;
    const Cut place = cut(axis, find_chunk(axis, point), point);
    const std::uint32_t size = header(place.place).size();
    if (axis.chunks == 1 && size < enough) return 0.5;
    const double before = std::accumulate(place.at.begin(), place.at.end(), 0.0);
    return (place.chunk + before / size) / axis.chunks;
}

Arena::Place AxisIndex::new_chunk(const Room& room) {
    const Arena::Place chunk = blocks_.allocate(room.words());
    header(chunk) = {{}, room};
    lanes(chunk).steps[0] = {};
    return chunk;
}

// Of the bound that the step is for.
std::size_t AxisIndex::list_of(const Step* step) {
    std::size_t list = 0;
    while (step[1].before[list] == step->before[list]) ++list;
    return list;
}

// Copies a part of each list of one chunk to another, which is empty and has room for it.
void AxisIndex::copy(Arena::Place from, const Counts& first, const Counts& last, Arena::Place to) {
    const auto source = lanes(from);
    const auto target = lanes(to);
    Header& head = header(to);
    for (std::size_t list = 0; list < lists; ++list) {
        const std::uint32_t begin = header(from).begin(list) + first[list];
        const std::uint32_t at = head.size();
        const auto count = static_cast<std::uint8_t>(last[list] - first[list]);
        const auto copy_lane = [=](const auto* out_of, auto* into) {
            std::copy_n(out_of + begin, count, into + at);
        };
        copy_lane(source.major_high, target.major_high);
        copy_lane(source.major_low, target.major_low);
        copy_lane(source.minor, target.minor);
        if (list < 2) {
            copy_lane(source.postings, target.postings);
        } else {
            copy_lane(source.targets - header(from).candidates(), target.targets - head.candidates());
        }
        head.sizes[list] = count;
    }
    auto* copied = target.steps;
    for (const auto* step = source.steps; copied < target.steps + head.size(); ++step) {
        const std::size_t list = list_of(step);
        if (step->before[list] < first[list] || step->before[list] >= last[list]) continue;
        copied->brief = step->brief;
        copied[1].before = copied->before;
        ++copied[1].before[list];
        ++copied;
    }
}

void AxisIndex::set_place(Axis& axis, std::uint32_t at, Arena::Place chunk) {
    if (axis.chunks == 1) {
        axis.place = chunk;
    } else {
        chunks_of(axis)[at].place = chunk;
    }
}

void AxisIndex::note_least(const Axis& axis, std::uint32_t at) {
    if (axis.chunks == 1) return;
    Chunk& chunk = chunks_of(axis)[at];
    chunk.brief = lanes(chunk.place).steps->brief;
}

void AxisIndex::add_chunk(Axis& axis, std::uint32_t at, Arena::Place chunk) {
    const std::uint32_t room = axis.chunks == 1 ? 1 : *blocks_.at(axis.place);
    if (axis.chunks == room) {
        const std::uint32_t wider = room + room / 4 + 1;
        const Arena::Place place = blocks_.allocate(1 + chunk_words * wider);
        *blocks_.at(place) = wider;
        auto* const fresh = reinterpret_cast<Chunk*>(blocks_.at(place) + 1);
        if (axis.chunks == 1) {
            fresh[0].place = axis.place;
        } else {
            std::memcpy(fresh, chunks_of(axis), axis.chunks * sizeof(Chunk));
            blocks_.release(axis.place, 1 + chunk_words * room);
        }
        axis.place = place;
    }
    Chunk* const chunks = chunks_of(axis);
    shift(chunks, at, at + 1, axis.chunks - at);
    chunks[at].place = chunk;
    ++axis.chunks;
}

void AxisIndex::drop_chunk(Axis& axis, std::uint32_t at) {
    release(chunk_at(axis, at));
    if (axis.chunks == 1) {
        axis = {};
        return;
    }
    Chunk* const chunks = chunks_of(axis);
    shift(chunks, at + 1, at, axis.chunks - at - 1);
    if (--axis.chunks > 1) return;
    const Arena::Place last = chunks[0].place;
    blocks_.release(axis.place, 1 + chunk_words * *blocks_.at(axis.place));
    axis.place = last;
}

void AxisIndex::resize(Axis& axis, std::uint32_t at, const Room& room) {
    const Arena::Place fresh = new_chunk(room);
    const Arena::Place old = chunk_at(axis, at);
    copy(old, {}, header(old).sizes, fresh);
    set_place(axis, at, fresh);
    release(old);
}

// In the middle of its longest list.
void AxisIndex::split(Axis& axis, std::uint32_t at, const AxisPoint& some) {
    const Arena::Place old = chunk_at(axis, at);
    const Counts sizes = header(old).sizes;
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
    const std::uint8_t middle = sizes[longest] / 2;
    Counts cuts = count_before(old, some.at_key(key_at(old, longest, middle)));
    cuts[longest] = middle;  // wherever there are equal ones
    const auto room = [](const Counts& first, const Counts& last) {
        const auto count = [&](std::size_t list) { return std::uint32_t{last[list]} - first[list]; };
        return Room::for_some(count(0) + count(1), count(2) + count(3));
    };
    const Arena::Place low = new_chunk(room({}, cuts));
    Arena::Place high = low;
    try {
        high = new_chunk(room(cuts, sizes));
        add_chunk(axis, at + 1, high);
    } catch (...) {
        if (high != low) release(high);
        release(low);
        throw;
    }
    copy(old, {}, cuts, low);
    copy(old, cuts, sizes, high);
    set_place(axis, at, low);
    release(old);
    note_least(axis, at);
    note_least(axis, at + 1);
}

// The chunk for a bound, made to have room for it.
std::uint32_t AxisIndex::find_room(Axis& axis, bool sure, const AxisPoint& point) {
    if (axis.is_empty()) axis = {new_chunk(sure ? Room{0, 2} : Room{2, 0}), 1};
    for (;;) {
        const std::uint32_t at = find_chunk(axis, point);
        const Header& head = header(chunk_at(axis, at));
        if (head.size() >= largest) {
            split(axis, at, point);
        } else if (sure ? head.sure() < head.room.sure : head.candidates() < head.room.candidates) {
            return at;
        } else {
            resize(axis, at,
                   Room::for_some(head.candidates() + (sure ? 0 : 1), head.sure() + (sure ? 1 : 0)));
        }
    }
}

void AxisIndex::insert(Axis& axis, Side side, bool sure, const AxisPoint& point, const Posting& posting) {
    const std::size_t list = list_of(side, sure);
    const std::uint32_t number = find_room(axis, sure, point);
    const Arena::Place chunk = chunk_at(axis, number);
    Header& head = header(chunk);
    const std::uint32_t at = head.begin(list) + count_before(chunk, point)[list];
    const std::uint32_t size = head.size();
    const auto words = lanes(chunk);
    const auto put = [at](auto* lane, std::uint32_t end, const auto& item) {
        shift(lane, at, at + 1, end - at);
        lane[at] = item;
    };
    const std::uint32_t below = words.count_below(point.brief(), size);
    shift(words.steps, below, below + 1, size + 1 - below);
    words.steps[below].brief = point.brief();
    for (std::uint32_t i = below + 1; i <= size + 1; ++i) ++words.steps[i].before[list];
    put(words.major_high, size, static_cast<std::uint32_t>(point.key().major >> 32U));
    put(words.major_low, size, static_cast<std::uint32_t>(point.key().major));
    put(words.minor, size, point.key().minor);
    if (sure) {
        put(words.targets - head.candidates(), size, posting.target);
    } else {
        put(words.postings, head.candidates(), posting);
    }
    ++head.sizes[list];
    note_least(axis, number);
}

// Precondition: it is there, at that point or at an equal one behind it.
AxisIndex::Position AxisIndex::find_target(const Axis& axis, std::size_t list, const AxisPoint& point,
                                           std::uint32_t target) const {
    std::uint32_t number = find_chunk(axis, point);
    std::uint32_t before = count_before(chunk_at(axis, number), point)[list];
    for (;; ++number, before = 0) {
        const Header& head = header(chunk_at(axis, number));
        const auto words = lanes(chunk_at(axis, number));
        const std::uint32_t end = head.begin(list) + head.sizes[list];
        for (std::uint32_t at = head.begin(list) + before; at < end; ++at) {
            const std::uint32_t other =
                list < 2 ? words.postings[at].target : words.targets[at - head.candidates()];
            if (other == target) return {number, at};
        }
    }
}

void AxisIndex::erase(Axis& axis, Side side, bool sure, const AxisPoint& point,
                      std::uint32_t target) noexcept {
    const std::size_t list = list_of(side, sure);
    const Position position = find_target(axis, list, point, target);
    const Arena::Place chunk = chunk_at(axis, position.chunk);
    Header& head = header(chunk);
    const std::uint32_t left = head.size() - 1;
    if (left == 0) return drop_chunk(axis, position.chunk);
    const std::uint32_t candidates = head.candidates();
    const auto words = lanes(chunk);
    const auto take = [at = position.at](auto* lane, std::uint32_t end) {
        shift(lane, at + 1, at, end - at - 1);
    };
    std::uint32_t step = words.count_below(point.brief(), left + 1);
    while (list_of(words.steps + step) != list) ++step;
    shift(words.steps, step + 1, step, left + 1 - step);
    for (std::uint32_t i = step; i <= left; ++i) --words.steps[i].before[list];
    for (std::uint32_t* const lane : {words.major_high, words.major_low, words.minor}) take(lane, left + 1);
    if (sure) {
        take(words.targets - candidates, left + 1);
    } else {
        take(words.postings, candidates);
    }
    --head.sizes[list];
    note_least(axis, position.chunk);
    if (head.room.all() < 8 || left * 4 > head.room.all()) return;
    try {
        resize(axis, position.chunk, Room::for_some(head.candidates(), head.sure()));
    } catch (...) {  // then it stays as large as it is
    }
}

}  // namespace penstock
