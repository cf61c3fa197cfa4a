#include "penstock/topic_levels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "page_end.hpp"
#include "penstock/error.hpp"
#include "penstock/pattern.hpp"
#include "penstock/topic_fault.hpp"
#include "topic_world.hpp"

namespace penstock {
namespace {

std::vector<std::string_view> levels_of(const TopicLevels& levels) {
    std::vector<std::string_view> texts;
    for (std::size_t level = 0; level < levels.size(); ++level) texts.push_back(levels[level]);
    return texts;
}

bool is_topic(std::string_view text, std::size_t most_levels = 16) {
    try {
        TopicLevels::topic(text, most_levels);
        return true;
    } catch (const MessageError&) {
        return false;
    }
}

TEST(TopicLevels, AreWhereTheSlashesSay) {
    const TopicLevels levels = TopicLevels::topic("Streams/Sensor/Fluid/Pressure", 16);
    EXPECT_EQ(levels_of(levels), (std::vector<std::string_view>{"Streams", "Sensor", "Fluid", "Pressure"}));
    EXPECT_EQ(levels.between(1, 2), "Sensor/Fluid");
    EXPECT_EQ(levels.shape(), 0b10000U);
    EXPECT_EQ(levels_of(TopicLevels::topic("a", 1)), std::vector<std::string_view>{"a"});
}

TEST(TopicLevels, OfPatternsLoseTrailingWildcards) {
    const TopicLevels levels = TopicLevels::pattern("a/*/bc/*/*", 16);
    EXPECT_EQ(levels.text(), "a/*/bc");
    EXPECT_EQ(levels.shape(), 0b1010U);
    EXPECT_TRUE(levels.is_wildcard(1));
    EXPECT_FALSE(levels.is_wildcard(2));
    EXPECT_EQ(TopicLevels::pattern("a/*", 16).text(), "a");
    EXPECT_EQ(TopicLevels::pattern("a/**/b*", 16).text(), "a/**/b*");
}

TEST(TopicLevels, AreLimited) {
    std::string deep = "a";
    for (std::size_t i = 1; i < most_topic_levels; ++i) deep += "/a";
    EXPECT_EQ(TopicLevels::topic(deep, most_topic_levels).size(), most_topic_levels);
    EXPECT_FALSE(is_topic(deep, most_topic_levels - 1));
    EXPECT_FALSE(is_topic(deep + "/a", most_topic_levels));
    EXPECT_TRUE(is_topic(std::string(65536, 'x')));
    EXPECT_FALSE(is_topic(std::string(65537, 'x')));
    EXPECT_FALSE(is_topic(std::string(2'000'000, '/')));
}

TEST(TopicLevels, SayWhatIsWrongAndWhere) {
    const auto fault = [](std::string_view text, TopicKind kind) {
        const auto found = topic_fault(text, kind, 3);
        return found ? std::to_string(found->at) + ": " + found->message : "";
    };
    using enum TopicKind;
    EXPECT_EQ(fault("a/*/b", pattern), "");
    EXPECT_EQ(fault("a/b/c", topic), "");
    EXPECT_EQ(fault("a//b", pattern), "2: a topic has no empty levels");
    EXPECT_EQ(fault("", topic), "0: a topic has no empty levels");
    EXPECT_EQ(fault("*/a", pattern), "0: the first level of a topic cannot be a wildcard");
    EXPECT_EQ(fault("a/*", topic), "2: a topic that is published has no wildcards");
    EXPECT_EQ(fault("ab/c\n", pattern), "4: a topic cannot hold control characters");
    EXPECT_EQ(fault("a/b/c/d", pattern), "0: a topic of 4 levels (limit 3)");
    EXPECT_EQ(fault(std::string(70000, 'x'), topic), "0: a topic of 70,000 bytes (limit 65,536)");
}

// Read eight bytes at a time, and once more plainly.
TEST(TopicLevels, AgreeWithAPlainReading) {
    TopicWorld world(3);
    PageEnd page;
    for (int round = 0; round < 30000; ++round) {
        std::string text;
        for (std::size_t n = world.below(30); n > 0; --n)
            text += "ab/*\x1F\x20\x7F\x80\xFF"[world.below(world.below(4) == 0 ? 9 : 3)];
        const std::string_view held = page.put(text, round % 3);
        EXPECT_EQ(is_topic(held), !topic_fault(text, TopicKind::topic, 16)) << text;
        if (is_topic(held)) EXPECT_EQ(levels_of(TopicLevels::topic(held, 16)), topic_levels(held));
        if (topic_fault(text, TopicKind::pattern, 16)) {
            EXPECT_THROW(TopicLevels::pattern(held, 16), FilterError) << text;
        } else {
            const TopicLevels pattern = TopicLevels::pattern(held, 16);
            EXPECT_EQ(pattern.text(), canonical_topic(text));
            EXPECT_EQ(levels_of(pattern), topic_levels(pattern.text()));
            EXPECT_EQ(TopicLevels::canonical(pattern.text()).shape(), pattern.shape());
            for (std::size_t level = 0; level < pattern.size(); ++level)
                EXPECT_EQ(pattern.is_wildcard(level), pattern[level] == "*");
        }
    }
}

TEST(HashLevel, DependsOnEveryByteAndNoOther) {
    PageEnd page;
    for (std::size_t size = 0; size < 40; ++size) {
        std::string text(size, 'x');
        const std::uint64_t plain = hash_level(page.put(text), 1);
        EXPECT_EQ(hash_level(text + "more", 1) == plain, false);
        EXPECT_EQ(hash_level(std::string_view(text + "more").substr(0, size), 1), plain);
        EXPECT_NE(hash_level(text, 2), plain);
        for (std::size_t at = 0; at < size; ++at) {
            std::string other = text;
            other[at] = 'y';
            EXPECT_NE(hash_level(page.put(other), 1), plain) << size << ' ' << at;
        }
    }
}

}  // namespace
}  // namespace penstock
