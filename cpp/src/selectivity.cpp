#include "penstock/selectivity.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace penstock {

namespace {

using Names = std::vector<std::uint32_t>;

struct Determinant {
    std::uint32_t name;
    InterfaceId interface;
};

// The names that a filter needs to be present, ascending and distinct.
Names required_names(const Catalogue& catalogue, FilterId filter, std::span<const std::uint32_t> name_of) {
    Names names;
    StoredConstraint constraint{};
    for (ConstraintCursor cursor(catalogue.filters().at(filter)); cursor.next(constraint);) {
        if (constraint.op != Operator::not_exists) names.push_back(name_of[constraint.name]);
    }
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    return names;
}

// All pairs of an interface and a name that every one of its filters needs.
std::vector<Determinant> determinants(const Catalogue& catalogue, const ConstraintIndex& index) {
    std::vector<std::uint32_t> name_of(catalogue.filters().names().bound(), ConstraintIndex::none);
    for (NameId id = 0; id < name_of.size(); ++id) {
        if (catalogue.filters().names().alive(id))
            name_of[id] = index.find(catalogue.filters().names().at(id));
    }
    std::vector<std::pair<InterfaceId, FilterId>> ownerships;
    ownerships.reserve(catalogue.size());
    catalogue.for_each_ownership(
        [&](InterfaceId interface, FilterId filter) { ownerships.emplace_back(interface, filter); });
    std::ranges::sort(ownerships);

    std::vector<Determinant> result;
    for (std::size_t i = 0; i < ownerships.size();) {
        const InterfaceId interface = ownerships[i].first;
        Names common = required_names(catalogue, ownerships[i].second, name_of);
        for (++i; i < ownerships.size() && ownerships[i].first == interface; ++i) {
            if (common.empty()) continue;
            Names both;
            std::ranges::set_intersection(common, required_names(catalogue, ownerships[i].second, name_of),
                                          std::back_inserter(both));
            common.swap(both);
        }
        for (const std::uint32_t name : common) result.push_back({name, interface});
    }
    return result;
}

}  // namespace

void SelectivityTable::build(const Catalogue& catalogue, const ConstraintIndex& index, std::uint32_t rounds) {
    rows_.clear();
    if (rounds == 0) return;
    std::vector<Determinant> found = determinants(catalogue, index);
    std::ranges::stable_sort(found, {}, &Determinant::name);
    std::vector<std::span<const Determinant>> by_name;
    for (std::size_t i = 0; i < found.size();) {
        const std::size_t first = i;
        while (i < found.size() && found[i].name == found[first].name) ++i;
        by_name.emplace_back(found.data() + first, i - first);
    }
    std::ranges::stable_sort(by_name, std::greater(), [](const auto& group) { return group.size(); });
    if (by_name.size() > rounds) by_name.resize(rounds);

    const InterfaceId bound = catalogue.interfaces().bound();
    for (const auto& group : by_name) {
        Row row{group[0].name, static_cast<std::uint32_t>(group.size()), {}};
        if (group.size() > bound / 32) {
            BitVector& bits = row.interfaces.emplace<BitVector>();
            bits.resize(bound);
            for (const Determinant& determinant : group) bits.set(determinant.interface);
        } else {
            auto& list = row.interfaces.emplace<std::vector<InterfaceId>>();
            list.reserve(group.size());
            for (const Determinant& determinant : group) list.push_back(determinant.interface);
        }
        rows_.push_back(std::move(row));
    }
}

std::size_t SelectivityTable::exclude(const BitVector& present, BitVector& ignored) const {
    std::vector<const BitVector*> sets;
    for (const Row& row : rows_) {
        if (present.test(row.name)) continue;
        if (const auto* bits = std::get_if<BitVector>(&row.interfaces)) {
            sets.push_back(bits);
        } else {
            for (const InterfaceId interface : std::get<std::vector<InterfaceId>>(row.interfaces))
                ignored.set(interface);
        }
    }
    return ignored.unite(sets);
}

std::size_t SelectivityTable::bytes() const {
    std::size_t total = rows_.capacity() * sizeof(Row);
    for (const Row& row : rows_) {
        const auto* bits = std::get_if<BitVector>(&row.interfaces);
        total += bits != nullptr
                     ? bits->bytes()
                     : std::get<std::vector<InterfaceId>>(row.interfaces).capacity() * sizeof(InterfaceId);
    }
    return total;
}

}  // namespace penstock
