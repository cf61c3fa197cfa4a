#include "penstock/key_index.hpp"

#include <algorithm>
#include <cstring>

namespace penstock {

namespace {

// A filter stands once under a key, unless it asks for it in several relations.
bool same(const Key& key, const Posting& a, const Posting& b) {
    if (key.kind() == Key::Kind::exclusion && a.excluding_filter() != b.excluding_filter()) return false;
    return a.target == b.target && a.is_sure() == b.is_sure() && a.relation() == b.relation();
}

bool in_order(const Posting& a, const Posting& b) {
    const std::uint32_t first = a.checks[0].order();
    const std::uint32_t other = b.checks[0].order();
    return first != other ? first < other : a.checks[1].order() < b.checks[1].order();
}

}  // namespace

KeyIndex::Slot* KeyIndex::insert(const Key& key, const Posting& posting, bool list) {
    return table_.insert(hash(key), Slot{key.head() | (list ? 1U : 0U), key.value(), posting},
                         [&](const Slot& slot) { return hash_of(slot); });
}

void KeyIndex::erase(Slot* slot) {
    table_.erase(slot, [&](const Slot& other) { return hash_of(other); });
}

Arena::Place KeyIndex::new_list(std::uint32_t room) {
    const Arena::Place place = lists_.allocate(list_words(room));
    *reinterpret_cast<List*>(lists_.at(place)) = {room, 0, 0};
    return place;
}

// The slot's list, with room for so many more postings.
KeyIndex::List* KeyIndex::with_room(Slot* slot, std::uint32_t more) {
    List* const old = list_of(*slot);
    if (old->size + more <= old->room) return old;
    const std::uint32_t old_room = old->room;
    const auto wanted = std::max(old->size + more, old->room + old->room / 4 + 1);
    const auto room =
        static_cast<std::uint32_t>((Arena::room(list_words(wanted)) - header_words) / posting_words);
    const Arena::Place place = new_list(room);
    const List* const from = list_of(*slot);
    auto* const to = reinterpret_cast<List*>(lists_.at(place));
    to->size = from->size;
    to->sure = from->sure;
    std::memcpy(postings_of(to), postings_of(from), from->size * sizeof(Posting));
    lists_.release(slot->posting.target, list_words(old_room));
    slot->posting.target = place;
    return to;
}

bool KeyIndex::add(const Key& key, const Posting& posting) {
    Slot* const slot = find_slot(key);
    if (slot == nullptr) {
        insert(key, posting, false);
        return true;
    }
    if (!slot->has_list()) {
        const Arena::Place place = new_list(2);
        auto* const list = reinterpret_cast<List*>(lists_.at(place));
        list->size = 1;
        list->sure = slot->posting.is_sure() ? 1 : 0;
        postings_of(list)[0] = slot->posting;
        slot->posting = {place};
        slot->head |= 1U;
    }
    List* const list = with_room(slot, 1);
    Posting* const postings = postings_of(list);
    if (posting.is_sure()) {
        postings[list->size] = posting;
        ++list->sure;
    } else {
        const std::uint32_t count = list->candidates();
        if (list->sure > 0) postings[list->size] = postings[count];  // a sure one makes place
        insert_candidate(postings, count, posting);
    }
    ++list->size;
    return false;
}

// Into the last stretch.
void KeyIndex::insert_candidate(Posting* postings, std::uint32_t count, const Posting& posting) {
    Posting* const begin = postings + count / stretch * stretch;
    Posting* const end = postings + count;
    Posting* const place = std::upper_bound(begin, end, posting, in_order);
    std::move_backward(place, end, end + 1);
    *place = posting;
}

// The last candidate takes the place of the one that goes, in the order of the stretch.
void KeyIndex::erase_candidate(Posting* postings, std::uint32_t count, std::uint32_t at) {
    const std::uint32_t begin = at / stretch * stretch;
    const std::uint32_t end = std::min<std::uint32_t>(count, begin + stretch);
    const Posting last = postings[count - 1];
    std::move(postings + at + 1, postings + end, postings + at);
    if (end < count) {
        Posting* const hole = postings + end - 1;
        Posting* const place = std::upper_bound(postings + begin, hole, last, in_order);
        std::move_backward(place, hole, hole + 1);
        *place = last;
    }
}

void KeyIndex::remove_at(Slot* slot, std::uint32_t at) {
    List* const list = list_of(*slot);
    Posting* const postings = postings_of(list);
    const std::uint32_t count = list->candidates();
    if (at < count) {
        erase_candidate(postings, count, at);
        if (list->sure > 0) postings[count - 1] = postings[list->size - 1];  // a sure one fills the gap
    } else {
        postings[at] = postings[list->size - 1];
        --list->sure;
    }
    --list->size;
    if (list->size > 1) return;
    const Posting last = postings[0];
    lists_.release(slot->posting.target, list_words(list->room));
    slot->posting = last;
    slot->head &= ~1U;
}

bool KeyIndex::remove(const Key& key, const Posting& posting) noexcept {
    Slot* const slot = find_slot(key);
    if (!slot->has_list()) {
        erase(slot);
        return true;
    }
    List* const list = list_of(*slot);
    Posting* const postings = postings_of(list);
    Posting* const first = posting.is_sure() ? postings + list->candidates() : postings;
    Posting* const last = posting.is_sure() ? postings + list->size : postings + list->candidates();
    const Posting* const found =
        std::find_if(first, last, [&](const Posting& other) { return same(key, other, posting); });
    remove_at(slot, static_cast<std::uint32_t>(found - postings));
    return false;
}

std::size_t KeyIndex::count(const Key& key) const {
    const Slot* const slot = find(key, hash(key));
    if (slot == nullptr) return 0;
    return slot->has_list() ? list_of(*slot)->size : 1;
}

}  // namespace penstock
