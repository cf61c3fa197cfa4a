// The values that constraints compare with, as 32-bit codes: within a type, equal values have equal codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "penstock/number_pool.hpp"
#include "penstock/string_pool.hpp"
#include "penstock/value.hpp"

namespace penstock {

using ValueCode = std::uint32_t;

class ValueStore {
  public:
    ValueCode acquire(const Scalar& value);
    void release(Type type, ValueCode code);  // the type of the constraint that the code comes from

    // Nothing when no constraint has that value; NaN has no code.
    std::optional<ValueCode> find(const ValueView& value) const;
    // Tells several strings their codes.
    void find_codes(std::span<ValueView* const> texts) const;

    std::string_view text(ValueCode code) const { return strings_.at(code); }
    Number number(ValueCode code) const { return numbers_.at(code); }
    Scalar scalar(Type type, ValueCode code) const;

    StringPool& strings() { return strings_; }
    const StringPool& strings() const { return strings_; }
    std::size_t bytes() const { return strings_.bytes() + numbers_.bytes(); }
    void shrink() {
        strings_.shrink();
        numbers_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        strings_.archive(archive);
        numbers_.archive(archive);
    }

  private:
    StringPool strings_;
    NumberPool numbers_;
};

}  // namespace penstock
