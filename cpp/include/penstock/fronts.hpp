// The furthest bounds of each interface, where interfaces are few.
//
// Of an interface's upper bounds that suffice by themselves only the largest matters, of the lower ones the
// smallest: a value that satisfies any of them satisfies that one. So the front of an axis has at most two
// bounds for each interface: the upper ones, then the lower ones, each in order. Beside a bound stand all the
// interfaces that a value gets which satisfies it, since it satisfies the bounds beyond it too: one search
// finds whatever the axis is sure of, however many bounds there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "penstock/arena.hpp"
#include "penstock/axis.hpp"
#include "penstock/interface_set.hpp"

namespace penstock {

class FrontIndex {
  public:
    using Front = Arena::Place;
    static constexpr Front empty = Arena::none;
    using Side = AxisIndex::Side;

    // A bound has come. Nothing changes if memory runs out.
    void advance(Front& front, Side side, const AxisPoint& point, InterfaceId interface);
    // Whether that bound of the interface is in the front, or is equal to the one that is.
    bool has(Front front, Side side, const AxisKey& key, InterfaceId interface) const;
    // The bound in the front has gone, and this is the furthest of those that are left.
    void retreat(Front& front, Side side, InterfaceId interface,
                 const std::optional<AxisPoint>& next) noexcept;

    void prefetch(Front front) const {
        for (std::size_t line = 0; line < 2; ++line) __builtin_prefetch(blocks_.at(front) + 16 * line);
    }
    // Whoever has a bound that holds for a value there. Precondition: the front is not empty.
    InterfaceSet find(Front front, const AxisPoint& point) const;

    void clear() { blocks_ = {}; }
    std::size_t bytes() const { return blocks_.bytes(); }
    void shrink() { blocks_.shrink(); }
    template <class Archive>
    void archive(Archive& archive) {
        blocks_.archive(archive);
    }

  private:
    static constexpr std::size_t sides = 2;
    struct Header {
        std::array<std::uint16_t, sides> sizes;
        std::uint32_t room;

        std::uint32_t begin(Side side) const { return side == Side::upper ? 0 : sizes[0]; }
        std::uint32_t end(Side side) const { return side == Side::upper ? sizes[0] : size(); }
        std::uint32_t size() const { return std::uint32_t{sizes[0]} + sizes[1]; }
        std::uint16_t& size_of(Side side) { return sizes[static_cast<std::size_t>(side)]; }
    };
    static constexpr std::size_t header_words = sizeof(Header) / 4;
    static constexpr std::size_t set_words = sizeof(InterfaceSet) / 4;
    // The lanes: of briefs, interfaces and the rest of the keys; then the sets.
    static constexpr std::size_t lanes = 5;
    static std::size_t words_for(std::uint32_t room) { return header_words + (lanes + set_words) * room; }

    Header& header(Front front) { return *reinterpret_cast<Header*>(blocks_.at(front)); }
    const Header& header(Front front) const { return *reinterpret_cast<const Header*>(blocks_.at(front)); }
    std::uint32_t* lane(Front front, std::size_t number) {
        return blocks_.at(front) + header_words + number * header(front).room;
    }
    const std::uint32_t* lane(Front front, std::size_t number) const {
        return blocks_.at(front) + header_words + number * header(front).room;
    }
    const std::uint32_t* interfaces(Front front) const { return lane(front, 1); }
    KeyLanes keys(Front front) const { return {lane(front, 2), lane(front, 3), lane(front, 4)}; }
    InterfaceSet set_at(Front front, std::uint32_t at) const;

    std::uint32_t count_before(Front front, std::uint32_t begin, std::uint32_t size,
                               const AxisPoint& point) const;
    std::uint32_t find(Front front, Side side, InterfaceId interface) const;
    Front new_front(std::uint32_t room);
    void make_room(Front& front);
    void insert(Front front, Side side, const AxisPoint& point, InterfaceId interface);
    void erase(Front front, Side side, std::uint32_t at);
    void unite(Front front, Side side);

    Arena blocks_;
};

}  // namespace penstock
