#include "penstock/explain.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "penstock/evaluate.hpp"
#include "penstock/judge.hpp"

namespace penstock {

namespace {

// Everything that can be said without looking at the value itself; nothing when that decides.
std::optional<Reason> judge_kind(const ValueView* value, Type type, Operator op) {
    if (value == nullptr) return op == Operator::not_exists ? Reason::holds : Reason::absent;
    if (op == Operator::not_exists) return Reason::present;
    if (!accepts(type, value->type)) return Reason::type;
    if (op == Operator::exists) return Reason::holds;
    if (value->is_nan()) return Reason::nan;
    return std::nullopt;
}

// A filter in the contest for the few places of an explanation.
struct Candidate {
    FilterId id;
    std::size_t failed;
    FilterPtr filter;  // only while it is among the best

    friend bool operator<(const Candidate& a, const Candidate& b) {
        return a.failed != b.failed ? a.failed < b.failed : compare(*a.filter, *b.filter) < 0;
    }
};

class Explainer {
  public:
    Explainer(const Catalogue& catalogue, MessageView message) : catalogue_(catalogue) {
        for (const Attribute& attribute : message) {
            attributes_.emplace(attribute.name, &attribute.value);
            const NameId name = catalogue.filters().names().find(attribute.name);
            if (name == StringPool::none) continue;
            KnownValue& known = known_.emplace(name, KnownValue(attribute.value)).first->second;
            known.find_code(catalogue.filters().values());
        }
    }

    Explanation explain(InterfaceId interface, std::size_t limit) {
        catalogue_.for_each_subscription_of(
            interface, [&](SubscriptionId subscription, std::span<const FilterId> filters) {
                for (const FilterId filter : filters) owned_.emplace_back(filter, subscription);
            });
        std::ranges::sort(owned_);
        std::vector<Candidate> candidates;
        for (const auto& [filter, subscription] : owned_) {
            if (candidates.empty() || candidates.back().id != filter)
                candidates.push_back({filter, count_failures(filter), nullptr});
        }
        Explanation explanation;
        explanation.total = candidates.size();
        explanation.matched =
            static_cast<std::size_t>(std::ranges::count(candidates, 0U, &Candidate::failed));
        for (const Candidate& candidate : choose(std::move(candidates), limit))
            explanation.filters.push_back(describe(candidate));
        return explanation;
    }

  private:
    const ValueView* find(std::string_view name) const {
        const auto found = attributes_.find(name);
        return found == attributes_.end() ? nullptr : found->second;
    }

    std::size_t count_failures(FilterId filter) const {
        const FilterStore& filters = catalogue_.filters();
        std::size_t failures = 0;
        StoredConstraint constraint{};
        for (ConstraintCursor cursor(filters.at(filter)); cursor.next(constraint);) {
            const auto found = known_.find(constraint.name);
            failures +=
                !holds(constraint, found == known_.end() ? nullptr : &found->second, filters.values());
        }
        return failures;
    }

    // The best, in order. Canonical order needs filters as values, which are large; so only those that can
    // still get a place are restored, and only `limit` of them live at a time.
    std::vector<Candidate> choose(std::vector<Candidate> candidates, std::size_t limit) const {
        if (limit == 0 || candidates.empty()) return {};
        std::ranges::sort(candidates, {}, &Candidate::failed);
        const std::size_t last = candidates[std::min(limit, candidates.size()) - 1].failed;
        std::vector<Candidate> best;  // a heap, the worst on top
        for (Candidate& candidate : candidates) {
            if (candidate.failed > last) break;
            candidate.filter = catalogue_.filters().restore(candidate.id);
            if (best.size() == limit) {
                if (!(candidate < best.front())) {
                    candidate.filter.reset();
                    continue;
                }
                std::ranges::pop_heap(best, std::less());
                best.pop_back();
            }
            best.push_back(std::move(candidate));
            std::ranges::push_heap(best, std::less());
        }
        std::ranges::sort_heap(best, std::less());
        return best;
    }

    FilterVerdict describe(const Candidate& candidate) const {
        FilterVerdict verdict{candidate.filter, candidate.failed, {}, {}};
        for (const auto& [filter, subscription] : std::ranges::equal_range(
                 owned_, candidate.id, {}, &std::pair<FilterId, SubscriptionId>::first)) {
            verdict.subscriptions.push_back(subscription);
        }
        for (const ConstraintPtr& constraint : candidate.filter->constraints) {
            const ValueView* value = find(constraint->name);
            verdict.constraints.push_back({constraint, judge(value, *constraint), std::nullopt});
            if (value != nullptr) verdict.constraints.back().value = copy_of(*value);
        }
        return verdict;
    }

    const Catalogue& catalogue_;
    std::unordered_map<std::string_view, const ValueView*> attributes_;
    std::unordered_map<NameId, KnownValue> known_;  // those that filters ask for
    std::vector<std::pair<FilterId, SubscriptionId>> owned_;
};

}  // namespace

Reason judge(const ValueView* value, const Constraint& constraint) {
    if (const auto reason = judge_kind(value, constraint.type, constraint.op)) return *reason;
    return satisfies(*value, constraint) ? Reason::holds : Reason::value;
}

Explanation explain(const Catalogue& catalogue, InterfaceId interface, MessageView message,
                    std::size_t limit) {
    return Explainer(catalogue, message).explain(interface, limit);
}

}  // namespace penstock
