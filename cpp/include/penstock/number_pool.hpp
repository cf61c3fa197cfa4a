// Numbers as 32-bit codes: equal numbers have equal codes, whatever type they are written in.
//
// Integers of 31 bits are their own code; all others are interned and counted by reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "penstock/column.hpp"
#include "penstock/hash_table.hpp"
#include "penstock/id_slot.hpp"
#include "penstock/value.hpp"

namespace penstock {

class NumberPool {
  public:
    using Code = std::uint32_t;

    // Precondition: an int or a float that is not NaN.
    Code acquire(const ValueView& value);
    void release(Code code);

    // Nothing when no constraint has that number.
    std::optional<Code> find(const ValueView& value) const;
    Number at(Code code) const { return (code & pooled) == 0 ? small_at(code) : pooled_at(code); }
    Scalar scalar(Code code) const;  // an int where the number is one, a double otherwise

    std::size_t bytes() const { return entries_.bytes() + table_.bytes(); }
    void shrink() {
        entries_.shrink();
        table_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        archive(entries_);
        table_.archive(archive);
        archive(free_);
        archive(seed_);
    }

  private:
    static constexpr Code pooled = 1U << 31U;
    static constexpr std::uint32_t none = UINT32_MAX;

    // The one form that equal numbers share: an int64 if it is one, otherwise the bits of a double.
    struct Exact {
        std::uint64_t bits;
        bool real;
        friend bool operator==(const Exact&, const Exact&) = default;
    };
    struct Entry {
        std::uint64_t bits;  // of a dead entry: the next free one
        std::uint32_t references;
        std::uint32_t real;
    };
    static Number small_at(Code code) {
        // Zigzag: the lowest bit is the sign.
        const auto half = static_cast<std::int64_t>(code >> 1U);
        return {static_cast<double>((code & 1U) != 0 ? -half - 1 : half), 0};
    }
    Number pooled_at(Code code) const;
    static Exact exact(const ValueView& value);
    static std::optional<Code> small(const Exact& number);
    Exact exact_at(std::uint32_t id) const { return {entries_[id].bits, entries_[id].real != 0}; }
    std::uint64_t hash_of(const Exact& number) const;
    const IdSlot* find_slot(const Exact& number) const;

    Column<Entry> entries_;
    HashTable<IdSlot> table_;
    std::uint32_t free_ = none;
    std::uint64_t seed_ = hash_seed;
};

}  // namespace penstock
