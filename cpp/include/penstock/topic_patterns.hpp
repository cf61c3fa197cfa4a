// The distinct patterns of a topic table, each with its destinations.
//
// A pattern is a block of words: its destination and the subscription that has it there, its shape, the next
// pattern of a chain (for the index that needs one), and its text. Destinations beyond the first move to a
// list of their own. A destination may be on a list as often as it has subscribed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "penstock/arena.hpp"
#include "penstock/string_pool.hpp"
#include "penstock/topic_levels.hpp"

namespace penstock {

using DestinationId = StringPool::Id;
using PatternId = Arena::Place;
inline constexpr PatternId no_pattern = UINT32_MAX;

class TopicPatterns {
  public:
    static constexpr std::uint32_t nobody = UINT32_MAX;

    // Without destinations. Throws CapacityError beyond 8 GiB, so that an id has 31 bits.
    PatternId add(const TopicLevels& pattern);
    void remove(PatternId id);  // when the last destination is gone

    std::string_view text(PatternId id) const {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(blocks_.at(id) + header);
        const std::uint32_t size = read_varint(bytes);
        return {reinterpret_cast<const char*>(bytes), size};
    }
    std::uint32_t shape(PatternId id) const { return blocks_.at(id)[shape_at] & ~list_flag; }
    std::size_t levels(PatternId id) const { return std::bit_width(shape(id)) - 1U; }
    bool matches(PatternId id, const TopicLevels& topic) const;
    bool is(PatternId id, const TopicLevels& pattern) const { return text(id) == pattern.text(); }
    void prefetch(PatternId id) const { __builtin_prefetch(blocks_.at(id)); }

    PatternId next(PatternId id) const { return blocks_.at(id)[next_at]; }
    void set_next(PatternId id, PatternId next) { blocks_.at(id)[next_at] = next; }

    std::span<const DestinationId> destinations(PatternId id) const {
        const std::uint32_t* const block = blocks_.at(id);
        if ((block[shape_at] & list_flag) != 0) {
            const std::uint32_t* const list = blocks_.at(block[0]);
            return {list + 1, list[0]};
        }
        return {block, block[0] == nobody ? 0U : 1U};
    }
    // Returns its place among the destinations. Throws, and has changed nothing, when there is no room.
    std::uint32_t attach(PatternId id, DestinationId destination, std::uint32_t subscription);
    // Returns the subscription that has that place from now on, or nobody.
    std::uint32_t detach(PatternId id, std::uint32_t place);

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return blocks_.bytes(); }
    void shrink() { blocks_.shrink(); }
    template <class Archive>
    void archive(Archive& archive) {
        blocks_.archive(archive);
        archive(size_);
    }

  private:
    // Words of a block. With a list, the first is its place and the second how many it has room for; the list
    // is its size, the destinations and then their subscriptions.
    static constexpr std::size_t shape_at = 2;
    static constexpr std::size_t next_at = 3;
    static constexpr std::size_t header = 4;
    static constexpr std::uint32_t list_flag = 1U << 31U;

    static std::size_t words_for(std::string_view text) {
        return header + (varint_size(text.size()) + text.size() + 3) / 4;
    }
    static std::size_t list_words(std::uint32_t room) { return 1 + 2 * std::size_t{room}; }
    void move_to_list(PatternId id, std::uint32_t room);

    Arena blocks_;
    std::uint64_t size_ = 0;
};

// Runs of literal levels are compared at once: between two wildcards, the topic must have the same bytes.
inline bool TopicPatterns::matches(PatternId id, const TopicLevels& topic) const {
    const std::uint32_t shape = this->shape(id);
    const auto levels = static_cast<unsigned>(std::bit_width(shape)) - 1;
    if (levels > topic.size()) return false;
    std::string_view rest = text(id);
    for (unsigned level = 0;;) {
        // The bit above the last level is set, and that level is no wildcard.
        const auto end = level + static_cast<unsigned>(std::countr_zero(shape >> level));
        const std::string_view run = topic.between(level, end - 1);
        if (!rest.starts_with(run)) return false;
        if (end == levels) return rest.size() == run.size();
        level = end + static_cast<unsigned>(std::countr_one(shape >> end));
        const std::size_t skipped = run.size() + 1 + 2 * std::size_t{level - end};
        if (rest.size() <= skipped || rest[run.size()] != '/') return false;
        rest.remove_prefix(skipped);
    }
}

}  // namespace penstock
