// A set of interfaces, where these are few.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "penstock/catalogue.hpp"

namespace penstock {

struct InterfaceSet {
    static constexpr std::size_t most = 256;  // members are below this

    std::array<std::uint64_t, most / 64> words{};

    void insert(InterfaceId interface) { words[interface >> 6U] |= std::uint64_t{1} << (interface & 63U); }
    InterfaceSet& operator|=(const InterfaceSet& other) {
        for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
        return *this;
    }
};

}  // namespace penstock
