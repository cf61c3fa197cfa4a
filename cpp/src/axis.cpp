#include "penstock/axis.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace penstock {

AxisKey AxisKey::of(const Number& number, bool later) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    const auto bits = std::bit_cast<std::uint64_t>(number.rounded);
    constexpr std::int32_t middle = 1 << 20;  // residuals are far smaller
    return {(bits & sign) != 0 ? ~bits : bits | sign,
            static_cast<std::uint32_t>(number.residual + middle) << 1U | (later ? 1U : 0U)};
}

AxisKey AxisKey::of(std::string_view text, StringPool::Id id, bool later) {
    return {head(text), id << 1U | (later ? 1U : 0U)};
}

std::uint64_t AxisKey::head(std::string_view text) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(text.size(), 8); ++i)
        bytes |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(text[i])) << (56U - 8U * i);
    return bytes;
}

bool AxisPoint::text_before(std::uint32_t minor) const {
    const int order = pool_->at(minor >> 1U).compare(text_);
    return order != 0 ? order < 0 : (minor & 1U) < (key_.minor & 1U);
}

AxisIndex::Id AxisIndex::create() {
    axes_.push_back({});
    return static_cast<Id>(axes_.size() - 1);
}

// The first place from `first` on whose key, in its upper half, fails the test. Without a branch that depends
// on the keys, since no guess at it would be better than chance.
template <class Test>
std::uint32_t AxisIndex::count_before(Arena::Place chunk, std::uint32_t first, std::uint32_t last,
                                      Test&& test) const {
    const std::uint32_t* const keys = lane(chunk, 0);
    std::uint32_t at = first;
    std::uint32_t left = last - first;
    while (left > 1) {
        const std::uint32_t half = left / 2;
        at += half & (0U - static_cast<std::uint32_t>(test(keys[at + half - 1])));
        left -= half;
    }
    return at + (left == 1 && test(keys[at]) ? 1 : 0);
}

AxisIndex::Cut AxisIndex::find(const List& list, const AxisPoint& point) const {
    std::uint32_t low = 0;
    if (list.chunks > 1) {
        // The last chunk whose first key is before the point: the first one if there is none.
        const Chunk* const chunks = chunks_of(list);
        for (std::uint32_t left = list.chunks - 1; left > 0;) {
            const std::uint32_t half = left - left / 2;
            const Chunk& chunk = chunks[low + half];
            const bool before = point.before(
                static_cast<std::uint64_t>(chunk.major_high) << 32U | chunk.major_low, chunk.minor);
            low = before ? low + half : low;
            left = before ? left - half : half - 1;
        }
    }
    const Arena::Place chunk = chunk_at(list, low);
    const std::uint32_t size = header(chunk).size;
    const auto wanted = static_cast<std::uint32_t>(point.key().major >> 32U);
    const auto is_before = [&](std::uint32_t at) {
        return point.before(major_at(chunk, at), lane(chunk, 2)[at]);
    };
    std::uint32_t first = count_before(chunk, 0, size, [=](std::uint32_t key) { return key < wanted; });
    if (first == size || *(lane(chunk, 0) + first) != wanted || !is_before(first)) return {low, first};
    // Those that are equal as far as the upper half goes; most often all of them lie on one side.
    std::uint32_t last = count_before(chunk, first, size, [=](std::uint32_t key) { return key <= wanted; });
    if (is_before(last - 1)) return {low, last};
    while (first + 1 < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        (is_before(middle) ? first : last) = middle;
    }
    return {low, last};
}

AxisIndex::Cut AxisIndex::find_target(const List& list, const AxisPoint& point, std::uint32_t target) const {
    for (Cut cut = find(list, point);;) {
        const Arena::Place chunk = chunk_at(list, cut.chunk);
        if (cut.at == header(chunk).size) {
            cut = {cut.chunk + 1, 0};
        } else if (lane(chunk, 3)[cut.at] == target) {
            return cut;
        } else {
            ++cut.at;
        }
    }
}

Arena::Place AxisIndex::new_chunk(bool sure, std::uint32_t room) {
    const Arena::Place chunk = blocks_.allocate(words_for(sure, room));
    header(chunk) = {0, static_cast<std::uint16_t>(room)};
    return chunk;
}

void AxisIndex::move(bool sure, Arena::Place from, std::uint32_t first, std::uint32_t count, Arena::Place to,
                     std::uint32_t at) {
    std::uint32_t* const source = blocks_.at(from) + 1;
    std::uint32_t* const target = blocks_.at(to) + 1;
    const std::uint32_t source_room = header(from).room;
    const std::uint32_t target_room = header(to).room;
    for (std::uint32_t number = 0; number < (sure ? 4U : 5U); ++number) {
        std::memmove(target + number * target_room + at, source + number * source_room + first,
                     4 * std::size_t{count});
    }
}

void AxisIndex::set_place(List& list, std::uint32_t at, Arena::Place chunk) {
    if (list.chunks == 1) {
        list.place = chunk;
    } else {
        chunks_of(list)[at].place = chunk;
    }
}

void AxisIndex::note_first(const List& list, std::uint32_t at) {
    if (list.chunks == 1) return;
    Chunk& chunk = chunks_of(list)[at];
    const std::uint64_t major = major_at(chunk.place, 0);
    chunk.major_high = static_cast<std::uint32_t>(major >> 32U);
    chunk.major_low = static_cast<std::uint32_t>(major);
    chunk.minor = *lane(chunk.place, 2);
}

void AxisIndex::add_chunk(List& list, std::uint32_t at, Arena::Place chunk) {
    const std::uint32_t room = list.chunks == 1 ? 1 : *blocks_.at(list.place);
    if (list.chunks == room) {
        const std::uint32_t wider = room + room / 4 + 1;
        const Arena::Place place = blocks_.allocate(1 + chunk_words * wider);
        *blocks_.at(place) = wider;
        auto* const fresh = reinterpret_cast<Chunk*>(blocks_.at(place) + 1);
        if (list.chunks == 1) {
            fresh[0].place = list.place;
        } else {
            std::memcpy(fresh, chunks_of(list), list.chunks * sizeof(Chunk));
            blocks_.release(list.place, 1 + chunk_words * room);
        }
        list.place = place;
    }
    Chunk* const chunks = chunks_of(list);
    std::memmove(chunks + at + 1, chunks + at, (list.chunks - at) * sizeof(Chunk));
    chunks[at].place = chunk;
    ++list.chunks;
}

void AxisIndex::drop_chunk(List& list, bool sure, std::uint32_t at) {
    const Arena::Place dropped = chunk_at(list, at);
    blocks_.release(dropped, words_for(sure, header(dropped).room));
    if (list.chunks == 1) {
        list = {};
        return;
    }
    Chunk* const chunks = chunks_of(list);
    std::memmove(chunks + at, chunks + at + 1, (list.chunks - at - 1) * sizeof(Chunk));
    if (--list.chunks > 1) return;
    const Arena::Place last = chunks[0].place;
    blocks_.release(list.place, 1 + chunk_words * *blocks_.at(list.place));
    list.place = last;
}

void AxisIndex::resize_chunk(List& list, bool sure, std::uint32_t at, std::uint32_t room) {
    const Arena::Place fresh = new_chunk(sure, room);
    const Arena::Place old = chunk_at(list, at);
    header(fresh).size = header(old).size;
    move(sure, old, 0, header(old).size, fresh, 0);
    set_place(list, at, fresh);
    blocks_.release(old, words_for(sure, header(old).room));
}

void AxisIndex::split_chunk(List& list, bool sure, std::uint32_t at) {
    const Arena::Place high = new_chunk(sure, largest);
    try {
        add_chunk(list, at + 1, high);
    } catch (...) {
        blocks_.release(high, words_for(sure, largest));
        throw;
    }
    const Arena::Place low = chunk_at(list, at);
    const auto half = static_cast<std::uint16_t>(header(low).size / 2);
    header(high).size = static_cast<std::uint16_t>(header(low).size - half);
    move(sure, low, half, header(high).size, high, 0);
    header(low).size = half;
    note_first(list, at);
    note_first(list, at + 1);
}

void AxisIndex::insert(Id id, Side side, bool sure, const AxisPoint& point, const Posting& posting) {
    List& list = axes_[id].lists[static_cast<std::size_t>(side)][sure ? 1 : 0];
    if (list.chunks == 0) list = {new_chunk(sure, 2), 1};
    Cut cut = find(list, point);
    if (const Header full = header(chunk_at(list, cut.chunk)); full.size == full.room) {
        if (full.room >= largest) {
            split_chunk(list, sure, cut.chunk);
        } else {
            const std::size_t lanes = sure ? 4 : 5;
            const std::size_t block = Arena::room(words_for(sure, full.room + full.room / 4U + 2U));
            const auto room = static_cast<std::uint32_t>((block - 1) / lanes);
            resize_chunk(list, sure, cut.chunk, std::min(room, largest));
        }
        cut = find(list, point);
    }
    const Arena::Place chunk = chunk_at(list, cut.chunk);
    const Header old = header(chunk);
    move(sure, chunk, cut.at, old.size - cut.at, chunk, cut.at + 1);
    ++header(chunk).size;
    std::uint32_t* const lanes = blocks_.at(chunk) + 1;
    lanes[cut.at] = static_cast<std::uint32_t>(point.key().major >> 32U);
    lanes[old.room + cut.at] = static_cast<std::uint32_t>(point.key().major);
    lanes[2 * old.room + cut.at] = point.key().minor;
    lanes[3 * old.room + cut.at] = posting.target;
    if (!sure) std::memcpy(lanes + 4 * old.room + cut.at, &posting.check, sizeof(Check));
    if (cut.at == 0) note_first(list, cut.chunk);
}

void AxisIndex::erase(Id id, Side side, bool sure, const AxisPoint& point, std::uint32_t target) noexcept {
    List& list = axes_[id].lists[static_cast<std::size_t>(side)][sure ? 1 : 0];
    const Cut cut = find_target(list, point, target);
    const Arena::Place chunk = chunk_at(list, cut.chunk);
    const auto left = static_cast<std::uint16_t>(header(chunk).size - 1);
    if (left == 0) return drop_chunk(list, sure, cut.chunk);
    move(sure, chunk, cut.at + 1, left - cut.at, chunk, cut.at);
    header(chunk).size = left;
    if (cut.at == 0) note_first(list, cut.chunk);
    if (header(chunk).room < 8 || left * 4 > header(chunk).room) return;
    try {
        resize_chunk(list, sure, cut.chunk, left * 2U);
    } catch (...) {  // then it stays as large as it is
    }
}

}  // namespace penstock
