#include "penstock/pattern_set.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace penstock {
namespace {

TEST(PatternSet, HoldsEachOnceWithAllThatIsTrueOfIt) {
    std::mt19937 random(5);
    PatternSet set;
    for (const unsigned size : {3U, 12U, 13U, 14U, 500U, 2U, 127U, 128U, 129U, 40U}) {
        set.clear();
        std::map<StringPool::Id, std::uint32_t> expected;
        for (unsigned i = 0; i < 4 * size; ++i) {
            const StringPool::Id text = (random() % size) << (size % 3 * 8);
            const std::uint32_t relation = 1U << (random() % 4);
            set.insert(text, relation);
            expected[text] |= relation;
        }
        std::map<StringPool::Id, std::uint32_t> found;
        for (const auto& [text, relations] : set.patterns())
            ASSERT_TRUE(found.emplace(text, relations).second) << size;
        EXPECT_EQ(found, expected) << size;
    }
}

}  // namespace
}  // namespace penstock
