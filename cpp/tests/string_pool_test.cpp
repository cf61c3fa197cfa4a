#include "penstock/string_pool.hpp"

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "small_world.hpp"

namespace penstock {
namespace {

template <class Pool>
class StringPoolTest : public testing::Test {};

using Pools = testing::Types<StringPool, InterfacePool>;
TYPED_TEST_SUITE(StringPoolTest, Pools);

TYPED_TEST(StringPoolTest, CountsReferencesAndReusesIdsUnderChurn) {
    SmallWorld world(11);
    TypeParam pool;
    std::map<std::string, std::uint32_t> model;
    for (int step = 0; step < 20000; ++step) {
        const std::string text = std::string(world.below(3) * 50, '-') + world.text("abcd");
        if (world.below(2) == 0) {
            const StringPool::Id id = pool.acquire(text);
            ++model[text];
            ASSERT_EQ(pool.at(id), text);
        } else if (const auto found = model.find(text); found != model.end()) {
            pool.release(pool.find(text));
            if (--found->second == 0) model.erase(found);
        } else {
            ASSERT_EQ(pool.find(text), StringPool::none);
        }
    }
    ASSERT_EQ(pool.size(), model.size());
    for (const auto& [text, references] : model) {
        const StringPool::Id id = pool.find(text);
        ASSERT_NE(id, StringPool::none);
        ASSERT_EQ(pool.at(id), text);
        ASSERT_EQ(pool.references(id), references);
        ASSERT_LT(id, pool.bound());
    }
}

TYPED_TEST(StringPoolTest, FindsSeveralAsItFindsEach) {
    TypeParam pool;
    for (int i = 0; i < 3000; i += 1 + i % 2) pool.acquire("text " + std::to_string(i));
    for (std::size_t first = 0; first < 3000; first += TypeParam::most_at_once) {
        std::vector<std::string> strings{""};
        for (std::size_t i = 1; i < TypeParam::most_at_once; ++i)
            strings.push_back("text " + std::to_string(first + i));
        const std::vector<std::string_view> texts(strings.begin(), strings.end());
        std::vector<typename TypeParam::Id> ids(texts.size());
        pool.find(texts, ids);
        for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(ids[i], pool.find(texts[i])) << texts[i];
        pool.find(std::span(texts).first(0), std::span(ids).first(0));
    }
}

}  // namespace
}  // namespace penstock
