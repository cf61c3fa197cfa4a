// Measure, then expand. The expansion works on the places of constraints; only the end makes filters of them.
#include "penstock/normal_form.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "penstock/error.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

// Beyond this, a count only says "far too many".
constexpr std::uint64_t countless = 1'000'000'000'000'000'000;

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > countless / b ? countless : a * b;
}

// What a node becomes, once the NOTs above it are taken into account.
struct Measure {
    std::uint64_t filters = 0;
    std::uint64_t constraints = 0;  // of its longest filter
    bool alternatives = false;      // a choice between its children, not all of them together
};

// Filters as runs of places in one vector: `ends` says where each run stops.
struct Terms {
    std::vector<std::uint32_t> places;
    std::vector<std::size_t> ends;

    std::size_t begin_of(std::size_t term) const { return term == 0 ? 0 : ends[term - 1]; }
    void close() { ends.push_back(places.size()); }
    void append(const Terms& other, std::size_t term) {
        const auto first = other.places.begin();
        places.insert(places.end(), first + static_cast<std::ptrdiff_t>(other.begin_of(term)),
                      first + static_cast<std::ptrdiff_t>(other.ends[term]));
    }
};

class NormalForm {
  public:
    NormalForm(Syntax syntax, const Limits& limits)
        : syntax_(std::move(syntax)), limits_(limits), measures_(syntax_.nodes.size()) {}

    Predicate make() {
        measure(syntax_.root, false);
        const Terms terms = expand(syntax_.root);
        std::vector<FilterPtr> filters;
        filters.reserve(terms.ends.size());
        for (std::size_t term = 0; term < terms.ends.size(); ++term) {
            std::vector<ConstraintPtr> constraints;
            constraints.reserve(terms.ends[term] - terms.begin_of(term));
            for (std::size_t i = terms.begin_of(term); i < terms.ends[term]; ++i) {
                constraints.push_back(syntax_.constraints[terms.places[i]]);
            }
            filters.push_back(make_filter(std::move(constraints), limits_));
        }
        return make_predicate(std::move(filters), limits_);
    }

  private:
    // Each node is reached once, with one polarity, so a negated leaf can be replaced in place.
    void measure(std::uint32_t index, bool negated) {
        const Node& node = syntax_.nodes[index];
        Measure& own = measures_[index];
        switch (node.kind) {
            case NodeKind::constraint:
                if (negated) negate_leaf(node);
                own = {1, 1, false};
                break;
            case NodeKind::constant:
                own = {(node.first != 0) != negated, 0, false};
                break;
            case NodeKind::negation:
                measure(node.first, !negated);
                own = measures_[node.first];
                break;
            default:
                for (auto child = node.first; child != Node::none; child = syntax_.nodes[child].next) {
                    measure(child, negated);
                }
                own.alternatives = (node.kind == NodeKind::disjunction) != negated;
                own.alternatives ? measure_sum(node, own) : measure_product(node, own);
        }
    }

    void negate_leaf(const Node& node) {
        ConstraintPtr& constraint = syntax_.constraints[node.first];
        if (constraint->op == Operator::exists && constraint->type != Type::any) {
            std::string hint = "write NOT EXISTS ";
            append_name(hint, constraint->name);
            throw FilterError(Code::unsupported, "absence has no type: a typed EXISTS cannot be negated",
                              std::move(hint), node.at);
        }
        constraint = negate(*constraint);
    }

    void measure_sum(const Node& node, Measure& own) const {
        std::uint32_t crossing = Node::none;
        for (auto child = node.first; child != Node::none; child = syntax_.nodes[child].next) {
            const Measure& part = measures_[child];
            own.filters = std::min(countless, own.filters + part.filters);
            own.constraints = std::max(own.constraints, part.constraints);
            if (own.filters > limits_.filters && crossing == Node::none) crossing = child;
        }
        if (crossing != Node::none) refuse_filters(own.filters, {}, syntax_.nodes[crossing].at);
    }

    void measure_product(const Node& node, Measure& own) const {
        std::uint32_t widest = node.first;
        std::size_t clause = 0;
        std::size_t widest_clause = 1;
        std::uint32_t crossing = Node::none;
        own.filters = 1;
        for (auto child = node.first; child != Node::none; child = syntax_.nodes[child].next) {
            ++clause;
            const Measure& part = measures_[child];
            own.filters = saturating_product(own.filters, part.filters);
            own.constraints += part.constraints;
            if (own.constraints > limits_.constraints && crossing == Node::none) crossing = child;
            if (part.filters > measures_[widest].filters) {
                widest = child;
                widest_clause = clause;
            }
        }
        if (own.filters > limits_.filters) {
            refuse_filters(own.filters,
                           ": clause " + grouped(widest_clause) + " alone multiplies by " +
                               grouped(measures_[widest].filters),
                           syntax_.nodes[widest].at);
        }
        if (crossing == Node::none) return;
        throw FilterError(Code::limit,
                          "a filter of " + grouped(own.constraints) + " constraints (limit " +
                              grouped(limits_.constraints) + ")",
                          {}, syntax_.nodes[crossing].at);
    }

    [[noreturn]] void refuse_filters(std::uint64_t count, const std::string& reason, std::uint32_t at) const {
        throw FilterError(Code::limit,
                          "expands to " + std::string(count == countless ? "over " : "") + grouped(count) +
                              " filters (limit " + grouped(limits_.filters) + ")" + reason,
                          "a choice among values of one attribute is a single constraint with IN (…)", at);
    }

    Terms expand(std::uint32_t index) const {
        while (syntax_.nodes[index].kind == NodeKind::negation) index = syntax_.nodes[index].first;
        const Node& node = syntax_.nodes[index];
        Terms terms;
        if (measures_[index].filters == 0) return terms;
        if (node.kind == NodeKind::constraint) terms.places.push_back(node.first);
        if (node.kind == NodeKind::constraint || node.kind == NodeKind::constant) {
            terms.close();
        } else if (measures_[index].alternatives) {
            expand_sum(node, terms);
        } else {
            expand_product(node, terms);
        }
        return terms;
    }

    void expand_sum(const Node& node, Terms& terms) const {
        for (auto child = node.first; child != Node::none; child = syntax_.nodes[child].next) {
            const Terms part = expand(child);
            for (std::size_t term = 0; term < part.ends.size(); ++term) {
                terms.append(part, term);
                terms.close();
            }
        }
    }

    // Parts without a choice are common to all terms; the others turn like the wheels of an odometer.
    // Only a part with a choice costs a step for each term, and at most log2(limit) parts have one.
    void expand_product(const Node& node, Terms& terms) const {
        Terms common;
        common.places.reserve(8);
        std::vector<Terms> wheels;
        for (auto child = node.first; child != Node::none; child = syntax_.nodes[child].next) {
            if (syntax_.nodes[child].kind == NodeKind::constraint) {
                common.places.push_back(syntax_.nodes[child].first);
            } else if (measures_[child].filters == 1) {
                common.append(expand(child), 0);
            } else {
                wheels.push_back(expand(child));
            }
        }
        common.close();
        if (wheels.empty()) {
            terms = std::move(common);
            return;
        }
        std::vector<std::size_t> turned(wheels.size(), 0);
        while (true) {
            terms.append(common, 0);
            for (std::size_t i = 0; i < wheels.size(); ++i) terms.append(wheels[i], turned[i]);
            terms.close();
            std::size_t wheel = 0;
            while (wheel < wheels.size() && ++turned[wheel] == wheels[wheel].ends.size()) turned[wheel++] = 0;
            if (wheel == wheels.size()) return;
        }
    }

    Syntax syntax_;
    const Limits& limits_;
    std::vector<Measure> measures_;
};

}  // namespace

Predicate normal_form(Syntax syntax, const Limits& limits) {
    return NormalForm(std::move(syntax), limits).make();
}

}  // namespace penstock
