// Several messages at a time are matched as each would be by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "penstock/table.hpp"
#include "small_world.hpp"

namespace penstock {
namespace {

using Ids = FoundIds;

std::vector<Ids> one_by_one(Table& table, const std::vector<MessageView>& messages) {
    std::vector<Ids> found;
    for (const MessageView message : messages) {
        table.read([&](Table::View& view) { view.match(message, found.emplace_back()); });
        std::ranges::sort(found.back());
    }
    return found;
}

std::vector<Ids> together(Table& table, const std::vector<MessageView>& messages) {
    Ids ids{7};  // what was there before stays
    std::vector<std::size_t> ends(messages.size());
    table.read([&](Table::View& view) { view.match(messages, ids, ends); });
    std::vector<Ids> found;
    auto begin = ids.begin() + 1;
    for (const std::size_t end : ends) {
        const auto last = ids.begin() + static_cast<std::ptrdiff_t>(end);
        std::ranges::sort(found.emplace_back(begin, last));
        begin = last;
    }
    EXPECT_EQ(ids.front(), 7U);
    EXPECT_EQ(begin, ids.end());
    return found;
}

// With few interfaces, which are soon all found; with more of them; and with one for each filter.
TEST(AccessRows, AreMatchedTogetherAsOneByOne) {
    for (const std::size_t interfaces : {5U, 100U, 2'000U}) {
        SmallWorld world(static_cast<unsigned>(interfaces));
        Table table;
        for (std::size_t i = 0; i < 600; ++i)
            table.subscribe("i" + std::to_string(world.below(interfaces)), world.predicate());
        std::size_t hits = 0;
        for (std::size_t count : {0U, 1U, 3U, 4U, 5U, 64U}) {
            std::vector<SmallWorld::Message> sent;
            for (std::size_t i = 0; i < count; ++i) sent.push_back(world.message());
            std::vector<MessageView> messages;
            for (const SmallWorld::Message& message : sent) messages.emplace_back(message.attributes);
            const std::vector<Ids> found = together(table, messages);
            EXPECT_EQ(found, one_by_one(table, messages));
            for (const Ids& ids : found) hits += ids.size();
        }
        EXPECT_GT(hits, 100U);
    }
}

}  // namespace
}  // namespace penstock
