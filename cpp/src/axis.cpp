#include "penstock/axis.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

namespace penstock {

namespace {

// How many of the briefs are below a given one. Without a branch that depends on them, since no guess at it
// would be better than chance.
std::uint32_t count_below(const std::uint32_t* briefs, std::uint32_t size, std::uint32_t brief) {
    std::uint32_t at = 0;
    while (size > 1) {
        const std::uint32_t half = size / 2;
        at += half & (0U - static_cast<std::uint32_t>(briefs[at + half - 1] < brief));
        size -= half;
    }
    return at + (size == 1 && briefs[at] < brief ? 1 : 0);
}

template <class Word>
void shift(Word* lane, std::uint32_t from, std::uint32_t to, std::uint32_t count) {
    std::memmove(lane + to, lane + from, count * sizeof(Word));
}

}  // namespace

AxisIndex::Room AxisIndex::Room::for_some(std::uint32_t all, std::uint32_t checks) {
    Room room{all + all / 4 + 1, checks + checks / 4};
    const std::size_t spare = Arena::room(room.words()) - room.words();
    room.all += static_cast<std::uint32_t>(spare / 5);
    return {std::min(room.all, largest), std::min(room.checks, largest)};
}

// Precondition: the briefs are equal.
bool AxisIndex::is_before(const Lanes<const std::uint32_t>& words, std::uint32_t at,
                          const AxisPoint& point) const {
    return point.before(static_cast<std::uint64_t>(words.major_high[at]) << 32U | words.major_low[at],
                        words.minor[at]);
}

bool AxisIndex::begins_before(const Chunk& chunk, const AxisPoint& point) const {
    if (chunk.brief != point.brief() || point.is_own()) return chunk.brief < point.brief();
    const auto words = lanes(chunk.place);
    for (std::size_t list = 0; list < lists; ++list) {
        const std::uint32_t at = header(chunk.place).begin(list);
        if (header(chunk.place).sizes[list] > 0 && words.brief[at] == point.brief() &&
            is_before(words, at, point))
            return true;
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

// How many of so many keys lie before the point.
inline std::uint32_t AxisIndex::count_before(const Lanes<const std::uint32_t>& words, std::uint32_t begin,
                                             std::uint32_t size, const AxisPoint& point) const {
    const std::uint32_t* const briefs = words.brief + begin;
    const std::uint32_t below = count_below(briefs, size, point.brief());
    if (point.is_own() || below == size || briefs[below] != point.brief()) return below;
    return below + count_equal_before(words, begin + below, size - below, point);
}

// Of those that are equal in brief to the first; most often all of them lie on one side.
std::uint32_t AxisIndex::count_equal_before(const Lanes<const std::uint32_t>& words, std::uint32_t begin,
                                            std::uint32_t size, const AxisPoint& point) const {
    std::uint32_t first = 0;
    std::uint32_t last =
        point.brief() == UINT32_MAX ? size : count_below(words.brief + begin, size, point.brief() + 1);
    if (!is_before(words, begin, point)) return 0;
    if (is_before(words, begin + last - 1, point)) return last;
    while (first + 1 < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        (is_before(words, begin + middle, point) ? first : last) = middle;
    }
    return last;
}

std::uint32_t AxisIndex::count_before(Arena::Place chunk, std::size_t list, const AxisPoint& point) const {
    const Header& head = header(chunk);
    return count_before(lanes(chunk), head.begin(list), head.sizes[list], point);
}

// All lists at once: a search by itself would wait for memory at each step. No branch depends on the briefs,
// and how many steps there are only on how large the chunk is.
AxisIndex::Cut AxisIndex::cut(const Axis& axis, std::uint32_t chunk, const AxisPoint& point) const {
    Cut cut{chunk, chunk_at(axis, chunk), {}};
    const Header& head = header(cut.place);
    const auto words = lanes(cut.place);
    const std::array<std::uint32_t, lists> begins{0, head.begin(1), head.begin(2), head.begin(3)};
    std::array<std::uint32_t, lists> found{};
    const auto advance = [&](std::uint32_t step) {
        for (std::size_t list = 0; list < lists; ++list) {
            const std::uint32_t next = found[list] + step;
            const std::uint32_t size = head.sizes[list];
            const std::uint32_t brief = words.brief[begins[list] + std::min(next - 1, size)];
            found[list] += step & (0U - static_cast<std::uint32_t>((next <= size) & (brief < point.brief())));
        }
    };
    for (std::uint32_t step = std::bit_floor(std::uint32_t{*std::ranges::max_element(head.sizes)}); step > 0;
         step /= 2)
        advance(step);
    if (!point.is_own()) {
        for (std::size_t list = 0; list < lists; ++list) {
            const std::uint32_t size = head.sizes[list];
            const std::uint32_t at = begins[list] + found[list];
            if ((found[list] < size) & (words.brief[at] == point.brief()))
                found[list] += count_equal_before(words, at, size - found[list], point);
        }
    }
    for (std::size_t list = 0; list < lists; ++list) cut.at[list] = static_cast<std::uint16_t>(found[list]);
    return cut;
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
    header(chunk) = {{}, static_cast<std::uint16_t>(room.all), static_cast<std::uint16_t>(room.checks)};
    return chunk;
}

// Appends a part of each list of one chunk to that of another, which has room for it.
void AxisIndex::copy(Arena::Place from, const Sizes& first, const Sizes& last, Arena::Place to) {
    const auto source = lanes(from);
    const auto target = lanes(to);
    for (std::size_t list = 0; list < lists; ++list) {
        const std::uint32_t begin = header(from).begin(list) + first[list];
        const std::uint32_t at = header(to).size();
        const auto count = static_cast<std::uint16_t>(last[list] - first[list]);
        const auto copy_lane = [=](const std::uint32_t* out_of, std::uint32_t* into) {
            std::memcpy(into + at, out_of + begin, count * sizeof(std::uint32_t));
        };
        copy_lane(source.brief, target.brief);
        copy_lane(source.target, target.target);
        copy_lane(source.major_high, target.major_high);
        copy_lane(source.major_low, target.major_low);
        copy_lane(source.minor, target.minor);
        if (list < 2) {
            for (std::size_t i = 0; i < 3; ++i) copy_lane(source.checks[i], target.checks[i]);
        }
        header(to).sizes[list] = count;
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
    const Header& head = header(chunk.place);
    const auto words = lanes(chunk.place);
    chunk.brief = UINT32_MAX;
    for (std::size_t list = 0; list < lists; ++list) {
        if (head.sizes[list] > 0) chunk.brief = std::min(chunk.brief, words.brief[head.begin(list)]);
    }
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
    const Sizes sizes = header(old).sizes;
    const auto longest = static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
    Sizes cuts{};
    cuts[longest] = sizes[longest] / 2;
    const auto words = std::as_const(*this).lanes(old);
    const std::uint32_t middle = header(old).begin(longest) + cuts[longest];
    const AxisPoint point =
        some.at_key({static_cast<std::uint64_t>(words.major_high[middle]) << 32U | words.major_low[middle],
                     words.minor[middle], words.brief[middle], false});
    for (std::size_t list = 0; list < lists; ++list) {
        if (list != longest) cuts[list] = static_cast<std::uint16_t>(count_before(old, list, point));
    }
    const auto room = [](const Sizes& first, const Sizes& last) {
        const auto count = [&](std::size_t list) { return std::uint32_t{last[list]} - first[list]; };
        return Room::for_some(count(0) + count(1) + count(2) + count(3), count(0) + count(1));
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
    if (axis.is_empty()) axis = {new_chunk({2, sure ? 0U : 2U}), 1};
    for (;;) {
        const std::uint32_t at = find_chunk(axis, point);
        const Header& head = header(chunk_at(axis, at));
        const std::uint32_t size = head.size();
        const std::uint32_t candidates = head.candidates();
        if (size < head.room && (sure || candidates < head.check_room)) return at;
        if (size >= largest) {
            split(axis, at, point);
        } else {
            resize(axis, at, Room::for_some(size + 1, sure ? candidates : candidates + 1));
        }
    }
}

void AxisIndex::insert(Axis& axis, Side side, bool sure, const AxisPoint& point, const Posting& posting) {
    const std::size_t list = list_of(side, sure);
    const std::uint32_t number = find_room(axis, sure, point);
    const Arena::Place chunk = chunk_at(axis, number);
    Header& head = header(chunk);
    const std::uint32_t at = head.begin(list) + count_before(chunk, list, point);
    const std::uint32_t size = head.size();
    const std::uint32_t candidates = head.candidates();
    const auto words = lanes(chunk);
    const auto put = [at](std::uint32_t* lane, std::uint32_t end, std::uint32_t word) {
        shift(lane, at, at + 1, end - at);
        lane[at] = word;
    };
    put(words.brief, size, point.brief());
    put(words.target, size, posting.target);
    put(words.major_high, size, static_cast<std::uint32_t>(point.key().major >> 32U));
    put(words.major_low, size, static_cast<std::uint32_t>(point.key().major));
    put(words.minor, size, point.key().minor);
    if (!sure) {
        for (std::size_t i = 0; i < 3; ++i) put(words.checks[i], candidates, posting.checks[i].word());
    }
    ++head.sizes[list];
    note_least(axis, number);
}

// Precondition: it is there, at that point or at an equal one behind it.
AxisIndex::Position AxisIndex::find_target(const Axis& axis, std::size_t list, const AxisPoint& point,
                                           std::uint32_t target) const {
    std::uint32_t number = find_chunk(axis, point);
    std::uint32_t before = count_before(chunk_at(axis, number), list, point);
    for (;; ++number, before = 0) {
        const Header& head = header(chunk_at(axis, number));
        const std::uint32_t* const targets = lanes(chunk_at(axis, number)).target + head.begin(list);
        const std::uint32_t* const end = targets + head.sizes[list];
        const std::uint32_t* const found = std::find(targets + before, end, target);
        if (found != end) return {number, head.begin(list) + static_cast<std::uint32_t>(found - targets)};
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
    const auto take = [at = position.at](std::uint32_t* lane, std::uint32_t end) {
        shift(lane, at + 1, at, end - at - 1);
    };
    for (std::uint32_t* const lane :
         {words.brief, words.target, words.major_high, words.major_low, words.minor})
        take(lane, left + 1);
    if (!sure) {
        for (std::uint32_t* const lane : words.checks) take(lane, candidates);
    }
    --head.sizes[list];
    note_least(axis, position.chunk);
    if (head.room < 8 || left * 4 > head.room) return;
    try {
        resize(axis, position.chunk, Room::for_some(left, head.candidates()));
    } catch (...) {  // then it stays as large as it is
    }
}

}  // namespace penstock
