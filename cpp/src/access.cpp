// Finding places for filters, and taking them out again.
#include "penstock/access.hpp"

#include <algorithm>
#include <utility>

#include "placing.hpp"

namespace penstock {

AccessEngine::Name& AccessEngine::name(NameId id) {
    if (id >= names_.size()) names_.resize(id + 1);
    return names_[id];
}

void AccessEngine::read(FilterId filter) const {
    constraints_.clear();
    StoredConstraint constraint{};
    for (ConstraintCursor cursor(catalogue_.filters().at(filter)); cursor.next(constraint);)
        constraints_.push_back(constraint);
}

double AccessEngine::likelihood_of(const StoredConstraint& constraint) const {
    const bool known = constraint.name < names_.size();
    const bool text = constraint.type == Type::string;
    const std::uint32_t values =
        known ? (text ? names_[constraint.name].strings : names_[constraint.name].numbers) : 0;
    return likelihood_.of(constraint, catalogue_.filters(), keys_, values);
}

// The first upper bound of the same name and type, if this is a lower one on numbers.
const StoredConstraint* AccessEngine::upper_bound(const StoredConstraint& lower) const {
    if (!is_numeric(lower.type) || (lower.op != Operator::gt && lower.op != Operator::ge)) return nullptr;
    const auto found = std::ranges::find_if(constraints_, [&](const StoredConstraint& other) {
        return other.name == lower.name && other.type == lower.type &&
               (other.op == Operator::lt || other.op == Operator::le);
    });
    return found == constraints_.end() ? nullptr : &*found;
}

double AccessEngine::likelihood_of_interval(const StoredConstraint& lower,
                                            const StoredConstraint& upper) const {
    const ValueStore& values = catalogue_.filters().values();
    const CellRange cells(values.number(lower.value), values.number(upper.value));
    return cells.is_narrow() ? likelihood_.of_interval(lower, upper, cells.width(), catalogue_.filters()) : 1;
}

bool AccessEngine::needs_presence(NameId name) const {
    return std::ranges::any_of(constraints_, [name](const StoredConstraint& constraint) {
        return constraint.name == name && constraint.op != Operator::not_exists;
    });
}

// The constraint that is least likely to hold, and the check that is least likely to pass; false if the
// filter cannot match.
bool AccessEngine::choose(FilterId filter, std::uint8_t& access, Check& check) const {
    read(filter);
    const std::size_t count = constraints_.size();
    double best = 2;
    double second = 2;  // of the check
    std::size_t first_at = count;
    bool interval = false;
    std::size_t second_at = count;
    for (std::size_t i = 0; i < count; ++i) {
        const StoredConstraint& constraint = constraints_[i];
        if (constraint.op == Operator::not_exists) {
            if (needs_presence(constraint.name)) return false;
            continue;
        }
        const double likelihood = count == 1 ? 1 : likelihood_of(constraint);
        if (i > max_access) continue;
        if (likelihood < best) {
            best = likelihood;
            first_at = i;
            interval = false;
        }
        const StoredConstraint* const upper = upper_bound(constraint);
        if (upper == nullptr) continue;
        if (const double both = likelihood_of_interval(constraint, *upper); both < best) {
            best = both;
            first_at = i;
            interval = true;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (i == first_at) continue;
        const double passes = likelihood_.of_check(constraints_[i], catalogue_.filters());
        if (passes < second) {
            second = passes;
            second_at = i;
        }
    }
    access = first_at == count ? always : static_cast<std::uint8_t>(first_at);
    if (interval) access |= as_interval;
    if (second_at < count) check = Check::of(constraints_[second_at], catalogue_.filters().values());
    return true;
}

// Precondition: the filter has been read; `access` is not `always`.
AccessEngine::Placing AccessEngine::placing(FilterId filter, std::uint8_t access) {
    const StoredConstraint& constraint = constraints_[number_of(access)];
    const bool interval = (access & as_interval) != 0;
    return {*this,
            filter,
            constraint,
            interval ? upper_bound(constraint) : nullptr,
            constraints_.size() == 1,
            (access & by_presence) != 0};
}

bool AccessEngine::stands_by_owners(FilterId filter, std::uint8_t access) {
    return access == always ? constraints_.empty() : placing(filter, access).is_sure();
}

// Precondition: the filter has been read.
void AccessEngine::put(FilterId filter, std::uint8_t access, Check check) {
    FilterStore& filters = catalogue_.filters();
    const Owner owner = filters.owner(filter);
    const std::span<const InterfaceId> owners = catalogue_.groups().members(owner);
    std::size_t done = 0;
    try {
        do {
            put_one(filter, access, owners[done], check);
            ++done;
        } while (done < owners.size() && stands_by_owners(filter, access));
    } catch (...) {
        while (done-- > 0) take_one(filter, access, owners[done]);
        throw;
    }
    filters.set_access(filter, access);
}

// The access may come to be by presence.
void AccessEngine::put_one(FilterId filter, std::uint8_t& access, InterfaceId owner, Check check) {
    if (access == always) {
        keys_.add(always_key(),
                  constraints_.empty() ? Posting{owner, Check::sure()} : Posting{filter, check});
        ++always_;
        return;
    }
    if (placing(filter, access).add(owner, check)) return;
    access |= by_presence;
    placing(filter, access).add(owner, check);
}

void AccessEngine::take_one(FilterId filter, std::uint8_t access, InterfaceId owner) noexcept {
    if (access != always) return placing(filter, access).remove(owner);
    keys_.remove(always_key(),
                 constraints_.empty() ? Posting{owner, Check::sure()} : Posting{filter, Check::nothing()});
    --always_;
}

void AccessEngine::add(FilterId filter) {
    std::uint8_t access = always;
    Check check = Check::nothing();
    if (choose(filter, access, check)) put(filter, access, check);
}

void AccessEngine::add_owner(FilterId filter, InterfaceId interface) {
    std::uint8_t access = catalogue_.filters().access(filter);
    if (access == FilterStore::no_access) return;
    read(filter);
    if (stands_by_owners(filter, access)) put_one(filter, access, interface, Check::nothing());
}

void AccessEngine::remove(FilterId filter) noexcept {
    FilterStore& filters = catalogue_.filters();
    const std::uint8_t access = filters.access(filter);
    if (access == FilterStore::no_access) return;
    read(filter);
    take_one(filter, access, filters.owner(filter));
    filters.set_access(filter, FilterStore::no_access);
}

void AccessEngine::remove_owner(FilterId filter, InterfaceId interface) noexcept {
    const std::uint8_t access = catalogue_.filters().access(filter);
    if (access == FilterStore::no_access) return;
    read(filter);
    if (stands_by_owners(filter, access)) take_one(filter, access, interface);
}

void AccessEngine::replace(FilterId filter) {
    std::uint8_t access = always;
    Check check = Check::nothing();
    const std::uint8_t current = catalogue_.filters().access(filter);
    if (current == FilterStore::no_access || !choose(filter, access, check) || access == current) return;
    put(filter, access, check);
    take_one(filter, current, 0);  // it has several constraints, so it does not stand there by its owners
}

AccessEngine::Bytes AccessEngine::bytes() const {
    return {
        .keys = keys_.bytes(),
        .axes = axes_.bytes(),
        .patterns = trie_.bytes(),
        .names = names_.bytes(),
        .statistics = likelihood_.bytes(),
    };
}

void AccessEngine::shrink() {
    keys_.shrink();
    axes_.shrink();
    names_.shrink();
}

}  // namespace penstock
