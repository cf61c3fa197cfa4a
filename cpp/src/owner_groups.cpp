#include "penstock/owner_groups.hpp"

#include <algorithm>
#include <cstring>

#include "penstock/error.hpp"

namespace penstock {

OwnerGroups::Change OwnerGroups::add(Owner owner, InterfaceId interface) {
    if (interface >= group_flag) throw CapacityError("a table holds at most 2 billion interfaces");
    if (owner == no_owner) return {interface, true};
    const Owner number = is_group(owner) ? owner : make_group(owner);
    Group& group = groups_[number & ~group_flag];
    InterfaceId* members = blocks_.at(group.place);
    InterfaceId* const found = std::find(members, members + group.size, interface);
    if (found != members + group.size) {
        ++found[group.room];
        return {number, false};
    }
    if (group.size == group.room) {
        grow(group);  // a new group has room for two, so this is an old one, which stays as it was on failure
        members = blocks_.at(group.place);
    }
    members[group.size] = interface;
    members[group.room + group.size] = 1;
    ++group.size;
    return {number, true};
}

Owner OwnerGroups::make_group(InterfaceId interface) {
    if (free_ == none) {
        if (groups_.size() >= group_flag - 1) throw CapacityError("too many filters have several interfaces");
        groups_.make_room();
    }
    constexpr std::uint32_t room = 2;
    const Arena::Place place = blocks_.allocate(2 * room);
    blocks_.at(place)[0] = interface;
    blocks_.at(place)[room] = 1;
    std::uint32_t number = free_;
    if (number != none) {
        free_ = groups_[number].place;
        groups_[number] = {place, 1, room};
    } else {
        number = static_cast<std::uint32_t>(groups_.size());
        groups_.push_back({place, 1, room});
    }
    return number | group_flag;
}

void OwnerGroups::grow(Group& group) {
    const std::uint32_t room = group.room + std::max(group.room / 2, 2U);
    const Arena::Place place = blocks_.allocate(2 * std::size_t{room});
    const InterfaceId* const old = blocks_.at(group.place);
    InterfaceId* const fresh = blocks_.at(place);
    std::memcpy(fresh, old, group.size * sizeof(InterfaceId));
    std::memcpy(fresh + room, old + group.room, group.size * sizeof(InterfaceId));
    blocks_.release(group.place, 2 * std::size_t{group.room});
    group.place = place;
    group.room = room;
}

OwnerGroups::Change OwnerGroups::remove(Owner owner, InterfaceId interface) {
    if (!is_group(owner)) return {no_owner, true};
    Group& group = groups_[owner & ~group_flag];
    InterfaceId* const members = blocks_.at(group.place);
    InterfaceId* const counts = members + group.room;
    const auto at = std::find(members, members + group.size, interface) - members;
    const bool last_time = --counts[at] == 0;
    if (last_time) {
        --group.size;
        members[at] = members[group.size];
        counts[at] = counts[group.size];
    }
    if (group.size > 1 || counts[0] > 1) return {owner, last_time};
    const Owner last = members[0];
    blocks_.release(group.place, 2 * std::size_t{group.room});
    group.place = free_;
    free_ = owner & ~group_flag;
    return {last, last_time};
}

}  // namespace penstock
