#include "penstock/recent_names.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace penstock {
namespace {

// Of every length up to a few words, many alike at both ends.
std::vector<std::string> alike_names() {
    std::vector<std::string> names{""};
    for (std::size_t size = 1; size < 40; ++size) {
        for (std::size_t at = 0; at < size; ++at) {
            names.emplace_back(size, 'a');
            names.back()[at] = 'b';
        }
        names.emplace_back(size, 'a');
        names.emplace_back(size, '\0');
    }
    names.emplace_back(300, 'a');
    names.emplace_back((std::size_t{1} << 16U) + 3, 'a');
    return names;
}

TEST(RecentNames, FindsWhatThePoolFinds) {
    const std::vector<std::string> names = alike_names();
    StringPool pool;
    for (std::size_t i = 0; i < names.size(); i += 2) pool.acquire(names[i]);
    RecentNames recent;
    recent.follow(pool);
    for (int round = 0; round < 3; ++round) {
        for (const std::string& name : names) EXPECT_EQ(recent.find(name, pool), pool.find(name)) << name;
        for (const std::string& name : names) {  // twice in a row, so that it is there
            recent.find(name, pool);
            EXPECT_EQ(recent.find(name, pool), pool.find(name)) << name;
        }
    }
}

TEST(RecentNames, FollowsAPoolThatChanges) {
    const std::vector<std::string> names = alike_names();
    StringPool pool;
    RecentNames recent;
    std::mt19937 random(7);
    for (int step = 0; step < 20'000; ++step) {
        const std::string& name = names[random() % names.size()];
        if (random() % 4 == 0) {
            const StringPool::Id id = pool.find(name);
            if (id == StringPool::none) {
                pool.acquire(name);
            } else {
                pool.release(id);
            }
        }
        recent.follow(pool);
        const std::string& other = names[random() % 40];
        ASSERT_EQ(recent.find(name, pool), pool.find(name));
        ASSERT_EQ(recent.find(other, pool), pool.find(other));
    }
}

TEST(RecentNames, AnIdThatGoesToAnotherNameIsNotTakenForTheOldOne) {
    StringPool pool;
    RecentNames recent;
    const StringPool::Id id = pool.acquire("old");
    recent.follow(pool);
    EXPECT_EQ(recent.find("old", pool), id);
    pool.release(id);
    ASSERT_EQ(pool.acquire("new"), id);
    recent.follow(pool);
    EXPECT_EQ(recent.find("old", pool), StringPool::none);
    EXPECT_EQ(recent.find("new", pool), id);
}

}  // namespace
}  // namespace penstock
