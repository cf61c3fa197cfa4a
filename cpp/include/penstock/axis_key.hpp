// Places on an axis, in full and in brief.
//
// One order serves numbers and strings: a key has a major part, the double or the first eight bytes, and a
// minor one, the residual of a large integer or the string itself; its lowest bit puts <= after <, > after
// >=. The brief of a key is a 32-bit number in the same order. Numbers with at most 23 significant bits, and
// not too large or too small, have a brief of their own, which decides every comparison; others share theirs
// with their neighbours, and so do strings.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "penstock/number.hpp"
#include "penstock/string_pool.hpp"

namespace penstock {

struct AxisKey {
    std::uint64_t major;
    std::uint32_t minor;
    std::uint32_t brief;
    bool is_own;  // no other key has that brief

    static AxisKey of(const Number& number, bool later);
    static AxisKey of(std::string_view text, StringPool::Id id, bool later);
    static std::uint64_t head(std::string_view text);
    // Its major part.
    static std::uint64_t head(const Number& number) {
        constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
        const auto bits = std::bit_cast<std::uint64_t>(number.rounded);
        return (bits & sign) != 0 ? ~bits : bits | sign;
    }
};

// A place on an axis: before(key) tells the keys before it.
class AxisPoint {
  public:
    // The place of a value: behind `< value` and `>= value`, before `<= value` and `> value`.
    explicit AxisPoint(const Number& value) : key_(AxisKey::of(value, true)) {}
    AxisPoint(std::string_view value, const StringPool& pool)
        : key_(AxisKey::of(value, 0, true)), text_(value), pool_(&pool) {}
    // The place of a key.
    explicit AxisPoint(const AxisKey& key) : key_(key) {}
    AxisPoint(const AxisKey& key, const StringPool& pool)
        : key_(key), text_(pool.at(key.minor >> 1U)), pool_(&pool) {}

    // The place of a key on the same axis.
    AxisPoint at_key(const AxisKey& key) const {
        return pool_ == nullptr ? AxisPoint(key) : AxisPoint(key, *pool_);
    }

    // Precondition: the key has the same brief.
    bool before(std::uint64_t major, std::uint32_t minor) const {
        if (major != key_.major) return major < key_.major;
        return pool_ == nullptr ? minor < key_.minor : text_before(minor);
    }
    const AxisKey& key() const { return key_; }
    std::uint32_t brief() const { return key_.brief; }
    bool is_own() const { return key_.is_own; }

  private:
    bool text_before(std::uint32_t minor) const;

    AxisKey key_;
    std::string_view text_;
    const StringPool* pool_ = nullptr;
};

}  // namespace penstock
