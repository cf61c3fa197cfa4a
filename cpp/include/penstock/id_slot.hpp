// A hash table's slot for records that live elsewhere and are known by a 32-bit id.
#pragma once

#include <cstdint>

namespace penstock {

class IdSlot {
  public:
    IdSlot() = default;  // nothing
    explicit IdSlot(std::uint32_t id) : next_(id + 1) {}

    std::uint32_t id() const { return next_ - 1; }
    bool is_nothing() const { return next_ == 0; }

  private:
    std::uint32_t next_ = 0;
};

}  // namespace penstock
