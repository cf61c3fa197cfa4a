#include "penstock/text_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {
namespace {

TEST(TextStore, TextStaysWhereItIsUntilAllIsCleared) {
    TextStore store;
    for (const std::size_t largest : {std::size_t{50}, std::size_t{70'000}, std::size_t{50}}) {
        std::vector<std::string_view> views;
        std::vector<std::string> expected;
        for (std::size_t n = 0; n < 300; ++n) {
            const std::string text(n * largest / 300, static_cast<char>('a' + n % 26));
            char* const at = store.allocate(text.size());
            std::ranges::copy(text, at);
            views.emplace_back(at, text.size());
            expected.push_back(text);
        }
        EXPECT_TRUE(std::ranges::equal(views, expected));
        store.clear();
    }
}

TEST(TextStore, MemoryIsUsedAgain) {
    TextStore store;
    store.clear();
    const char* const first = store.allocate(10);
    store.allocate(100'000);
    store.clear();
    EXPECT_EQ(store.allocate(4000), first);
}

}  // namespace
}  // namespace penstock
