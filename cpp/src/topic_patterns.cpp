#include "penstock/topic_patterns.hpp"

#include <algorithm>
#include <cstring>

#include "penstock/error.hpp"
#include "penstock/varint.hpp"

namespace penstock {

PatternId TopicPatterns::add(const TopicLevels& pattern) {
    const std::string_view text = pattern.text();
    const PatternId id = blocks_.allocate(words_for(text));
    if (id >= list_flag) {
        blocks_.release(id, words_for(text));
        throw CapacityError("the patterns would exceed 8 GiB");
    }
    std::uint32_t* const block = blocks_.at(id);
    block[0] = nobody;
    block[1] = nobody;
    block[shape_at] = pattern.shape();
    block[next_at] = no_pattern;
    auto* bytes = reinterpret_cast<std::uint8_t*>(block + header);
    write_varint(text.size(), [&](std::uint8_t byte) { *bytes++ = byte; });
    std::memcpy(bytes, text.data(), text.size());
    ++size_;
    return id;
}

void TopicPatterns::remove(PatternId id) {
    blocks_.release(id, words_for(text(id)));
    --size_;
}

std::uint32_t TopicPatterns::attach(PatternId id, DestinationId destination, std::uint32_t subscription) {
    std::uint32_t* block = blocks_.at(id);
    if (block[0] == nobody && (block[shape_at] & list_flag) == 0) {
        block[0] = destination;
        block[1] = subscription;
        return 0;
    }
    const auto size = static_cast<std::uint32_t>(destinations(id).size());
    const std::uint32_t room = (block[shape_at] & list_flag) != 0 ? block[1] : 1;
    if (size == room) move_to_list(id, room + std::max(room / 4, 1U));
    block = blocks_.at(id);
    std::uint32_t* const list = blocks_.at(block[0]);
    list[1 + size] = destination;
    list[1 + block[1] + size] = subscription;
    list[0] = size + 1;
    return size;
}

void TopicPatterns::move_to_list(PatternId id, std::uint32_t room) {
    room = static_cast<std::uint32_t>((Arena::room(list_words(room)) - 1) / 2);
    const PatternId place = blocks_.allocate(list_words(room));
    std::uint32_t* const block = blocks_.at(id);
    std::uint32_t* const list = blocks_.at(place);
    const std::span<const DestinationId> old = destinations(id);
    const auto size = static_cast<std::uint32_t>(old.size());
    list[0] = size;
    std::ranges::copy(old, list + 1);
    if ((block[shape_at] & list_flag) != 0) {
        std::copy_n(old.data() + block[1], size, list + 1 + room);
        blocks_.release(block[0], list_words(block[1]));
    } else {
        list[1 + room] = block[1];
        block[shape_at] |= list_flag;
    }
    block[0] = place;
    block[1] = room;
}

std::uint32_t TopicPatterns::detach(PatternId id, std::uint32_t place) {
    std::uint32_t* const block = blocks_.at(id);
    if ((block[shape_at] & list_flag) == 0) {
        block[0] = nobody;
        block[1] = nobody;
        return nobody;
    }
    std::uint32_t* const list = blocks_.at(block[0]);
    std::uint32_t* const subscriptions = list + 1 + block[1];
    const std::uint32_t last = --list[0];
    list[1 + place] = list[1 + last];
    subscriptions[place] = subscriptions[last];
    const std::uint32_t moved = place == last ? nobody : subscriptions[place];
    if (last > 1) return moved;
    const std::uint32_t alone[2] = {list[1], subscriptions[0]};
    blocks_.release(block[0], list_words(block[1]));
    std::copy_n(alone, 2, block);
    block[shape_at] &= ~list_flag;
    return moved;
}

}  // namespace penstock
