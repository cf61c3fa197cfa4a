#include "penstock/pattern.hpp"

#include <gtest/gtest.h>

#include <random>

#include "penstock/error.hpp"
#include "penstock/utf8.hpp"

namespace penstock {
namespace {

TEST(CanonicalLike, GathersWildcards) {
    EXPECT_EQ(canonical_like("a%%b"), "a%b");
    EXPECT_EQ(canonical_like("%_%_"), "__%");
    EXPECT_EQ(canonical_like("a_b"), "a_b");
    EXPECT_EQ(canonical_like(""), "");
}

TEST(LikeMatches, KnowsItsWildcards) {
    EXPECT_TRUE(like_matches("a%c", "abbc"));
    EXPECT_TRUE(like_matches("a%c", "ac"));
    EXPECT_FALSE(like_matches("a%c", "acb"));
    EXPECT_TRUE(like_matches("_b", "ab"));
    EXPECT_FALSE(like_matches("_b", "b"));
    EXPECT_TRUE(like_matches("", ""));
    EXPECT_FALSE(like_matches("", "a"));
    EXPECT_TRUE(like_matches("%", ""));
}

TEST(LikeMatches, CountsCodePointsNotBytes) {
    EXPECT_TRUE(like_matches("_", "é"));
    EXPECT_TRUE(like_matches("%_b", "日b"));
    EXPECT_FALSE(like_matches("__", "😀"));
    EXPECT_TRUE(like_matches("%é", "日é"));
}

TEST(LikeMatches, IsNotExponential) {
    std::string pattern;
    for (int i = 0; i < 200; ++i) pattern += "%a";
    EXPECT_FALSE(like_matches(pattern + "%b", std::string(5000, 'a')));
}

// The definition, straight from the words: % takes nothing or one character more.
bool slow_like(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) return text.empty();
    const auto rest = text.empty() ? text : text.substr(character_size(text, 0));
    if (pattern[0] == '%')
        return slow_like(pattern.substr(1), text) || (!text.empty() && slow_like(pattern, rest));
    if (text.empty()) return false;
    const auto after = pattern.substr(character_size(pattern, 0));
    if (pattern[0] != '_' && !text.starts_with(pattern.substr(0, character_size(pattern, 0)))) return false;
    return slow_like(after, rest);
}

TEST(LikeMatches, AgreesWithTheDefinition) {
    std::mt19937 random(7);
    const std::string letters[] = {"a", "b", "é", "%", "_"};
    const auto draw = [&](unsigned kinds, unsigned longest) {
        std::string text;
        for (auto left = random() % (longest + 1); left > 0; --left) text += letters[random() % kinds];
        return text;
    };
    for (int round = 0; round < 20000; ++round) {
        const auto pattern = draw(5, 6);
        const auto text = draw(3, 7);
        EXPECT_EQ(like_matches(pattern, text), slow_like(pattern, text)) << pattern << ' ' << text;
        EXPECT_EQ(like_matches(canonical_like(pattern), text), slow_like(pattern, text))
            << pattern << ' ' << text;
    }
}

TEST(LikeAnchor, PrefersTheHead) {
    EXPECT_EQ(like_anchor("ab%cdef").text, "ab");
    EXPECT_EQ(like_anchor("ab%cdef").place, Anchor::Place::start);
    EXPECT_EQ(like_anchor("%a_bcd%ef").text, "bcd");
    EXPECT_EQ(like_anchor("%a_bcd%ef").place, Anchor::Place::anywhere);
    EXPECT_EQ(like_anchor("_%").text, "");
}

TEST(TopicAnchor, EndsBeforeTheFirstWildcard) {
    EXPECT_EQ(topic_anchor("a/b").text, "a/b");
    EXPECT_EQ(topic_anchor("a/*/c").text, "a/");
    EXPECT_EQ(topic_anchor("a/b*/*/c").text, "a/b*/");
    EXPECT_EQ(topic_anchor("a/*/c").place, Anchor::Place::start);
}

TEST(CanonicalTopic, DropsTrailingWildcards) {
    EXPECT_EQ(canonical_topic("a/*/b/*/*"), "a/*/b");
    EXPECT_EQ(canonical_topic("a/*"), "a");
}

TEST(CanonicalTopic, RefusesWhatIsNoPattern) {
    for (const char* bad : {"", "/a", "a/", "a//b", "*", "*/a", "a/\nb", "a/\x7F"}) {
        EXPECT_THROW(canonical_topic(bad), FilterError) << bad;
    }
    std::string deep = "a";
    for (int i = 0; i < 15; ++i) deep += "/a";
    EXPECT_EQ(canonical_topic(deep), deep);
    EXPECT_THROW(canonical_topic(deep + "/a"), FilterError);
}

TEST(TopicMatches, ComparesLevelByLevelAndAllBelow) {
    EXPECT_TRUE(topic_matches("S/*/P", "S/Fluid/P"));
    EXPECT_TRUE(topic_matches("S/*/P", "S/Fluid/P/low/er"));
    EXPECT_FALSE(topic_matches("S/*/P", "S/Fluid"));
    EXPECT_FALSE(topic_matches("S/*/P", "S/Fluid/Pressure"));
    EXPECT_TRUE(topic_matches("S", "S"));
    EXPECT_FALSE(topic_matches("S", "Streams"));
    EXPECT_TRUE(topic_matches("S/*/P", "S//P"));
    EXPECT_FALSE(topic_matches("S", ""));
}

TEST(TopicLevels, KeepsEmptyLevels) {
    using Levels = std::vector<std::string_view>;
    EXPECT_EQ(topic_levels("a/b"), (Levels{"a", "b"}));
    EXPECT_EQ(topic_levels("/a/"), (Levels{"", "a", ""}));
    EXPECT_EQ(topic_levels(""), (Levels{""}));
}

}  // namespace
}  // namespace penstock
