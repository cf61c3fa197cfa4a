// Who owns a filter: one interface, whose id is the owner itself, or a group of interfaces.
//
// A group counts how often each of its interfaces has subscribed to the filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "penstock/arena.hpp"
#include "penstock/filter_store.hpp"

namespace penstock {

using InterfaceId = StringPool::Id;

class OwnerGroups {
  public:
    static constexpr Owner group_flag = 1U << 31U;
    static bool is_group(Owner owner) { return (owner & group_flag) != 0; }

    struct Change {
        Owner owner;   // the new one; the old one is no longer valid if it is another
        bool changed;  // the interface was not among the owners before, or is not afterwards
    };
    Change add(Owner owner, InterfaceId interface);  // throws and changes nothing when there is no room
    Change remove(Owner owner, InterfaceId interface);

    // Each interface once.
    std::span<const InterfaceId> members(const Owner& owner) const {
        if (!is_group(owner)) return {&owner, 1};
        const Group& group = groups_[owner & ~group_flag];
        return {blocks_.at(group.place), group.size};
    }

    std::size_t bytes() const { return groups_.bytes() + blocks_.bytes(); }
    template <class Archive>
    void archive(Archive& archive) {
        archive(groups_);
        blocks_.archive(archive);
        archive(free_);
    }

  private:
    struct Group {
        Arena::Place place;  // as many interfaces as there is room for, then their counts; if dead: next free
        std::uint32_t size;
        std::uint32_t room;
    };
    static constexpr std::uint32_t none = UINT32_MAX;
    Owner make_group(InterfaceId interface);
    void grow(Group& group);

    Column<Group> groups_;
    Arena blocks_;
    std::uint32_t free_ = none;
};

}  // namespace penstock
