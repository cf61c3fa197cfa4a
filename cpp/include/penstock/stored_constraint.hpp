// Constraints at rest: a name, a byte for type and operator, and the codes of the values, in some five bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "penstock/string_pool.hpp"
#include "penstock/value_store.hpp"
#include "penstock/varint.hpp"
#include "penstock/vocabulary.hpp"

namespace penstock {

using NameId = StringPool::Id;

// The codes of a set, ascending, where they lie among other bytes.
class CodeSet {
  public:
    CodeSet() = default;
    CodeSet(const std::uint8_t* bytes, std::uint32_t size) : bytes_(bytes), size_(size) {}

    std::uint32_t size() const { return size_; }
    ValueCode operator[](std::uint32_t at) const {
        ValueCode code = 0;
        std::memcpy(&code, bytes_ + at * sizeof(code), sizeof(code));
        return code;
    }
    bool contains(ValueCode code) const {
        std::uint32_t first = 0;
        for (std::uint32_t left = size_; left > 0;) {
            const std::uint32_t half = left / 2;
            if ((*this)[first + half] < code) {
                first += half + 1;
                left -= half + 1;
            } else {
                left = half;
            }
        }
        return first < size_ && (*this)[first] == code;
    }

  private:
    const std::uint8_t* bytes_ = nullptr;
    std::uint32_t size_ = 0;
};

struct StoredConstraint {
    NameId name;
    Type type;
    Operator op;
    ValueCode value;  // when the operator takes one value
    CodeSet set;      // when it takes several
};

// Reads the constraints of a filter one after the other.
class ConstraintCursor {
  public:
    explicit ConstraintCursor(std::span<const std::uint8_t> bytes)
        : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    bool next(StoredConstraint& constraint) {
        if (at_ == end_) return false;
        constraint.name = read_varint(at_);
        const std::uint8_t head = *at_++;
        constraint.type = static_cast<Type>(head >> 5U);
        constraint.op = static_cast<Operator>(head & 31U);
        if (is_presence(constraint.op)) return true;
        if (is_set(constraint.op)) {
            const std::uint32_t size = read_varint(at_);
            constraint.set = CodeSet(at_, size);
            at_ += size * sizeof(ValueCode);
        } else {
            constraint.value = read_varint(at_);
        }
        return true;
    }
    const std::uint8_t* position() const { return at_; }

  private:
    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

}  // namespace penstock
