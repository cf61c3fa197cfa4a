// Threads that match topics while others subscribe: nobody sees half of a change, or misses what stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "penstock/topic_table.hpp"

namespace penstock {
namespace {

constexpr int rounds = 300;

class TopicThreads : public testing::TestWithParam<TopicTable::Scheme> {
  protected:
    std::vector<std::string> match(const std::string& topic) {
        return table.read([&](TopicTable::View& view) {
            FoundIds ids;
            view.match(topic, ids);
            std::vector<std::string> names;
            for (const DestinationId id : ids) names.emplace_back(view.catalogue().destinations().at(id));
            std::ranges::sort(names);
            return names;
        });
    }

    // Works in one thread of each, and watches in others until that is done.
    static void run(const std::vector<std::function<void(int)>>& workers,
                    const std::function<void()>& watch) {
        std::atomic<std::size_t> left = workers.size();
        std::vector<std::jthread> threads;
        for (const auto& worker : workers) {
            threads.emplace_back([&] {
                for (int round = 0; round < rounds; ++round) worker(round);
                --left;
            });
        }
        for (int i = 0; i < 2; ++i) {
            threads.emplace_back([&] {
                do watch();
                while (left > 0);
            });
        }
    }

    TopicTable table{{.scheme = GetParam()}};
};

TEST_P(TopicThreads, WhatStaysIsAlwaysFoundOnce) {
    table.subscribe("a/b/c", "always");
    table.subscribe("a/*/c", "always");
    const auto change = [&](int round) {
        const std::string name = std::to_string(round % 40);
        const SubscriptionId one = table.subscribe("a/b/" + name, "other");
        const SubscriptionId two = table.subscribe("a/*/c/" + name, "always");
        const SubscriptionId three = table.subscribe("a/b/c", "more " + name);
        table.unsubscribe(one);
        table.unsubscribe(two);
        table.unsubscribe(three);
    };
    run({change, change}, [&] { EXPECT_EQ(std::ranges::count(match("a/b/c/7"), "always"), 1); });
    EXPECT_EQ(match("a/b/c/7"), std::vector<std::string>{"always"});
}

TEST_P(TopicThreads, ManyAreSeenTogether) {
    const std::vector<TopicTable::Row> rows{{"a/b", "left"}, {"x/y", "filler"}, {"a/*/c", "right"}};
    // Taken back in the order of the rows: what is seen of the first is seen of the last.
    const auto change = [&](int) {
        for (const SubscriptionId id : table.subscribe_many(rows)) table.unsubscribe(id);
    };
    run({change}, [&] {
        const auto names = match("a/b/c");
        EXPECT_LE(std::ranges::count(names, "left"), std::ranges::count(names, "right"));
    });
}

TEST_P(TopicThreads, WhatWasMatchedIsTrueAsLongAsItsStampIs) {
    std::atomic<int> present = 0;  // -1 while it is changing
    const auto change = [&](int) {
        present = -1;
        const SubscriptionId id = table.subscribe("a/*", "guest");
        present = 1;
        std::this_thread::yield();
        present = -1;
        table.unsubscribe(id);
        present = 0;
    };
    run({change}, [&] {
        std::uint64_t stamp = 0;
        const auto names = table.read([&](TopicTable::View& view) {
            FoundIds ids;
            view.match("a/b", ids);
            stamp = table.stamp_of("a/b");
            return ids.size();
        });
        const int known = present;
        if (known >= 0 && table.stamp_of("a/b") == stamp && present == known)
            EXPECT_EQ(names, static_cast<std::size_t>(known));
    });
}

TEST_P(TopicThreads, SavingMeetsNoChange) {
    std::string name = testing::TempDir() + "/topics.XXXXXX";
    const std::filesystem::path directory = ::mkdtemp(name.data());
    const std::string path = directory / "table";
    table.subscribe("a/b", "always");
    const auto change = [&](int round) {
        table.unsubscribe(table.subscribe("a/" + std::to_string(round), "other"));
    };
    const auto save = [&](int round) {
        if (round % 60 != 0) return;
        table.save(path);
        TopicTable loaded{FileReader(path)};
        loaded.read([](TopicTable::View& view) {
            FoundIds ids;
            view.match("a/b", ids);
            EXPECT_EQ(ids.size(), 1U);
            EXPECT_LE(view.catalogue().size(), 2U);
        });
    };
    run({change, save}, [&] { EXPECT_EQ(match("a/b"), std::vector<std::string>{"always"}); });
    std::filesystem::remove_all(directory);
}

INSTANTIATE_TEST_SUITE_P(Schemes, TopicThreads,
                         testing::Values(TopicTable::Scheme::radix, TopicTable::Scheme::tree,
                                         TopicTable::Scheme::hash));

}  // namespace
}  // namespace penstock
