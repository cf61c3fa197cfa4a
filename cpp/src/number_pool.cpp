#include "penstock/number_pool.hpp"

#include <bit>
#include <cmath>

#include "penstock/error.hpp"

namespace penstock {

namespace {

constexpr std::int64_t small_bound = 1 << 30;

std::uint32_t zigzag(std::int64_t value) {
    return static_cast<std::uint32_t>((value << 1) ^ (value >> 63));
}
std::int64_t unzigzag(std::uint32_t code) {
    return static_cast<std::int64_t>(code >> 1U) ^ -static_cast<std::int64_t>(code & 1U);
}

}  // namespace

NumberPool::Exact NumberPool::exact(const ValueView& value) {
    if (value.type == Type::int_) return {static_cast<std::uint64_t>(value.integer), false};
    constexpr double two63 = 9223372036854775808.0;
    if (value.real >= -two63 && value.real < two63 && value.real == std::trunc(value.real))
        return {static_cast<std::uint64_t>(static_cast<std::int64_t>(value.real)), false};
    return {std::bit_cast<std::uint64_t>(value.real), true};
}

std::optional<NumberPool::Code> NumberPool::small(const Exact& number) {
    const auto value = static_cast<std::int64_t>(number.bits);
    if (number.real || value < -small_bound || value >= small_bound) return std::nullopt;
    return zigzag(value);
}

std::uint64_t NumberPool::hash_of(const Exact& number) const {
    return mix(number.bits ^ seed_, number.real ? 2 : 1);
}

const IdSlot* NumberPool::find_slot(const Exact& number) const {
    return table_.find(hash_of(number), [&](const IdSlot& slot) { return exact_at(slot.id()) == number; });
}

std::optional<NumberPool::Code> NumberPool::find(const ValueView& value) const {
    const Exact number = exact(value);
    if (const auto code = small(number)) return code;
    const IdSlot* const slot = find_slot(number);
    if (slot == nullptr) return std::nullopt;
    return slot->id() | pooled;
}

NumberPool::Code NumberPool::acquire(const ValueView& value) {
    const Exact number = exact(value);
    if (const auto code = small(number)) return *code;
    if (const IdSlot* const slot = find_slot(number)) {
        ++entries_[slot->id()].references;
        return slot->id() | pooled;
    }
    if (free_ == none) {
        if (entries_.size() >= pooled - 1) throw CapacityError("a table holds at most 2 billion numbers");
        entries_.make_room();
    }
    const std::uint32_t id = free_ != none ? free_ : static_cast<std::uint32_t>(entries_.size());
    table_.insert(hash_of(number), IdSlot(id),
                  [&](const IdSlot& slot) { return hash_of(exact_at(slot.id())); });
    const Entry entry{number.bits, 1, number.real ? 1U : 0U};
    if (free_ != none) {
        free_ = static_cast<std::uint32_t>(entries_[id].bits);
        entries_[id] = entry;
    } else {
        entries_.push_back(entry);
    }
    return id | pooled;
}

void NumberPool::release(Code code) {
    if ((code & pooled) == 0) return;
    const std::uint32_t id = code & ~pooled;
    if (--entries_[id].references > 0) return;
    const Exact number = exact_at(id);
    table_.erase(find_slot(number), [&](const IdSlot& slot) { return hash_of(exact_at(slot.id())); });
    entries_[id] = {free_, 0, 0};
    free_ = id;
}

Number NumberPool::pooled_at(Code code) const {
    const Exact number = exact_at(code & ~pooled);
    return number.real ? Number::from_double(std::bit_cast<double>(number.bits))
                       : Number::from_int(static_cast<std::int64_t>(number.bits));
}

Scalar NumberPool::scalar(Code code) const {
    if ((code & pooled) == 0) return unzigzag(code);
    const Exact number = exact_at(code & ~pooled);
    if (number.real) return std::bit_cast<double>(number.bits);
    return static_cast<std::int64_t>(number.bits);
}

}  // namespace penstock
