// What was found for a value is found for it again, and nothing else, until the table changes.
#include "penstock/value_memo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "arrow_world.hpp"
#include "penstock/language.hpp"
#include "penstock/table.hpp"
#include "small_world.hpp"

namespace penstock {
namespace {

using Ids = FoundIds;

Ids match_alone(Table& table, MessageView message) {
    Ids ids;
    table.read([&](Table::View& view) { view.match(message, ids); });
    std::ranges::sort(ids);
    return ids;
}

// Matches messages together after their values were resolved; counts those that were recalled.
std::vector<Ids> match_resolved(Table& table, std::vector<std::vector<Attribute>> messages,
                                std::size_t& recalled) {
    std::vector<Ids> found;
    table.read([&](Table::View& view) {
        view.renew();
        for (auto& message : messages) {
            for (Attribute& attribute : message) {
                attribute.name_id = view.catalogue().filters().names().find(attribute.name);
                if (attribute.name_id == StringPool::none) continue;
                if (!view.can_resolve(attribute.name_id, attribute.value.type)) continue;
                view.resolve(attribute.name_id, std::array{&attribute.value});
                recalled += attribute.value.findings != nullptr ? 1 : 0;
            }
        }
        const std::vector<MessageView> views(messages.begin(), messages.end());
        Ids ids;
        std::vector<std::size_t> ends(views.size());
        view.match(views, ids, ends);
        auto begin = ids.begin();
        for (const std::size_t end : ends) {
            const auto stop = ids.begin() + static_cast<std::ptrdiff_t>(end);
            std::ranges::sort(found.emplace_back(begin, stop));
            begin = stop;
        }
    });
    return found;
}

// With few interfaces, with more of them, and with one for each filter.
TEST(ValueMemo, ChangesNoResultWhileTheTableChanges) {
    for (const std::size_t interfaces : {5U, 300U, 5'000U}) {
        SmallWorld world(static_cast<unsigned>(interfaces));
        Table table;
        std::vector<SubscriptionId> subscriptions;
        const auto subscribe = [&] {
            subscriptions.push_back(
                table.subscribe("i" + std::to_string(world.below(interfaces)), world.predicate()));
        };
        for (std::size_t i = 0; i < 400; ++i) subscribe();
        std::size_t recalled = 0;
        for (std::size_t round = 0; round < 200; ++round) {
            std::vector<SmallWorld::Message> sent;
            std::vector<std::vector<Attribute>> messages;
            for (std::size_t i = 0; i < 20; ++i) {
                sent.push_back(world.message());
                messages.push_back(sent.back().attributes);
            }
            const std::vector<Ids> found = match_resolved(table, messages, recalled);
            for (std::size_t i = 0; i < sent.size(); ++i)
                ASSERT_EQ(found[i], match_alone(table, sent[i].attributes)) << "round " << round;
            if (round % 4 != 0) continue;
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t at = world.below(subscriptions.size());
                table.unsubscribe(subscriptions[at]);
                std::swap(subscriptions[at], subscriptions.back());
                subscriptions.pop_back();
                subscribe();
            }
        }
        EXPECT_GT(recalled, 1'000U);
    }
}

// A name is worth it if there are bounds on it; nothing lies beyond this one.
constexpr const char* bound = "x > 'z'";

TEST(ValueMemo, KnowsStringsOfAllLengths) {
    for (const std::size_t size : {0U, 1U, 3U, 4U, 7U, 8U, 15U, 16U, 17U, 40U}) {
        Table table;
        const std::string text(size, 'a');
        const std::string other = size == 0 ? "b" : std::string(size - 1, 'a') + "b";
        table.subscribe("of text", parse("x = '" + text + "'"));
        table.subscribe("of other", parse("x = '" + other + "'"));
        table.subscribe("of none", parse(bound));
        table.subscribe("of both", parse("x = '" + text + "' AND y = 1 OR x = '" + other + "' AND y = 2"));
        const std::array texts{text, other, text + "c"};
        std::vector<std::vector<Attribute>> messages;
        for (const std::string& given : texts) {
            for (const std::int64_t y : {1, 2})
                messages.push_back({{"x", ValueView::of(std::string_view(given))}, {"y", ValueView::of(y)}});
        }
        std::size_t recalled = 0;
        for (int again = 0; again < 4; ++again) {
            EXPECT_EQ(match_resolved(table, messages, recalled),
                      (std::vector<Ids>{{0, 3}, {0}, {1}, {1, 3}, {}, {}}));
        }
        EXPECT_GE(recalled, 12U);
    }
}

// What one long string was known by may come to be another's.
TEST(ValueMemo, ForgetsWhatWasGivenBack) {
    Table table;
    const std::string first(40, 'f');
    const std::string second(40, 's');
    std::size_t recalled = 0;
    const auto match = [&](const std::string& text) {
        const std::vector<Attribute> message{{"x", ValueView::of(std::string_view(text))}};
        return match_resolved(table, {message, message}, recalled);
    };
    table.subscribe("neither", parse(bound));
    const SubscriptionId id = table.subscribe("first", parse("x = '" + first + "'"));
    match(first);
    match(first);
    EXPECT_EQ(match(first), (std::vector<Ids>{{1}, {1}}));
    EXPECT_GE(recalled, 2U);
    table.unsubscribe(id);
    table.subscribe("second", parse("x = '" + second + "' AND NOT EXISTS y"));
    const InterfaceId now = catalogue_of(table).interfaces().find("second");
    EXPECT_EQ(match(first), (std::vector<Ids>{{}, {}}));
    EXPECT_EQ(match(second), (std::vector<Ids>{{now}, {now}}));
    EXPECT_EQ(match(second), (std::vector<Ids>{{now}, {now}}));
}

// What is kept of few interfaces is of no use once there are many, even if these have no filters.
TEST(ValueMemo, ForgetsWhenInterfacesWithoutFiltersAreMany) {
    Table table;
    table.subscribe("first", parse("x > 1"));
    table.subscribe("second", parse("x > 1 AND y = 1"));
    const std::vector<Attribute> message{{"x", ValueView::of(std::int64_t{5})},
                                         {"y", ValueView::of(std::int64_t{1})}};
    std::size_t recalled = 0;
    const auto match = [&] { return match_resolved(table, {message, message}, recalled); };
    const std::vector<Ids> expected{{0, 1}, {0, 1}};
    for (int again = 0; again < 3; ++again) EXPECT_EQ(match(), expected);
    EXPECT_GT(recalled, 0U);
    for (int i = 0; i < 300; ++i) table.subscribe("nothing " + std::to_string(i), Predicate());
    EXPECT_EQ(match(), expected);
}

class Remembering : public testing::Test {
  protected:
    Remembering() { follow(1); }

    bool recalls(std::int64_t number) const {
        ValueView value = ValueView::of(number);
        memo.recall(0, std::array{&value});
        return value.findings != nullptr;
    }
    void meet(std::int64_t number, std::size_t candidates = 1) {
        memo.remember(0, ValueView::of(number), Acceptance(), [&](ValueMemo::Draft& draft) {
            ++drafts;
            for (std::size_t i = 0; i < candidates; ++i) draft.add_candidate({});
        });
    }
    void remember(std::int64_t number, std::size_t candidates = 1) {
        meet(number, candidates);
        meet(number, candidates);
    }
    void follow(std::size_t times, std::uint64_t version = 1) {
        while (times-- > 0) memo.follow(version, 1);
    }

    ValueMemo memo;
    std::size_t drafts = 0;
};

TEST_F(Remembering, KeepsWhatComesAgain) {
    meet(1);
    EXPECT_FALSE(recalls(1));
    meet(1);
    EXPECT_TRUE(recalls(1));
    EXPECT_FALSE(recalls(2));
}

TEST_F(Remembering, KeepsWhatIsNotTooMuch) {
    remember(1, 128);
    remember(2, 129);
    remember(3, 0);
    EXPECT_TRUE(recalls(1));
    EXPECT_FALSE(recalls(2));
    EXPECT_TRUE(recalls(3));
    EXPECT_EQ(drafts, 3U);
    remember(2, 129);
    EXPECT_EQ(drafts, 3U) << "what is too much is not looked at again";
}

TEST_F(Remembering, LeavesANameAloneWhoseValuesDoNotRepeatOften) {
    remember(7);
    std::int64_t number = 1'000;
    while (recalls(7) && number < 10'000) {
        remember(number++);
        if (number % 1'000 == 0) follow(1);
    }
    EXPECT_FALSE(recalls(7));
    follow(64 * 18);
    EXPECT_TRUE(recalls(7));
    remember(20'000);
    EXPECT_TRUE(recalls(20'000));
}

TEST_F(Remembering, ForgetsAllWhenTheTableChanges) {
    remember(1);
    follow(1);
    EXPECT_TRUE(recalls(1));
    follow(1, 2);
    EXPECT_FALSE(recalls(1));
    remember(1);
    EXPECT_TRUE(recalls(1));
}

TEST_F(Remembering, ForgetsAllWhenThereIsNoMoreRoom) {
    remember(0);
    for (std::int64_t number = 1; number < 100'000; ++number) {
        remember(number);
        follow(1);  // often enough for the name to keep its credit
    }
    EXPECT_GT(drafts, 60'000U);
    EXPECT_FALSE(recalls(0));
    EXPECT_TRUE(recalls(99'999));
}

// Beside columns whose values never repeat.
TEST_F(Arrow, EntriesOfADictionaryAreRemembered) {
    constexpr std::int64_t rows = 6'000;
    for (int i = 0; i < 40; ++i) {
        const std::string n = std::to_string(i);
        subscribe(("i" + n).c_str(), ("d = 'entry" + n + "' AND a >= " + n + "00").c_str());
        subscribe(("j" + n).c_str(), ("a = " + n + " AND b > 3 AND c > 3").c_str());
    }
    const auto make_batch = [&] {
        std::vector<std::string> entries;
        for (int i = 0; i < 50; ++i) entries.push_back("entry" + std::to_string(i));
        std::vector<std::uint8_t> chosen;
        std::array<std::vector<std::int64_t>, 3> unique;
        for (std::int64_t row = 0; row < rows; ++row) {
            chosen.push_back(static_cast<std::uint8_t>(row * 7 % 50));
            for (auto& values : unique) values.push_back(row);
        }
        auto batch = batch_of(rows);
        auto coded = numbers<std::uint8_t>("C", "d", chosen);
        coded->dictionary = texts("", entries);
        batch->child(std::move(coded));
        for (std::size_t i = 0; i < unique.size(); ++i)
            batch->child(numbers<std::int64_t>("l", std::string(1, "abc"[i]), unique[i]));
        return batch;
    };
    const Rows found = match(*make_batch());
    ASSERT_EQ(found.size(), static_cast<std::size_t>(rows));
    for (std::int64_t row = 0; row < rows; ++row) {
        std::set<std::string> expected;
        if (const std::int64_t entry = row * 7 % 50; entry < 40 && row >= entry * 100)
            expected.insert("i" + std::to_string(entry));
        if (row < 40 && row > 3) expected.insert("j" + std::to_string(row));
        ASSERT_EQ(found[static_cast<std::size_t>(row)], expected) << "row " << row;
    }
}

}  // namespace
}  // namespace penstock
