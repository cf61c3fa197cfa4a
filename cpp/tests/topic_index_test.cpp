// Every index of topics against the plain definition, while patterns come and go.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "penstock/error.hpp"
#include "penstock/pattern.hpp"
#include "penstock/topic_catalogue.hpp"
#include "penstock/topic_hash.hpp"
#include "penstock/topic_radix.hpp"
#include "penstock/topic_tree.hpp"
#include "topic_world.hpp"

namespace penstock {
namespace {

using Index = std::variant<TopicRadix, TopicTree, TopicHash>;

struct Making {
    std::string name;
    std::function<Index()> make;
};

class TopicIndex : public testing::TestWithParam<Making> {
  protected:
    struct Subscribed {
        std::string pattern;
        std::string destination;
    };

    SubscriptionId subscribe(const std::string& pattern, const std::string& destination) {
        const TopicLevels levels = TopicLevels::pattern(pattern, most_topic_levels);
        const SubscriptionId id =
            std::visit([&](auto& held) { return catalogue.subscribe(levels, destination, held); }, index);
        EXPECT_TRUE(given.insert(id).second) << "an id was given out twice";
        model[id] = {canonical_topic(pattern), destination};
        return id;
    }
    void unsubscribe(SubscriptionId id) {
        std::visit([&](auto& held) { catalogue.unsubscribe(id, held); }, index);
        model.erase(id);
    }
    void unsubscribe_one() {
        unsubscribe(std::next(model.begin(), static_cast<long>(world.below(model.size())))->first);
    }

    std::set<std::string> patterns_for(const std::string& topic) {
        const TopicLevels levels = TopicLevels::topic(topic, most_topic_levels);
        scratch.found.clear();
        std::visit([&](const auto& held) { held.match(catalogue.patterns(), levels, scratch); }, index);
        std::set<std::string> found;
        for (const PatternId id : scratch.found) {
            EXPECT_TRUE(found.emplace(catalogue.patterns().text(id)).second) << "a pattern came twice";
        }
        return found;
    }
    std::set<std::string> expected(const std::string& topic) const {
        std::set<std::string> found;
        for (const auto& [id, subscribed] : model) {
            if (topic_matches(subscribed.pattern, topic)) found.insert(subscribed.pattern);
        }
        return found;
    }
    void check_catalogue() const {
        std::set<std::string> distinct;
        std::map<std::string, std::multiset<std::string>> lists;
        for (const auto& [id, subscribed] : model) {
            EXPECT_EQ(catalogue.pattern_of(id), subscribed.pattern);
            EXPECT_EQ(catalogue.destinations().at(catalogue.destination_of(id)), subscribed.destination);
            distinct.insert(subscribed.pattern);
        }
        EXPECT_EQ(catalogue.size(), model.size());
        EXPECT_EQ(catalogue.patterns().size(), distinct.size());
        EXPECT_EQ(catalogue.subscriptions().size(), model.size());
    }

    TopicWorld world{17};
    TopicCatalogue catalogue;
    Index index = GetParam().make();
    TopicScratch scratch;
    std::map<SubscriptionId, Subscribed> model;
    std::set<SubscriptionId> given;
};

TEST_P(TopicIndex, FindsWhatTheDefinitionSaysUnderChurn) {
    for (int step = 0; step < 12000; ++step) {
        const bool grows = step / 2000 % 2 == 0;
        if (model.empty() || world.below(5) < (grows ? 3U : 2U)) {
            subscribe(world.pattern(), "d" + std::to_string(world.below(30)));
        } else {
            unsubscribe_one();
        }
        if (step % 10 != 0) continue;
        const std::string topic = world.topic();
        ASSERT_EQ(patterns_for(topic), expected(topic)) << topic;
        if (step % 200 == 0) check_catalogue();
    }
    while (!model.empty()) unsubscribe_one();
    EXPECT_EQ(patterns_for("a/b/a/b"), std::set<std::string>{});
    EXPECT_EQ(catalogue.patterns().size(), 0U);
    EXPECT_EQ(catalogue.destinations().size(), 0U);
    if (const auto* radix = std::get_if<TopicRadix>(&index)) EXPECT_EQ(radix->nodes(), 0U);
    if (const auto* hash = std::get_if<TopicHash>(&index)) EXPECT_EQ(hash->first_levels(), 0U);
    if (const auto* tree = std::get_if<TopicTree>(&index)) {
        EXPECT_EQ(tree->edges(), 0U);
        EXPECT_EQ(tree->nodes(), 1U);
    }
}

// Nodes that have so many children that these move elsewhere, at the root and below.
TEST_P(TopicIndex, FindsAmongManyChildren) {
    std::vector<SubscriptionId> ids;
    for (int i = 0; i < 300; ++i) {
        const std::string name = std::to_string(i);
        ids.push_back(subscribe("n" + name + "/x", "d"));
        ids.push_back(subscribe("a/" + name, "d"));
        ids.push_back(subscribe("a/*/" + name + "/c", "d"));
    }
    for (const int i : {0, 7, 150, 299}) {
        const std::string name = std::to_string(i);
        for (const std::string& topic : {"n" + name + "/x/y", "a/" + name + "/z", "a/q/" + name + "/c"}) {
            EXPECT_EQ(patterns_for(topic), expected(topic)) << topic;
            EXPECT_EQ(patterns_for(topic).size(), 1U) << topic;
        }
    }
    while (ids.size() > 3) {
        const std::size_t at = world.below(ids.size());
        unsubscribe(ids[at]);
        ids.erase(ids.begin() + static_cast<long>(at));
        if (ids.size() % 50 != 0) continue;
        const std::string name = std::to_string(world.below(300));
        for (const std::string& topic : {"n" + name + "/x", "a/" + name + "/" + name + "/c"})
            EXPECT_EQ(patterns_for(topic), expected(topic)) << topic;
    }
    check_catalogue();
    subscribe("a/b", "d");
    EXPECT_EQ(patterns_for("a/b"), expected("a/b"));
}

TEST_P(TopicIndex, FindsPatternsOfEveryDepth) {
    std::string deep = "a";
    subscribe(deep, "d");
    for (std::size_t level = 1; level < 14; ++level) {
        subscribe(deep + "/b", "d");
        subscribe(deep + "/*/b", "d");
        deep += level % 2 == 0 ? "/a" : "/*";
    }
    const std::string topic = "a/b/a/b/a/b/a/b/a/b/a/b/b/b/b/b";
    EXPECT_EQ(patterns_for(topic), expected(topic));
    EXPECT_EQ(patterns_for("a/b/b"), expected("a/b/b"));
    EXPECT_EQ(patterns_for("a"), std::set<std::string>{"a"});
}

TEST_P(TopicIndex, ForgetsAnUnknownId) {
    const SubscriptionId id = subscribe("a/b", "d");
    unsubscribe(id);
    EXPECT_FALSE(catalogue.contains(id));
    EXPECT_THROW(catalogue.pattern_of(id), UnknownSubscription);
    std::visit([&](auto& held) { EXPECT_THROW(catalogue.unsubscribe(id, held), UnknownSubscription); },
               index);
    EXPECT_THROW(catalogue.destination_of(12345), UnknownSubscription);
}

Index weak_radix(std::uint32_t bits) {
    return TopicRadix(bits);
}

INSTANTIATE_TEST_SUITE_P(Schemes, TopicIndex,
                         testing::Values(Making{"radix", [] { return Index(TopicRadix()); }},
                                         Making{"radix_of_three_bits", [] { return weak_radix(7); }},
                                         Making{"radix_of_one_bit", [] { return weak_radix(1); }},
                                         Making{"radix_of_no_bits", [] { return weak_radix(0); }},
                                         Making{"tree", [] { return Index(TopicTree()); }},
                                         Making{"hash", [] { return Index(TopicHash(most_topic_levels)); }}),
                         [](const auto& made) { return made.param.name; });

// The paper's own way of counting: an edge that nothing continues leads to no node.
TEST(TopicTree, CountsNodesAndEdgesAsThePaperDoes) {
    TopicCatalogue catalogue;
    TopicTree tree;
    const auto subscribe = [&](std::string_view pattern) {
        return catalogue.subscribe(TopicLevels::pattern(pattern, 16), "d", tree);
    };
    const SubscriptionId first = subscribe("a/b/c");
    EXPECT_EQ(tree.nodes(), 3U);
    EXPECT_EQ(tree.edges(), 3U);
    const SubscriptionId second = subscribe("a/*/c");
    EXPECT_EQ(tree.nodes(), 4U);
    EXPECT_EQ(tree.edges(), 5U);
    const SubscriptionId again = subscribe("a/*/c");
    subscribe("a");
    EXPECT_EQ(tree.edges(), 5U);
    catalogue.unsubscribe(second, tree);
    EXPECT_EQ(tree.edges(), 5U);
    catalogue.unsubscribe(again, tree);
    catalogue.unsubscribe(first, tree);
    EXPECT_EQ(tree.nodes(), 1U);
    EXPECT_EQ(tree.edges(), 1U);
}

TEST(TopicRadix, HasNodesOnlyWhereSeveralPatternsMeet) {
    TopicCatalogue catalogue;
    TopicRadix radix;
    const auto subscribe = [&](std::string_view pattern) {
        return catalogue.subscribe(TopicLevels::pattern(pattern, 16), "d", radix);
    };
    subscribe("a/b/c/d/e/f");
    EXPECT_EQ(radix.nodes(), 0U);
    const SubscriptionId second = subscribe("a/b/x");
    EXPECT_EQ(radix.nodes(), 3U);
    catalogue.unsubscribe(second, radix);
    EXPECT_EQ(radix.nodes(), 0U);
}

// Without memory for the index.
class NoRoom {
  public:
    PatternId find(const TopicPatterns&, const TopicLevels&) const { return no_pattern; }
    void add(const TopicPatterns&, const TopicLevels&, PatternId) { throw std::bad_alloc(); }
};

TEST(TopicCatalogue, IsAsItWasWhenTheIndexCannotGrow) {
    TopicCatalogue catalogue;
    TopicTree tree;
    NoRoom index;
    catalogue.subscribe(TopicLevels::pattern("a", 16), "kept", tree);
    EXPECT_THROW(catalogue.subscribe(TopicLevels::pattern("a/b", 16), "new", index), std::bad_alloc);
    EXPECT_THROW(catalogue.subscribe(TopicLevels::pattern("a/c", 16), "kept", index), std::bad_alloc);
    EXPECT_EQ(catalogue.size(), 1U);
    EXPECT_EQ(catalogue.patterns().size(), 1U);
    EXPECT_EQ(catalogue.destinations().size(), 1U);
    EXPECT_TRUE(catalogue.one_subscription_each());
}

TEST(TopicPatterns, KeepTheDestinationsOfManySubscriptions) {
    TopicWorld world(5);
    TopicPatterns patterns;
    const PatternId id = patterns.add(TopicLevels::pattern("a/b", 16));
    std::vector<DestinationId> destination;  // by subscription
    std::map<std::uint32_t, std::uint32_t> places;
    for (int step = 0; step < 5000; ++step) {
        if (places.empty() || world.below(step % 1000 < 500 ? 3 : 2) > 0) {
            const auto subscription = static_cast<std::uint32_t>(destination.size());
            destination.push_back(static_cast<DestinationId>(world.below(9)));
            places[subscription] = patterns.attach(id, destination.back(), subscription);
        } else {
            const auto leaving = std::next(places.begin(), static_cast<long>(world.below(places.size())));
            const std::uint32_t place = leaving->second;
            places.erase(leaving);
            if (const auto moved = patterns.detach(id, place); moved != TopicPatterns::nobody)
                places.at(moved) = place;
        }
        const auto held = patterns.destinations(id);
        ASSERT_EQ(held.size(), places.size());
        for (const auto& [subscription, place] : places) ASSERT_EQ(held[place], destination[subscription]);
        ASSERT_EQ(patterns.text(id), "a/b");
        ASSERT_EQ(patterns.levels(id), 2U);
    }
}

TEST(TopicPatterns, MatchWhatTheDefinitionSays) {
    TopicWorld world(9);
    TopicPatterns patterns;
    for (int round = 0; round < 20000; ++round) {
        const std::string pattern = world.pattern();
        const std::string topic = world.topic();
        const PatternId id = patterns.add(TopicLevels::pattern(pattern, 16));
        EXPECT_EQ(patterns.matches(id, TopicLevels::topic(topic, 16)),
                  topic_matches(canonical_topic(pattern), topic))
            << pattern << ' ' << topic;
        patterns.remove(id);
    }
}

}  // namespace
}  // namespace penstock
