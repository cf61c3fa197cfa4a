#include "penstock/string_pool.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "small_world.hpp"

namespace penstock {
namespace {

TEST(StringPool, CountsReferencesAndReusesIdsUnderChurn) {
    SmallWorld world(11);
    StringPool pool;
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

}  // namespace
}  // namespace penstock
