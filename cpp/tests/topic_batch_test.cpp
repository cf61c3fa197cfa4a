// Topics from Arrow arrays that are sound, and from those that are not.
#include "penstock/topic_batch.hpp"

#include <gtest/gtest.h>

#include "arrow_producer.hpp"
#include "penstock/error.hpp"
#include "penstock/topic_table.hpp"

namespace penstock {
namespace {

using Rows = std::vector<std::vector<DestinationId>>;

class TopicBatch : public testing::Test {
  protected:
    TopicBatch() {
        table.subscribe("a", "of a");
        table.subscribe("a/*/c", "of c");
    }
    ~TopicBatch() override { EXPECT_EQ(living_structures, 0) << "something was not released"; }

    MatchedRows match(Made& data, std::optional<std::string_view> column = std::nullopt) {
        const ArrowTable read = as_table(table_of(data));
        return table.read([&](TopicTable::View& view) {
            return match_topics(read, column,
                                [&](std::string_view topic, auto& ids) { view.match(topic, ids); });
        });
    }
    static Rows lists(const MatchedRows& rows) {
        Rows found;
        for (std::size_t row = 0; row < rows.rows(); ++row)
            found.emplace_back(rows.ids.begin() + rows.offsets[row],
                               rows.ids.begin() + rows.offsets[row + 1]);
        return found;
    }
    std::string refusal(Made& data, std::optional<std::string_view> column = std::nullopt) {
        try {
            match(data, column);
        } catch (const ArrowError& error) {
            return error.what();
        } catch (const MessageError& error) {
            return std::to_string(error.row.value_or(999)) + ": " + error.message;
        }
        return "";
    }

    TopicTable table{{}};
};

const std::vector<std::string> sent{"a", "a/b/c", "b", "a/b/c/d"};
const Rows wanted{{0}, {0, 1}, {}, {0, 1}};

TEST_F(TopicBatch, TakesArraysOfStrings) {
    EXPECT_EQ(lists(match(texts("", sent)->finish())), wanted);
    EXPECT_EQ(lists(match(texts<std::int64_t>("named", sent)->finish())), wanted);
    EXPECT_EQ(lists(match(texts("", {})->finish())), Rows{});
}

TEST_F(TopicBatch, TakesAPartOfAnArray) {
    auto array = texts("", sent);
    array->array.offset = 1;
    array->array.length = 2;
    EXPECT_EQ(lists(match(array->finish())), (Rows{{0, 1}, {}}));
}

TEST_F(TopicBatch, TakesAColumnOfATable) {
    const auto batch = [] {
        auto made = batch_of(4);
        made->child(numbers<std::int64_t>("l", "n", {1, 2, 3, 4})).child(texts("t", sent));
        return made;
    };
    EXPECT_EQ(lists(match(batch()->finish(), "t")), wanted);
    EXPECT_EQ(refusal(batch()->finish()), "a table of 2 columns: name the one that holds the topics");
    EXPECT_NE(refusal(batch()->finish(), "n").find("a column of strings is needed"), std::string::npos);
    EXPECT_NE(refusal(batch()->finish(), "x").find("no column is named 'x'"), std::string::npos);
    auto alone = batch_of(4);
    alone->child(texts("t", sent));
    EXPECT_EQ(lists(match(alone->finish())), wanted);
}

TEST_F(TopicBatch, AnswersAnEntryOfADictionaryOnce) {
    auto array = numbers<std::int8_t>("c", "", {1, 0, 1, 2, 1, 0});
    array->dictionary = texts("", {"a", "a/b/c", "b"});
    EXPECT_EQ(lists(match(array->finish())), (Rows{{0, 1}, {0}, {0, 1}, {}, {0, 1}, {0}}));
    auto large = numbers<std::int8_t>("c", "", {1});
    large->dictionary = texts("", {"a", "a/b/c", "b"});
    EXPECT_EQ(lists(match(large->finish())), (Rows{{0, 1}}));
}

TEST_F(TopicBatch, HasNoAnswerToNull) {
    auto array = texts("", sent);
    array->buffers.clear();
    const auto kept = std::move(array->memory);
    array->buffer(std::vector<std::uint8_t>{0b1011});
    for (const auto& bytes : kept) array->buffers.push_back(bytes.get());
    array->array.null_count = 1;
    const MatchedRows rows = match(array->finish());
    EXPECT_EQ(lists(rows), wanted);  // the third has no destinations either way
    EXPECT_EQ(rows.refused, std::vector<std::size_t>{2});
    auto nulls = make("n", "", 3);
    EXPECT_EQ(match(nulls->finish()).refused, (std::vector<std::size_t>{0, 1, 2}));
}

TEST_F(TopicBatch, SaysWhichRowIsNoTopic) {
    EXPECT_EQ(refusal(texts("", {"a", "a//b"})->finish()).substr(0, 30), "1: a topic has no empty levels");
    EXPECT_EQ(refusal(texts("", {"a", "a", "a/*"})->finish()).substr(0, 44),
              "2: a topic that is published has no wildcard");
    EXPECT_EQ(refusal(texts("", {"\xFF"})->finish()), "0: is a string that is not valid UTF-8");
    EXPECT_EQ(refusal(texts("", {std::string(65537, 'x')})->finish()).substr(0, 26),
              "0: is a string of 65537 by");
}

TEST_F(TopicBatch, RefusesWhatIsBroken) {
    EXPECT_NE(refusal(numbers<std::int64_t>("l", "", {1})->finish()).find("int64"), std::string::npos);
    auto negative = texts("", sent);
    negative->array.length = -1;
    EXPECT_NE(refusal(negative->finish()).find("broken"), std::string::npos);
    auto long_one = texts("", sent);
    const auto offsets = std::vector<std::int32_t>{0, 1, 2, 1, 3};
    std::memcpy(long_one->memory[0].get(), offsets.data(), sizeof(std::int32_t) * 5);
    EXPECT_NE(refusal(long_one->finish()).find("broken"), std::string::npos);
    auto short_of_buffers = make("u", "", 1);
    EXPECT_NE(refusal(short_of_buffers->finish()).find("broken"), std::string::npos);
    auto outside = numbers<std::int8_t>("c", "", {3});
    outside->dictionary = texts("", {"a"});
    EXPECT_NE(refusal(outside->finish()).find("outside its dictionary"), std::string::npos);
}

}  // namespace
}  // namespace penstock
