#include "penstock/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "penstock/evaluate.hpp"
#include "penstock/language.hpp"
#include "penstock/table.hpp"
#include "reading.hpp"
#include "small_world.hpp"

namespace penstock {
namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
const double nan = std::numeric_limits<double>::quiet_NaN();

Explanation explain(Table& table, std::string_view interface, MessageView message, std::size_t limit = all) {
    return explain(catalogue_of(table), catalogue_of(table).interfaces().find(interface), message, limit);
}

Reason judge_text(std::string_view constraint, const Scalar& value) {
    const ValueView view = ValueView::of(value);
    return judge(&view, *parse(constraint).filters.front()->constraints.front());
}

TEST(Judge, SaysWhy) {
    EXPECT_EQ(judge_text("x < 5", std::int64_t{4}), Reason::holds);
    EXPECT_EQ(judge_text("x < 5", std::int64_t{5}), Reason::value);
    EXPECT_EQ(judge_text("x < 5", std::string("4")), Reason::type);
    EXPECT_EQ(judge_text("int x < 5", 4.0), Reason::type);
    EXPECT_EQ(judge_text("x < 5", nan), Reason::nan);
    EXPECT_EQ(judge_text("x != 5", nan), Reason::nan);
    EXPECT_EQ(judge_text("int x != 5", nan), Reason::type) << "NaN is a float before it is NaN";
    EXPECT_EQ(judge_text("EXISTS x", nan), Reason::holds);
    EXPECT_EQ(judge_text("EXISTS int x", nan), Reason::type);
    EXPECT_EQ(judge_text("NOT EXISTS x", nan), Reason::present);
    const auto exists = make_constraint("x", Type::any, Operator::exists, {});
    EXPECT_EQ(judge(nullptr, *exists), Reason::absent);
    EXPECT_EQ(judge(nullptr, *negate(*exists)), Reason::holds);
}

TEST(Explain, PutsMatchesFirstThenTheFewestFailuresThenCanonicalOrder) {
    Table table;
    table.subscribe("it", parse("x = 2 AND y = 2 OR y = 2 OR y = 1 OR x = 2 OR x = 1"));
    const Attribute message[] = {{"x", ValueView::of(std::int64_t{1})},
                                 {"y", ValueView::of(std::int64_t{1})}};
    std::string order;
    for (const FilterVerdict& verdict : explain(table, "it", message).filters)
        order += print(*verdict.filter) + "; ";
    EXPECT_EQ(order, "x = 1; y = 1; x = 2; y = 2; x = 2 AND y = 2; ");
}

TEST(Explain, KeepsTheBestAndCountsTheRest) {
    Table table;
    for (int n = 0; n < 1000; ++n)
        table.subscribe("it", parse("x = " + std::to_string((n * 7919) % 1000) + " AND y = 1"));
    const Attribute message[] = {{"x", ValueView::of(std::int64_t{500})}};
    for (const std::size_t limit : {0, 1, 2, 5, 999, 1000, 1001}) {
        const Explanation found = explain(table, "it", message, limit);
        EXPECT_EQ(found.total, 1000U);
        EXPECT_EQ(found.matched, 0U);
        ASSERT_EQ(found.filters.size(), std::min<std::size_t>(limit, 1000));
        const Explanation whole = explain(table, "it", message);
        for (std::size_t at = 0; at < found.filters.size(); ++at)
            ASSERT_EQ(*found.filters[at].filter, *whole.filters[at].filter) << limit << " " << at;
    }
    EXPECT_EQ(print(*explain(table, "it", message, 2).filters[0].filter), "x = 500 AND y = 1");
    EXPECT_EQ(print(*explain(table, "it", message, 2).filters[1].filter), "x = 0 AND y = 1");
}

TEST(Explain, NamesEverySubscriptionThatBroughtTheFilter) {
    Table table;
    const SubscriptionId gone = table.subscribe("it", parse("x = 1"));
    const SubscriptionId other = table.subscribe("other", parse("x = 1"));
    const SubscriptionId second = table.subscribe("it", parse("x = 1 OR x = 2"));
    table.unsubscribe(gone);
    const SubscriptionId first =
        table.subscribe("it", parse("x = 1.0"));  // in the slot of the one that is gone
    const Explanation found = explain(table, "it", {});
    ASSERT_EQ(found.filters.size(), 2U);
    EXPECT_EQ(found.filters[0].subscriptions,
              (std::vector{std::min(first, second), std::max(first, second)}));
    EXPECT_EQ(found.filters[1].subscriptions, std::vector{second});
    EXPECT_EQ(explain(table, "other", {}).filters[0].subscriptions, std::vector{other});
}

TEST(Explain, KnowsThePredicateWithoutFiltersAndTheFilterWithoutConstraints) {
    Table table;
    table.subscribe("nothing", parse("FALSE"));
    table.subscribe("everything", parse("TRUE"));
    const Explanation nothing = explain(table, "nothing", {});
    EXPECT_EQ(nothing.total, 0U);
    EXPECT_TRUE(nothing.filters.empty());
    const Explanation everything = explain(table, "everything", {});
    EXPECT_EQ(everything.matched, 1U);
    EXPECT_TRUE(everything.filters[0].constraints.empty());
}

TEST(Explain, CopiesTheValueThatItFound) {
    Table table;
    table.subscribe("it", parse("x = 'a' AND y = 1 AND z = 1"));
    Explanation found;
    {
        const std::string text(100, 'b');
        const Attribute message[] = {{"x", ValueView::of(std::string_view(text))},
                                     {"z", ValueView::of(true)}};
        found = explain(table, "it", message);
    }
    ASSERT_EQ(found.filters.size(), 1U);
    const auto& constraints = found.filters[0].constraints;
    EXPECT_EQ(constraints[0].value, Scalar(std::string(100, 'b')));
    EXPECT_EQ(constraints[1].value, std::nullopt);
    EXPECT_EQ(constraints[2].value, Scalar(true));
    EXPECT_EQ(found.filters[0].failed, 3U);
}

TEST(Explain, AgreesWithTheDefinitionAndWithMatchWhileSubscriptionsComeAndGo) {
    SmallWorld world(11);
    std::size_t matches_seen = 0;
    for (int round = 0; round < 40; ++round) {
        Table table;
        std::vector<SubscriptionId> live;
        for (int step = 0; step < 25; ++step) {
            if (!live.empty() && world.below(3) == 0) {
                const std::size_t at = world.below(live.size());
                table.unsubscribe(live[at]);
                live.erase(live.begin() + static_cast<long>(at));
            } else {
                live.push_back(table.subscribe("i" + std::to_string(world.below(4)), world.predicate()));
            }
            const SmallWorld::Message message = world.message();
            FoundIds matched;
            table.read([&](Table::View& view) { view.match(message.attributes, matched); });
            const InterfacePool& interfaces = catalogue_of(table).interfaces();
            for (InterfaceId id = 0; id < interfaces.bound(); ++id) {
                if (!interfaces.alive(id)) continue;
                const Explanation found = explain(catalogue_of(table), id, message.attributes, all);
                ASSERT_EQ(found.matched > 0, std::ranges::count(matched, id) == 1);
                ASSERT_EQ(found.filters.size(), found.total);
                matches_seen += found.matched;
                for (const FilterVerdict& verdict : found.filters) {
                    const auto failed = static_cast<std::size_t>(std::ranges::count_if(
                        verdict.constraints,
                        [](const ConstraintVerdict& each) { return each.reason != Reason::holds; }));
                    ASSERT_EQ(verdict.failed, failed);
                    ASSERT_EQ(matches(*verdict.filter, message.attributes), failed == 0);
                }
            }
        }
    }
    EXPECT_GT(matches_seen, 300U);
}

}  // namespace
}  // namespace penstock
