#include "penstock/fronts.hpp"

#include <algorithm>
#include <cstring>

namespace penstock {

InterfaceSet FrontIndex::set_at(Front front, std::uint32_t at) const {
    InterfaceSet set;
    std::memcpy(set.words.data(), lane(front, lanes) + set_words * at, sizeof set.words);
    return set;
}

std::uint32_t FrontIndex::count_before(Front front, std::uint32_t begin, std::uint32_t size,
                                       const AxisPoint& point) const {
    const std::uint32_t* const briefs = lane(front, 0) + begin;
    const auto brief_of = [briefs](std::uint32_t at) { return briefs[at]; };
    const std::uint32_t below = count_below(point.brief(), size, brief_of);
    if (point.is_own() || below == size || briefs[below] != point.brief()) return below;
    const std::uint32_t equal = count_up_to(point.brief(), size, brief_of) - below;
    return below + keys(front).count_before(begin + below, equal, point);
}

// The last upper bounds hold, and the first lower ones.
InterfaceSet FrontIndex::find(Front front, const AxisPoint& point) const {
    const Header& head = header(front);
    const std::uint32_t upper = count_before(front, 0, head.sizes[0], point);
    const std::uint32_t lower = count_before(front, head.sizes[0], head.sizes[1], point);
    InterfaceSet found;
    if (upper < head.sizes[0]) found = set_at(front, upper);
    if (lower > 0) found |= set_at(front, head.sizes[0] + lower - 1);
    return found;
}

// Where the interface stands, or the end of that side.
std::uint32_t FrontIndex::find(Front front, Side side, InterfaceId interface) const {
    const Header& head = header(front);
    const std::uint32_t* const all = interfaces(front);
    return static_cast<std::uint32_t>(std::find(all + head.begin(side), all + head.end(side), interface) -
                                      all);
}

bool FrontIndex::has(Front front, Side side, const AxisKey& key, InterfaceId interface) const {
    if (front == empty) return false;
    const std::uint32_t at = find(front, side, interface);
    if (at == header(front).end(side)) return false;
    const AxisKey other = keys(front).key(at, 0);
    return other.major == key.major && other.minor == key.minor;
}

void FrontIndex::advance(Front& front, Side side, const AxisPoint& point, InterfaceId interface) {
    if (front != empty) {
        const std::uint32_t at = find(front, side, interface);
        if (at < header(front).end(side)) {
            const bool is_beyond = count_before(front, at, 1, point) == (side == Side::upper ? 1U : 0U);
            if (!is_beyond) return;
            erase(front, side, at);
        }
    }
    make_room(front);
    insert(front, side, point, interface);
    unite(front, side);
}

void FrontIndex::retreat(Front& front, Side side, InterfaceId interface,
                         const std::optional<AxisPoint>& next) noexcept {
    erase(front, side, find(front, side, interface));
    if (next) insert(front, side, *next, interface);
    if (header(front).size() > 0) return unite(front, side);
    blocks_.release(front, words_for(header(front).room));
    front = empty;
}

FrontIndex::Front FrontIndex::new_front(std::uint32_t room) {
    const Front front = blocks_.allocate(words_for(room));
    header(front) = {{}, room};
    return front;
}

void FrontIndex::make_room(Front& front) {
    if (front == empty) {
        front = new_front(2);
        return;
    }
    const std::uint32_t size = header(front).size();
    if (size < header(front).room) return;
    const Front wider = new_front(size + size / 2);
    header(wider).sizes = header(front).sizes;
    for (std::size_t i = 0; i < lanes; ++i)
        std::memcpy(lane(wider, i), lane(front, i), size * sizeof(std::uint32_t));
    std::memcpy(lane(wider, lanes), lane(front, lanes), size * sizeof(InterfaceSet));
    blocks_.release(front, words_for(header(front).room));
    front = wider;
}

// Precondition: there is room for it. The sets are not true before unite(), here and below.
void FrontIndex::insert(Front front, Side side, const AxisPoint& point, InterfaceId interface) {
    Header& head = header(front);
    const AxisKey& key = point.key();
    const std::uint32_t begin = head.begin(side);
    const std::uint32_t at = begin + count_before(front, begin, head.end(side) - begin, point);
    const std::array<std::uint32_t, lanes> words{key.brief, interface,
                                                 static_cast<std::uint32_t>(key.major >> 32U),
                                                 static_cast<std::uint32_t>(key.major), key.minor};
    for (std::size_t i = 0; i < lanes; ++i) {
        std::uint32_t* const place = lane(front, i) + at;
        std::memmove(place + 1, place, (head.size() - at) * sizeof(std::uint32_t));
        *place = words[i];
    }
    std::uint32_t* const set = lane(front, lanes) + set_words * at;
    std::memmove(set + set_words, set, (head.size() - at) * sizeof(InterfaceSet));
    ++head.size_of(side);
}

void FrontIndex::erase(Front front, Side side, std::uint32_t at) {
    Header& head = header(front);
    const std::uint32_t behind = head.size() - at - 1;
    for (std::size_t i = 0; i < lanes; ++i) {
        std::uint32_t* const place = lane(front, i) + at;
        std::memmove(place, place + 1, behind * sizeof(std::uint32_t));
    }
    std::uint32_t* const set = lane(front, lanes) + set_words * at;
    std::memmove(set, set + set_words, behind * sizeof(InterfaceSet));
    --head.size_of(side);
}

void FrontIndex::unite(Front front, Side side) {
    const Header& head = header(front);
    const std::uint32_t begin = head.begin(side);
    const std::uint32_t end = head.end(side);
    InterfaceSet all;
    for (std::uint32_t i = 0; i < end - begin; ++i) {
        const std::uint32_t at = side == Side::upper ? end - 1 - i : begin + i;
        all.insert(interfaces(front)[at]);
        std::memcpy(lane(front, lanes) + set_words * at, all.words.data(), sizeof all.words);
    }
}

}  // namespace penstock
