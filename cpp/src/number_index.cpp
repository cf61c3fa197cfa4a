#include "penstock/number_index.hpp"

#include <algorithm>

namespace penstock {

std::uint32_t NumberIndex::add(const Layout& layout, std::span<const Hit> hits, std::span<const Bound> uppers,
                               std::span<const Bound> lowers) {
    Family family{};
    family.layout = layout;
    family.entries = static_cast<std::uint32_t>(entries_.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
        if (i == 0 || hits[i].key != hits[i - 1].key) {
            entries_.push_back(
                {hits[i].key.rounded, hits[i].key.residual, static_cast<std::uint32_t>(hits_.size())});
        }
        hits_.push_back(hits[i].number);
    }
    family.entries_end = static_cast<std::uint32_t>(entries_.size());
    family.uppers = static_cast<std::uint32_t>(limits_.size());
    for (const Bound& bound : uppers)
        limits_.push_back({bound.key.rounded, bound.key.residual, bound.strict});
    family.lowers = static_cast<std::uint32_t>(limits_.size());
    for (const Bound& bound : lowers)
        limits_.push_back({bound.key.rounded, bound.key.residual, bound.strict});
    family.limits_end = static_cast<std::uint32_t>(limits_.size());
    families_.push_back(family);
    return static_cast<std::uint32_t>(families_.size() - 1);
}

void NumberIndex::end() {
    entries_.push_back({0, 0, static_cast<std::uint32_t>(hits_.size())});
    entries_.shrink_to_fit();
    hits_.shrink_to_fit();
    limits_.shrink_to_fit();
}

// Is the value below the limit (`value < limit` or, unless strict, `value <= limit`)?
bool NumberIndex::holds_below(const Limit& limit, const Number& value) {
    const auto order = value <=> Number{limit.rounded, limit.residual};
    return order < 0 || (order == 0 && !limit.strict);
}

bool NumberIndex::holds_above(const Limit& limit, const Number& value) {
    const auto order = value <=> Number{limit.rounded, limit.residual};
    return order > 0 || (order == 0 && !limit.strict);
}

void NumberIndex::match(std::uint32_t number, const Number& value, Answer& answer) const {
    const Family& family = families_[number];
    const auto* first = entries_.data() + family.entries;
    const auto* last = entries_.data() + family.entries_end;
    const auto* found = std::partition_point(
        first, last, [&](const Entry& entry) { return Number{entry.rounded, entry.residual} < value; });
    if (found != last && Number{found->rounded, found->residual} == value) {
        for (std::uint32_t at = found->hits; at < found[1].hits; ++at) answer.add(hits_[at], family.layout);
    }
    // Bounds that do not hold come first among the uppers and last among the lowers.
    const auto* uppers = limits_.data() + family.uppers;
    const auto* lowers = limits_.data() + family.lowers;
    const auto* limits_end = limits_.data() + family.limits_end;
    const auto* upper =
        std::partition_point(uppers, lowers, [&](const Limit& limit) { return !holds_below(limit, value); });
    const auto* lower = std::partition_point(lowers, limits_end,
                                             [&](const Limit& limit) { return holds_above(limit, value); });
    answer.add(family.layout.uppers + static_cast<std::uint32_t>(upper - uppers), family.layout.lowers);
    answer.add(family.layout.lowers, family.layout.lowers + static_cast<std::uint32_t>(lower - lowers));
    answer.add_exclusions(family.layout);
}

std::size_t NumberIndex::bytes() const {
    return entries_.capacity() * sizeof(Entry) + hits_.capacity() * sizeof(hits_[0]) +
           limits_.capacity() * sizeof(Limit) + families_.capacity() * sizeof(Family);
}

}  // namespace penstock
