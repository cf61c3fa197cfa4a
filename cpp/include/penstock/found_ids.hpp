// Ids of interfaces, or of a topic's destinations, one after the other: what a match finds.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace penstock {

// Does not clear what it makes room for: whoever makes room for as many as there may be would otherwise write
// all of it twice. Only for plain numbers, since what was never written may be moved along.
template <class T>
class UnfilledAllocator : public std::allocator<T> {
  public:
    using std::allocator<T>::allocator;
    template <class Other>
    struct rebind {
        using other = UnfilledAllocator<Other>;
    };

    template <class Other>
    void construct(Other* place) noexcept {
        ::new (static_cast<void*>(place)) Other;
    }
    template <class Other, class... Arguments>
    void construct(Other* place, Arguments&&... arguments) {
        std::construct_at(place, std::forward<Arguments>(arguments)...);
    }
};

using FoundIds = std::vector<std::uint32_t, UnfilledAllocator<std::uint32_t>>;

}  // namespace penstock
