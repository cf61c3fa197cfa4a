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
    const FilterStore& filters = catalogue_.filters();
    Likelihood::Known known;
    if (constraint.name < names_.size()) {
        const Name& name = names_[constraint.name];
        known.values = constraint.type == Type::string ? name.strings : name.numbers;
        if (is_order(constraint.op)) {
            // As if values lay where bounds do.
            const AxisKind kind = axis_kind(constraint.type);
            const AxisPoint point = point_of(constraint, filters.values());
            std::optional<double> on_sheets;
            if (is_numeric(constraint.type))
                on_sheets = sheets_.share_before(sheet_axis(constraint.name, constraint.type), point.brief());
            const double before =
                on_sheets ? *on_sheets : axes_.share_before(name.axes[static_cast<std::size_t>(kind)], point);
            known.fitting = side_of(constraint.op) == AxisIndex::Side::upper ? before : 1 - before;
        }
    }
    return likelihood_.of(constraint, filters, keys_, known);
}

// The first upper bound of the same name and type, if this is a lower one on numbers.
const StoredConstraint* AccessEngine::upper_bound(const StoredConstraint& lower) const {
    if (!is_numeric(lower.type) || !is_order(lower.op) || side_of(lower.op) != AxisIndex::Side::lower)
        return nullptr;
    const auto found = std::ranges::find_if(constraints_, [&](const StoredConstraint& other) {
        return other.name == lower.name && other.type == lower.type && is_order(other.op) &&
               side_of(other.op) == AxisIndex::Side::upper;
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

// The constraint that is least likely to hold; false if the filter cannot match. The filter is read.
bool AccessEngine::choose(FilterId filter, std::uint8_t& access) const {
    read(filter);
    const std::size_t count = constraints_.size();
    least_ = 2;
    access = always;
    likelihoods_.assign(count, 1);
    for (std::size_t i = 0; i < count; ++i) {
        const StoredConstraint& constraint = constraints_[i];
        if (constraint.op == Operator::not_exists) {
            if (needs_presence(constraint.name)) return false;
            continue;
        }
        const double likelihood = count == 1 ? 1 : likelihood_of(constraint);
        likelihoods_[i] = likelihood;
        if (i > max_access || likelihood >= least_) continue;
        least_ = likelihood;
        access = static_cast<std::uint8_t>(i);
    }
    if (least_ > rare) choose_interval(access);
    return true;
}

// An interval, if one is less likely. Each level of cells in use is one more look for every value of the
// name, so filters that are seldom met as it is do not go there.
void AccessEngine::choose_interval(std::uint8_t& access) const {
    const std::size_t count = std::min(constraints_.size(), max_access + 1);
    for (std::size_t i = 0; i < count; ++i) {
        const StoredConstraint* const upper = upper_bound(constraints_[i]);
        if (upper == nullptr) continue;
        if (const double both = likelihood_of_interval(constraints_[i], *upper); both < least_) {
            least_ = both;
            access = static_cast<std::uint8_t>(i | as_interval);
        }
    }
}

// Those that are least likely to pass. Precondition: the filter has been chosen for.
AccessEngine::Checks AccessEngine::choose_checks(FilterId filter, std::uint8_t access) {
    Checks chosen;
    const FilterStore& filters = catalogue_.filters();
    const std::size_t count = constraints_.size();
    chosen.covers_access = access == always || !placing(filter, access).is_exact();
    struct Choice {
        double passes = 0;
        std::size_t at = 0;
    };
    std::array<Choice, 3> choices{};  // the least likely first
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!chosen.covers_access && i == number_of(access)) continue;
        Choice next{likelihood_.of_check(constraints_[i], likelihoods_[i], filters), i};
        for (std::size_t at = 0; at < size; ++at) {
            if (next.passes < choices[at].passes) std::swap(next, choices[at]);
        }
        if (size < choices.size()) choices[size++] = next;
    }
    chosen.complete = count == size + (chosen.covers_access ? 0 : 1);
    for (std::size_t i = 0; i < size; ++i) {
        const StoredConstraint& constraint = constraints_[choices[i].at];
        chosen.checks[i] = Check::of(constraint, filters.values());
        chosen.complete = chosen.complete && Check::can_tell(constraint, filters.values());
    }
    Posting::note_grams(chosen.checks);
    return chosen;
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
    if (access == on_sheet) return false;
    return access == always ? constraints_.empty() : placing(filter, access).is_sure();
}

void AccessEngine::note_asked(const Checks& checks) {
    for (const Check check : checks.checks) {
        if (const std::uint32_t asked = check.asked(); asked != 0)
            name(check.name()).kinds |= asked_bits(asked);
    }
}

// Fronts are for few interfaces.
void AccessEngine::note_interfaces() {
    if (has_fronts_ == 0 || catalogue_.interfaces().bound() <= InterfaceSet::most) return;
    has_fronts_ = 0;
    fronts_.clear();
    for (Name& name : names_) name.fronts = no_fronts();
}

// Precondition: the filter has been read.
void AccessEngine::put(FilterId filter, std::uint8_t access, const Checks& checks) {
    FilterStore& filters = catalogue_.filters();
    const Owner owner = filters.owner(filter);
    const std::span<const InterfaceId> owners = catalogue_.groups().members(owner);
    note_asked(checks);
    std::size_t done = 0;
    try {
        do {
            put_one(filter, access, owners[done], checks);
            ++done;
        } while (done < owners.size() && stands_by_owners(filter, access));
    } catch (...) {
        while (done-- > 0) take_one(filter, access, owners[done]);
        throw;
    }
    filters.set_access(filter, access);
}

// The access may come to be by presence.
void AccessEngine::put_one(FilterId filter, std::uint8_t& access, InterfaceId owner, const Checks& checks) {
    if (access == on_sheet) return sheets_.add(filter, sole_owner(filter), conditions());
    if (access == always) {
        keys_.add(always_key(), constraints_.empty()
                                    ? Posting::sure(owner)
                                    : Posting{filter, checks.checks}.made_complete(checks.complete));
        ++always_;
        return;
    }
    if (placing(filter, access).add(owner, checks)) return;
    access |= by_presence;
    placing(filter, access).add(owner, checks);
}

void AccessEngine::take_one(FilterId filter, std::uint8_t access, InterfaceId owner) noexcept {
    if (access == on_sheet) return take_from_sheet(filter);
    if (access != always) return placing(filter, access).remove(owner);
    keys_.remove(always_key(), constraints_.empty() ? Posting::sure(owner) : Posting{filter});
    --always_;
}

void AccessEngine::foresee(FilterId filter) {
    read(filter);
    for (const StoredConstraint& constraint : constraints_) likelihood_.note(constraint);
}

void AccessEngine::add(FilterId filter) {
    ++changes_;
    foresee(filter);
    note_interfaces();
    if (const NameId bound = catalogue_.filters().names().bound(); names_.size() < bound)
        names_.resize(bound);
    std::uint8_t access = always;
    if (!choose(filter, access)) return;
    if (!is_wide()) return put(filter, access, choose_checks(filter, access));
    if (are_sheets_worthwhile()) {
        put(filter, on_sheet, {});
        gather(2);
    } else {
        wide_.make_room();
        put(filter, access, choose_checks(filter, access));
        note_as_wide(filter);
    }
}

void AccessEngine::add_owner(FilterId filter, InterfaceId interface) {
    ++changes_;
    note_interfaces();
    std::uint8_t access = catalogue_.filters().access(filter);
    if (access == FilterStore::no_access) return;
    if (access == on_sheet) return sheets_.set_owner(filter, sole_owner(filter));
    read(filter);
    if (stands_by_owners(filter, access)) put_one(filter, access, interface, {});
}

void AccessEngine::remove(FilterId filter) noexcept {
    ++changes_;
    FilterStore& filters = catalogue_.filters();
    const std::uint8_t access = filters.access(filter);
    if (access == FilterStore::no_access) return;
    read(filter);
    forget_as_wide(filter);
    take_one(filter, access, filters.owner(filter));
    filters.set_access(filter, FilterStore::no_access);
}

void AccessEngine::remove_owner(FilterId filter, InterfaceId interface) noexcept {
    ++changes_;
    const std::uint8_t access = catalogue_.filters().access(filter);
    if (access == FilterStore::no_access) return;
    if (access == on_sheet) return sheets_.set_owner(filter, sole_owner(filter));
    read(filter);
    if (stands_by_owners(filter, access)) take_one(filter, access, interface);
}

void AccessEngine::replace(FilterId filter) {
    ++changes_;
    std::uint8_t access = always;
    const std::uint8_t current = catalogue_.filters().access(filter);
    if (current == FilterStore::no_access || !choose(filter, access)) return;
    const bool wide = is_wide();
    if (wide && are_sheets_worthwhile()) {
        if (current != on_sheet) move(filter, on_sheet, {});
        forget_as_wide(filter);
        return gather(2);
    }
    if (access != current) move(filter, access, choose_checks(filter, access));
    forget_as_wide(filter);
    if (wide) note_as_wide(filter);
}

// Precondition: it has a place and has been read; it has several constraints, so that it does not stand there
// by its owners.
void AccessEngine::move(FilterId filter, std::uint8_t access, const Checks& checks) {
    const std::uint8_t current = catalogue_.filters().access(filter);
    put(filter, access, checks);
    take_one(filter, current, 0);
}

AccessEngine::Bytes AccessEngine::bytes() const {
    return {
        .keys = keys_.bytes(),
        .axes = axes_.bytes(),
        .fronts = fronts_.bytes(),
        .sheets = sheets_.bytes() + wide_.bytes(),
        .patterns = trie_.bytes(),
        .names = names_.bytes(),
        .statistics = likelihood_.bytes(),
    };
}

void AccessEngine::shrink() {
    ++changes_;
    gather(wide_.size());
    keys_.shrink();
    axes_.shrink();
    fronts_.shrink();
    sheets_.shrink();
    wide_.shrink();
    names_.shrink();
}

}  // namespace penstock
