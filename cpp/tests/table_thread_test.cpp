// Threads that match while others change the table: nobody sees half of a change, or misses what stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "arrow_producer.hpp"
#include "penstock/batch_threads.hpp"
#include "penstock/explain.hpp"
#include "penstock/language.hpp"
#include "penstock/table.hpp"

namespace penstock {
namespace {

constexpr std::size_t rounds = 150;

// Runs each in a thread of its own; those that watch go on until the last of those that work is done.
void run(const std::vector<std::function<void(std::size_t)>>& workers,
         const std::vector<std::function<void()>>& watchers) {
    std::atomic<std::size_t> left = workers.size();
    std::vector<std::jthread> threads;
    for (const auto& worker : workers) {
        threads.emplace_back([&] {
            for (std::size_t round = 0; round < rounds; ++round) worker(round);
            --left;
        });
    }
    for (const auto& watcher : watchers) {
        threads.emplace_back([&] {
            do watcher();
            while (left > 0);
        });
    }
}

class TableThreads : public testing::TestWithParam<Table::Engine> {
  protected:
    // The names of the interfaces that want {a: value, text: "some text"}.
    std::vector<std::string> match(std::int64_t value) {
        const std::vector<Attribute> message{{"a", ValueView::of(value)},
                                             {"text", ValueView::of(std::string_view("some text"))}};
        return table.read([&](Table::View& view) {
            FoundIds ids;
            view.match(message, ids);
            std::vector<std::string> names;
            for (const InterfaceId id : ids) names.emplace_back(view.catalogue().interfaces().at(id));
            std::ranges::sort(names);
            return names;
        });
    }
    SubscriptionId subscribe(std::string_view interface, std::string_view filter) {
        return table.subscribe(interface, parse(filter, {}));
    }
    std::vector<SubscriptionId> load(const std::vector<std::pair<std::string, std::string>>& rows) {
        Table::Bulk bulk(table);
        for (const auto& [interface, filter] : rows) bulk.subscribe(interface, parse(filter, {}));
        return bulk.commit();
    }

    Table table{GetParam()};
};

TEST_P(TableThreads, WhatStaysIsAlwaysFound) {
    subscribe("always", "a = 1 AND text CONTAINS 'me t'");
    const auto change = [&](std::size_t round) {
        const std::string number = std::to_string(round % 7);
        const SubscriptionId one = subscribe("other " + number, "a = 1 AND text STARTS WITH 'some'");
        const SubscriptionId two = subscribe("always", "a > " + number + " OR text = 'x" + number + "'");
        table.unsubscribe(one);
        table.unsubscribe(two);
        if (round % 40 == 0) table.build();
    };
    const auto watch = [&] { EXPECT_EQ(std::ranges::count(match(1), "always"), 1); };
    run({change, change}, {watch, watch});
    EXPECT_EQ(match(1), std::vector<std::string>{"always"});
}

TEST_P(TableThreads, SubscriptionsOfOneBulkAreSeenTogether) {
    subscribe("always", "a = 1");
    subscribe("always", "text = 'some text' AND a = 2");
    const auto change = [&](std::size_t round) {
        const std::string number = std::to_string(round);
        std::vector<std::pair<std::string, std::string>> rows{{"left", "a < 5 AND text = 'some text'"},
                                                              {"left of one", "a = 1"}};
        for (int i = 0; i < 10; ++i) rows.emplace_back("filler", "b = " + number + std::to_string(i));
        rows.emplace_back("right", "text ENDS WITH 'text' AND a = 1");
        rows.emplace_back("right", "text ENDS WITH 'text' AND a = 2");
        rows.emplace_back("right of one", "a = 1");
        const std::vector<SubscriptionId> ids = load(rows);
        EXPECT_EQ(ids.size(), rows.size());
        for (const SubscriptionId id : ids) table.unsubscribe(id);
    };
    // Unsubscribing is one by one, and in order: what was seen of the first is then not seen of the last.
    const auto watch = [&] {
        const std::vector<std::string> names = match(1);
        EXPECT_EQ(std::ranges::count(names, "always"), 1);
        EXPECT_LE(std::ranges::count(names, "left"), std::ranges::count(names, "right"));
        EXPECT_LE(std::ranges::count(names, "left of one"), std::ranges::count(names, "right of one"));
    };
    run({change}, {watch, watch});
    EXPECT_EQ(match(1), std::vector<std::string>{"always"});
}

TEST_P(TableThreads, ABulkThatFailsIsNeverSeen) {
    subscribe("always", "a = 1");
    const auto change = [&](std::size_t) {
        Table::Bulk bulk(table);
        bulk.subscribe("never", parse("a = 1", {}));
        bulk.subscribe("never", parse("text = 'some text'", {}));
    };
    run({change, change}, {[&] { EXPECT_EQ(match(1), std::vector<std::string>{"always"}); }});
    EXPECT_EQ(match(1), std::vector<std::string>{"always"});
}

TEST_P(TableThreads, ObservingMovesFiltersUnderTheEyesOfMatches) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (int i = 0; i < 200; ++i) rows.emplace_back("always", "a = 1 AND text = '" + std::to_string(i) + "'");
    rows.emplace_back("always", "a = 1 AND text = 'some text'");
    load(rows);
    const std::vector<Attribute> with_number{{"a", ValueView::of(std::int64_t{1})}};
    const std::vector<Attribute> with_text{{"text", ValueView::of(std::string_view("some text"))}};
    const auto change = [&](std::size_t round) {
        if (round % 15 != 0) return;
        const std::vector<MessageView> messages(4 * (round + 1), round % 2 == 0 ? with_number : with_text);
        Table::Observation observation(table);
        observation.add(messages);
        observation.finish();
    };
    run({change}, {[&] { EXPECT_EQ(match(1), std::vector<std::string>{"always"}); }});
}

TEST_P(TableThreads, BatchesSeeOneTable) {
    subscribe("always", "a >= 0");
    const auto change = [&](std::size_t) {
        for (const SubscriptionId id : load({{"left", "a >= 0 AND a < 9"}, {"right", "a >= 0 AND a < 10"}}))
            table.unsubscribe(id);
    };
    const auto batch = batch_of(300);
    batch->child(numbers<std::int64_t>("l", "a", std::vector<std::int64_t>(300, 1))).finish();
    const ArrowTable data = table_of(*batch);
    const auto watch = [&] {
        const MatchedRows found = table.read([&](Table::View& view) { return match_batches(view, data); });
        ASSERT_EQ(found.rows(), 300U);
        for (std::size_t row = 0; row < found.rows(); ++row)
            EXPECT_EQ(found.offsets[row + 1] - found.offsets[row], found.offsets[1]);
    };
    const auto watch_parts = [&] {
        const MatchedRows found = match_in_threads(table, data, {.names = true, .threads = 3});
        ASSERT_EQ(found.rows(), 300U);
        EXPECT_EQ(
            std::ranges::count(found.ids, std::ranges::find(found.names, "always") - found.names.begin()),
            300);
    };
    run({change}, {watch, watch_parts});
}

TEST_P(TableThreads, ReadersOfEverySortMeetNoChange) {
    subscribe("always", "a = 1");
    const auto change = [&](std::size_t round) {
        table.unsubscribe(subscribe("other " + std::to_string(round % 3), "a = 1 AND text = 'some text'"));
    };
    const auto count = [&] {
        table.read([](Table::View& view) {
            EXPECT_GE(view.catalogue().size(), view.catalogue().interfaces().size());
            EXPECT_EQ(view.catalogue().subscriptions().size(), view.catalogue().size());
            EXPECT_FALSE(view.parts().empty());
        });
    };
    const auto ask = [&] {
        const std::vector<Attribute> message{{"a", ValueView::of(std::int64_t{1})}};
        table.read([&](Table::View& view) {
            const InterfaceId id = view.catalogue().interfaces().find("always");
            EXPECT_EQ(explain(view.catalogue(), id, message, 5).matched, 1U);
        });
    };
    run({change, change}, {count, ask});
}

TEST_P(TableThreads, AThreadIsToldThatItWouldWaitForItself) {
    subscribe("always", "a = 1");
    {
        Table::Bulk bulk(table);
        EXPECT_THROW(subscribe("other", "a = 1"), std::logic_error);
        EXPECT_THROW(table.build(), std::logic_error);
        if (GetParam() == Table::Engine::access) {
            EXPECT_EQ(match(1), std::vector<std::string>{"always"});
        } else {
            EXPECT_THROW(match(1), std::logic_error);
        }
    }
    subscribe("other", "a = 1");
    EXPECT_EQ(match(1), (std::vector<std::string>{"always", "other"}));
}

INSTANTIATE_TEST_SUITE_P(Engines, TableThreads,
                         testing::Values(Table::Engine::access, Table::Engine::counting),
                         [](const auto& made) {
                             return made.param == Table::Engine::access ? "access" : "counting";
                         });

}  // namespace
}  // namespace penstock
