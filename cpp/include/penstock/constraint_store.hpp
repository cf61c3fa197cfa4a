// Constraints at rest: 16 bytes each, interned and counted by reference, so that equal ones are stored once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/constraint.hpp"
#include "penstock/id_table.hpp"
#include "penstock/string_pool.hpp"

namespace penstock {

using NameId = StringPool::Id;
using ConstraintId = std::uint32_t;

// A value at rest: an int64, the bits of a double, a bool, or a string's id.
struct StoredValue {
    Type type;
    std::uint64_t bits;

    std::int64_t integer() const { return static_cast<std::int64_t>(bits); }
    double real() const;
    Number number() const;
    friend bool operator==(const StoredValue&, const StoredValue&) = default;
};

// A constraint as the engines read it.
struct StoredConstraint {
    NameId name;
    Type type;
    Operator op;
    StoredValue value;                 // when the operator takes one value
    std::span<const StoredValue> set;  // when it takes several, in order
};

class ConstraintStore {
  public:
    ConstraintId acquire(const Constraint& constraint);
    void retain(ConstraintId id) { ++records_[id].references; }
    void release(ConstraintId id);

    bool alive(ConstraintId id) const { return records_[id].references > 0; }
    StoredConstraint at(ConstraintId id) const;
    ConstraintPtr restore(ConstraintId id) const;

    const StringPool& names() const { return names_; }
    const StringPool& strings() const { return strings_; }
    std::size_t size() const { return table_.size(); }
    ConstraintId bound() const { return static_cast<ConstraintId>(records_.size()); }
    std::size_t bytes() const;
    void shrink();

  private:
    struct Record {
        std::uint32_t name : 23;
        std::uint32_t op : 5;
        std::uint32_t code : 4;    // the type; one more code for a number that is a double
        std::uint32_t references;  // 0: dead
        std::uint64_t bits;        // the value, or the set's index; of a dead record: the next free id
    };
    static constexpr std::uint32_t real_number = 6;

    Record acquire_record(const Constraint& constraint);
    void release_parts(const Record& record);
    StoredValue acquire_value(const Scalar& value);
    std::uint64_t acquire_values(const Constraint& constraint);
    Scalar scalar(const StoredValue& value) const;
    std::uint64_t hash_of(const Record& record) const;
    bool equal(const Record& a, const Record& b) const;
    static StoredValue value_of(const Record& record);

    StringPool names_;
    StringPool strings_;
    std::vector<Record> records_;
    IdTable table_;
    ConstraintId free_ = IdTable::none;
    std::vector<std::vector<StoredValue>> sets_;
    std::vector<std::uint32_t> free_sets_;
    std::size_t set_bytes_ = 0;
};

}  // namespace penstock
