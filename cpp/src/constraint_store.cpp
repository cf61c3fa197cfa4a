#include "penstock/constraint_store.hpp"

#include <bit>
#include <utility>

#include "penstock/error.hpp"
#include "penstock/hash.hpp"

namespace penstock {

namespace {
constexpr NameId max_names = 1U << 23U;

}  // namespace

double StoredValue::real() const {
    return std::bit_cast<double>(bits);
}

Number StoredValue::number() const {
    return type == Type::int_ ? Number::from_int(integer()) : Number::from_double(real());
}

ConstraintId ConstraintStore::acquire(const Constraint& constraint) {
    const Record record = acquire_record(constraint);
    const std::uint64_t hash = hash_of(record);
    const ConstraintId found =
        table_.find(hash, [&](ConstraintId id) { return equal(records_[id], record); });
    if (found != IdTable::none) {
        release_parts(record);
        retain(found);
        return found;
    }
    ConstraintId id = free_;
    if (id != IdTable::none) {
        free_ = static_cast<ConstraintId>(records_[id].bits);
        records_[id] = record;
    } else {
        id = bound();
        records_.push_back(record);
    }
    table_.insert(hash, id, [&](ConstraintId other) { return hash_of(records_[other]); });
    return id;
}

void ConstraintStore::release(ConstraintId id) {
    Record& record = records_[id];
    if (--record.references > 0) return;
    table_.erase(hash_of(record), id, [&](ConstraintId other) { return hash_of(records_[other]); });
    release_parts(record);
    record.bits = free_;
    free_ = id;
}

ConstraintStore::Record ConstraintStore::acquire_record(const Constraint& constraint) {
    Record record{};
    const NameId name = names_.acquire(constraint.name);
    if (name >= max_names) {
        names_.release(name);
        throw CapacityError("a table holds at most 8,388,608 distinct attribute names");
    }
    record.name = name & (max_names - 1);
    record.op = static_cast<std::uint32_t>(constraint.op) & 31U;
    record.code = static_cast<std::uint32_t>(constraint.type) & 15U;
    record.references = 1;
    try {
        record.bits = acquire_values(constraint);
    } catch (...) {
        names_.release(name);
        throw;
    }
    const bool single = constraint.values.size() == 1 && !is_set(constraint.op);
    if (single && constraint.type == Type::number && std::holds_alternative<double>(constraint.values[0])) {
        record.code = real_number;
    }
    return record;
}

std::uint64_t ConstraintStore::acquire_values(const Constraint& constraint) {
    if (constraint.values.empty()) return 0;
    if (!is_set(constraint.op)) return acquire_value(constraint.values[0]).bits;
    std::vector<StoredValue> set;
    set.reserve(constraint.values.size());
    for (const Scalar& value : constraint.values) set.push_back(acquire_value(value));
    set_bytes_ += set.capacity() * sizeof(StoredValue);
    if (free_sets_.empty()) {
        sets_.push_back(std::move(set));
        return sets_.size() - 1;
    }
    const std::uint32_t at = free_sets_.back();
    free_sets_.pop_back();
    sets_[at] = std::move(set);
    return at;
}

void ConstraintStore::release_parts(const Record& record) {
    if (is_set(static_cast<Operator>(record.op))) {
        auto& set = sets_[record.bits];
        for (const StoredValue& value : set) {
            if (value.type == Type::string) strings_.release(static_cast<StringPool::Id>(value.bits));
        }
        set_bytes_ -= set.capacity() * sizeof(StoredValue);
        std::vector<StoredValue>().swap(set);
        free_sets_.push_back(static_cast<std::uint32_t>(record.bits));
    } else if (const StoredValue value = value_of(record);
               value.type == Type::string && !is_presence(static_cast<Operator>(record.op))) {
        strings_.release(static_cast<StringPool::Id>(value.bits));
    }
    names_.release(record.name);
}

StoredValue ConstraintStore::acquire_value(const Scalar& value) {
    switch (type_of(value)) {
        case Type::string:
            return {Type::string, strings_.acquire(std::get<std::string>(value))};
        case Type::int_:
            return {Type::int_, static_cast<std::uint64_t>(std::get<std::int64_t>(value))};
        case Type::float_:
            return {Type::float_, std::bit_cast<std::uint64_t>(std::get<double>(value))};
        default:
            return {Type::bool_, std::get<bool>(value)};
    }
}

StoredValue ConstraintStore::value_of(const Record& record) {
    if (record.code == real_number) return {Type::float_, record.bits};
    const auto type = static_cast<Type>(record.code);
    return {type == Type::number ? Type::int_ : type, record.bits};
}

StoredConstraint ConstraintStore::at(ConstraintId id) const {
    const Record& record = records_[id];
    const auto op = static_cast<Operator>(record.op);
    const Type type = record.code == real_number ? Type::number : static_cast<Type>(record.code);
    StoredConstraint stored{record.name, type, op, value_of(record), {}};
    if (is_set(op)) stored.set = sets_[record.bits];
    return stored;
}

Scalar ConstraintStore::scalar(const StoredValue& value) const {
    switch (value.type) {
        case Type::string:
            return std::string(strings_.at(static_cast<StringPool::Id>(value.bits)));
        case Type::int_:
            return value.integer();
        case Type::float_:
            return value.real();
        default:
            return value.bits != 0;
    }
}

ConstraintPtr ConstraintStore::restore(ConstraintId id) const {
    const StoredConstraint stored = at(id);
    Constraint constraint{std::string(names_.at(stored.name)), stored.type, stored.op, {}};
    if (is_set(stored.op)) {
        for (const StoredValue& value : stored.set) constraint.values.push_back(scalar(value));
    } else if (!is_presence(stored.op)) {
        constraint.values.push_back(scalar(stored.value));
    }
    return std::make_shared<const Constraint>(std::move(constraint));
}

std::uint64_t ConstraintStore::hash_of(const Record& record) const {
    const std::uint64_t head =
        (static_cast<std::uint64_t>(record.name) << 9U) | (record.op << 4U) | record.code;
    if (!is_set(static_cast<Operator>(record.op))) return mix(head, record.bits);
    std::uint64_t state = mix(head, sets_[record.bits].size());
    for (const StoredValue& value : sets_[record.bits]) state = mix(state, value.bits);
    return state;
}

bool ConstraintStore::equal(const Record& a, const Record& b) const {
    if (a.name != b.name || a.op != b.op || a.code != b.code) return false;
    return is_set(static_cast<Operator>(a.op)) ? sets_[a.bits] == sets_[b.bits] : a.bits == b.bits;
}

std::size_t ConstraintStore::bytes() const {
    return records_.capacity() * sizeof(Record) + table_.bytes() + set_bytes_ +
           sets_.capacity() * sizeof(sets_[0]) + free_sets_.capacity() * sizeof(free_sets_[0]) +
           names_.bytes() + strings_.bytes();
}

void ConstraintStore::shrink() {
    records_.shrink_to_fit();
    names_.shrink();
    strings_.shrink();
}

}  // namespace penstock
