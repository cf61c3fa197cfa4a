// Distinct texts in byte order, one after the other in memory; a text's number is its rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace penstock {

class KeyTable {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;

    void build(std::span<const std::string_view> sorted);
    std::string_view at(std::uint32_t rank) const {
        return {bytes_.data() + offsets_[rank], offsets_[rank + 1] - offsets_[rank]};
    }
    std::uint32_t find(std::string_view text) const;  // by bisection; none if it is not there
    std::uint32_t size() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
    std::size_t bytes() const { return bytes_.capacity() + offsets_.capacity() * sizeof(std::uint32_t); }

  private:
    std::vector<std::uint32_t> offsets_{0};
    std::vector<char> bytes_;
};

}  // namespace penstock
