#include "penstock/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "penstock/error.hpp"
#include "penstock/evaluate.hpp"
#include "penstock/language.hpp"
#include "reading.hpp"
#include "small_world.hpp"
#include "table_model.hpp"

namespace penstock {
namespace {

std::uint64_t traced(Table& table, std::string_view name) {
    return table.read([&](Table::View& view) {
        for (const Table::View::Step& step : view.trace()) {
            if (step.name == name) return step.count;
        }
        ADD_FAILURE() << "no step " << name;
        return std::uint64_t{0};
    });
}

struct Kind {
    Table::Engine engine;
    std::uint32_t rounds;
};
class EveryEngine : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryEngine,
                         testing::Values(Kind{Table::Engine::access, 0}, Kind{Table::Engine::counting, 0},
                                         Kind{Table::Engine::counting, 1},
                                         Kind{Table::Engine::counting, 10}));

TEST_P(EveryEngine, AgreesWithThePlainDefinitionWhileSubscriptionsComeAndGo) {
    SmallWorld world(GetParam().rounds + 1);
    std::size_t hits = 0;
    for (int round = 0; round < 60; ++round) {
        Table table(GetParam().engine, GetParam().rounds);
        Model model;
        const std::size_t interfaces = 1 + world.below(12);
        for (int step = 0; step < 30; ++step) {
            if (!model.empty() && world.below(3) == 0) {
                const auto victim = std::next(model.begin(), static_cast<long>(world.below(model.size())));
                table.unsubscribe(victim->first);
                model.erase(victim);
            } else {
                const Subscribed subscribed{"i" + std::to_string(world.below(interfaces)), world.predicate()};
                const SubscriptionId id = table.subscribe(subscribed.interface, subscribed.predicate);
                ASSERT_TRUE(model.emplace(id, subscribed).second);
            }
            const SmallWorld::Message message = world.message();
            const auto want = expected(model, message.attributes);
            hits += want.size();
            ASSERT_EQ(matched(table, message.attributes), want);
        }
        for (const auto& [id, subscribed] : model) {
            ASSERT_EQ(catalogue_of(table).predicate_of(id), subscribed.predicate);
        }
    }
    EXPECT_GT(hits, 1000U);
}

TEST_P(EveryEngine, CountsFiltersOfMoreConstraintsThanAByteHolds) {
    Table table(GetParam().engine, GetParam().rounds);
    std::string text = "x != 'no'";
    for (int n = 0; n < 300; ++n) text += " AND x != '" + std::to_string(n) + "'";
    Limits limits;
    limits.constraints = 1000;
    table.subscribe("wide", parse(text, limits));
    const Attribute yes[] = {{"x", ValueView::of(std::string_view("yes"))}};
    const Attribute no[] = {{"x", ValueView::of(std::string_view("299"))}};
    EXPECT_EQ(matched(table, yes), std::set<std::string>{"wide"});
    EXPECT_TRUE(matched(table, no).empty());
    EXPECT_EQ(matched(table, yes), std::set<std::string>{"wide"}) << "counters were not restored";
}

TEST(Table, SharesEqualFiltersAndConstraints) {
    Table table;
    table.subscribe("a", parse("x = 1 AND y = 2"));
    table.subscribe("b", parse("y = 2 AND x = 1.0"));
    table.subscribe("b", parse("x = 1"));
    EXPECT_EQ(catalogue_of(table).filters().size(), 2U);
    EXPECT_EQ(catalogue_of(table).filters().constraints(), 3U);
    EXPECT_EQ(catalogue_of(table).interfaces().size(), 2U);
}

TEST(Table, ExcludesInterfacesByDeterminantNames) {
    Table table(Table::Engine::counting, 1);
    table.subscribe("a", parse("x = 1 AND y = 1 OR x = 2"));
    table.subscribe("b", parse("x = 3 AND z = 1"));
    table.subscribe("c", parse("NOT EXISTS x"));
    const Attribute message[] = {{"z", ValueView::of(std::int64_t{1})}};
    EXPECT_EQ(matched(table, message), std::set<std::string>{"c"});
    EXPECT_EQ(traced(table, "excluded"), 2U) << "x is needed by a and b, but not by c";
}

TEST(Table, StopsWhenEveryInterfaceIsMatched) {
    Table table(Table::Engine::counting);
    for (int n = 0; n < 100; ++n)
        table.subscribe("only", parse("x >= 0 AND y != " + std::to_string(n) + " OR z = 1"));
    const Attribute message[] = {{"z", ValueView::of(std::int64_t{1})},
                                 {"x", ValueView::of(std::int64_t{1})},
                                 {"y", ValueView::of(std::int64_t{500})}};
    EXPECT_EQ(matched(table, message), std::set<std::string>{"only"});
    EXPECT_LE(traced(table, "postings"), 1U);
}

TEST(Table, RefusesUnknownAndStaleIds) {
    Table table;
    EXPECT_THROW(table.unsubscribe(0), UnknownSubscription);
    const SubscriptionId id = table.subscribe("a", parse("x = 1"));
    table.unsubscribe(id);
    EXPECT_THROW(table.unsubscribe(id), UnknownSubscription);
    const SubscriptionId again = table.subscribe("a", parse("x = 1"));
    EXPECT_NE(again, id) << "an id is never given out twice";
    EXPECT_THROW(table.unsubscribe(id), UnknownSubscription);
    EXPECT_TRUE(catalogue_of(table).contains(again));
}

TEST(Table, TakesBackABulkThatIsNotCommitted) {
    Table table;
    const SubscriptionId kept = table.subscribe("a", parse("x = 1"));
    table.build();
    {
        Table::Bulk bulk(table);
        bulk.subscribe("b", parse("x = 2 OR y = 3"));
        bulk.subscribe("a", parse("x = 1"));
        EXPECT_EQ(bulk.size(), 2U);
    }
    EXPECT_EQ(catalogue_of(table).size(), 1U);
    EXPECT_EQ(catalogue_of(table).interfaces().size(), 1U);
    EXPECT_EQ(catalogue_of(table).filters().constraints(), 1U);
    const Attribute message[] = {{"x", ValueView::of(std::int64_t{1})}};
    EXPECT_EQ(matched(table, message), std::set<std::string>{"a"});
    Table::Bulk bulk(table);
    bulk.subscribe("c", parse("x = 1"));
    const std::vector<SubscriptionId> ids = bulk.commit();
    EXPECT_EQ(ids, std::vector<SubscriptionId>{kept + 1}) << "ids that nobody saw are not used up";
    EXPECT_EQ(matched(table, message), (std::set<std::string>{"a", "c"}));
}

TEST(Table, CountsOnlyThePostingsThatItWalks) {
    Table table(Table::Engine::counting);
    for (int n = 0; n < 1000; ++n) table.subscribe("only", parse("x > " + std::to_string(n)));
    const Attribute message[] = {{"x", ValueView::of(std::int64_t{5000})}};
    EXPECT_EQ(matched(table, message), std::set<std::string>{"only"});
    EXPECT_EQ(traced(table, "postings"), 1U);
    EXPECT_EQ(matched(table, message), std::set<std::string>{"only"}) << "counters were not restored";
}

TEST(Table, ReusesTheSpaceOfWhatIsRemoved) {
    SmallWorld world(7);
    Table table;
    std::vector<SubscriptionId> ids;
    const auto bytes = [&] {
        std::size_t total = 0;
        table.read([&](Table::View& view) {
            for (const Table::View::Part& part : view.parts()) total += part.bytes;
        });
        return total;
    };
    for (int n = 0; n < 2000; ++n)
        ids.push_back(table.subscribe("i" + std::to_string(n % 100), world.predicate()));
    const std::size_t before = bytes();
    for (int n = 0; n < 50000; ++n) {
        auto& id = ids[world.below(ids.size())];
        table.unsubscribe(id);
        id = table.subscribe("i" + std::to_string(world.below(100)), world.predicate());
    }
    EXPECT_LT(bytes(), before * 2);
    for (const SubscriptionId id : ids) table.unsubscribe(id);
    EXPECT_EQ(catalogue_of(table).filters().constraints(), 0U);
    EXPECT_EQ(catalogue_of(table).filters().size(), 0U);
    EXPECT_EQ(catalogue_of(table).interfaces().size(), 0U);
    EXPECT_EQ(catalogue_of(table).filters().names().size(), 0U);
    EXPECT_EQ(catalogue_of(table).filters().values().strings().size(), 0U);
}

}  // namespace
}  // namespace penstock
