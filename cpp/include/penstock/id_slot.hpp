// Slots of hash tables for records that live elsewhere and are known by a 32-bit id.
#pragma once

#include <cstdint>

namespace penstock {

class IdSlot {
  public:
    IdSlot() = default;  // nothing
    explicit IdSlot(std::uint32_t id, std::uint64_t /*hash*/ = 0) : next_(id + 1) {}

    std::uint32_t id() const { return next_ - 1; }
    bool is_nothing() const { return next_ == 0; }
    bool may_have(std::uint64_t /*hash*/) const { return true; }

  private:
    std::uint32_t next_ = 0;
};

// With a part of the record's hash: where records are sought all the time, few others are read on the way.
class TaggedSlot {
  public:
    TaggedSlot() = default;  // nothing
    TaggedSlot(std::uint32_t id, std::uint64_t hash) : slot_(id), tag_(static_cast<std::uint32_t>(hash)) {}

    std::uint32_t id() const { return slot_.id(); }
    bool is_nothing() const { return slot_.is_nothing(); }
    bool may_have(std::uint64_t hash) const { return tag_ == static_cast<std::uint32_t>(hash); }

  private:
    IdSlot slot_;
    std::uint32_t tag_ = 0;  // the low half: the high one says where the slot lies
};

}  // namespace penstock
