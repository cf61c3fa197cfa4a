#include "penstock/batch_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "arrow_producer.hpp"
#include "page_end.hpp"
#include "penstock/arrow_export.hpp"
#include "penstock/error.hpp"
#include "penstock/language.hpp"
#include "reading.hpp"

namespace penstock {
namespace {

const std::string one = R"({"n": 1, "text": "long enough to lie outside of a view"})";
const std::string two = R"({"n": 2})";
const std::string broken = R"({"n": )";
const std::string doubled = R"({"n": 1, "n": 1})";

class BatchJson : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(living_structures, 0);
        table.subscribe("one", parse("n = 1"));
        table.subscribe("some", parse("n > 0"));
    }
    void TearDown() override { EXPECT_EQ(living_structures, 0); }

    // What a row came to: the names, or the fault.
    using Rows = std::vector<std::string>;
    Rows shown(const JsonRows& result) {
        const MatchedRows& matched = result.matched;
        Rows rows;
        for (std::size_t row = 0; row < matched.rows(); ++row) {
            std::vector<std::string_view> names;
            for (auto at = matched.offsets[row]; at < matched.offsets[row + 1]; ++at)
                names.push_back(
                    catalogue_of(table).interfaces().at(matched.ids[static_cast<std::size_t>(at)]));
            std::ranges::sort(names);
            std::string& text = rows.emplace_back();
            for (const std::string_view name : names) text += std::string(name) + " ";
        }
        EXPECT_EQ(matched.refused.size(), result.faults.size());
        for (const RowFault& fault : result.faults)
            rows[fault.row] += "error " + fault.attribute.value_or("-") + ": " + fault.message;
        return rows;
    }
    Rows match(std::unique_ptr<Made> column) {
        auto batch = batch_of(column->array.length);
        batch->child(std::move(column)).finish();
        return shown(with_view(match_json_batches, table, table_of(*batch), "json"));
    }

    Table table;
};

const std::string null_text = "error -: the text is null";
const std::string cut = "error -: not valid JSON: expected a value at offset 6, where the text ends";
const std::string twice = "error n: occurs twice";

TEST_F(BatchJson, RowsAreMatchedAndBadOnesSayWhy) {
    const BatchJson::Rows answer{"one some ", cut, "some ", twice, "one some "};
    EXPECT_EQ(match(texts("json", {one, broken, two, doubled, one})), answer);
    EXPECT_EQ(match(texts<std::int64_t>("json", {one, broken, two, doubled, one})), answer);
    auto binary = texts("json", {one, broken, two, doubled, one});
    binary->format = "z";
    binary->schema.format = binary->format.c_str();
    EXPECT_EQ(match(std::move(binary)), answer);
}

TEST_F(BatchJson, NullsAreFaultsWhateverHidesTheText) {
    auto text = texts("json", {one, two, one});
    text->buffers[0] = "\x05";
    text->array.null_count = 1;
    EXPECT_EQ(match(std::move(text)), (Rows{"one some ", null_text, "one some "}));
    auto untyped = make("n", "json", 2);
    EXPECT_EQ(match(std::move(untyped)), (Rows{null_text, null_text}));
    auto around = make("+s", "outer", 2);
    around->buffers.push_back("\x02");
    around->array.null_count = 1;
    around->child(texts("json", {one, two}));
    auto batch = batch_of(2);
    batch->child(std::move(around)).finish();
    EXPECT_EQ(shown(with_view(match_json_batches, table, table_of(*batch), "outer.json")),
              (Rows{null_text, "some "}));
}

TEST_F(BatchJson, ViewsAreReadWithinTheirPieces) {
    const std::string piece = "..." + one + doubled;
    const auto at = [](std::size_t size) { return static_cast<std::int32_t>(size); };
    std::vector<std::int32_t> slots{at(two.size()),     0, 0, 0,  //
                                    at(one.size()),     0, 0, 3,  //
                                    at(doubled.size()), 0, 0, at(3 + one.size())};
    std::memcpy(&slots[1], two.data(), two.size());
    auto views = make("vu", "json", 3);
    views->no_buffer().buffer(slots);
    views->buffer(std::vector<char>(piece.begin(), piece.end()));
    views->buffer(std::vector<std::int64_t>{static_cast<std::int64_t>(piece.size())});
    EXPECT_EQ(match(std::move(views)), (Rows{"some ", "one some ", twice}));
}

TEST_F(BatchJson, EntriesOfADictionaryAnswerForAllTheirRows) {
    auto coded = numbers<std::int8_t>("c", "json", {2, 0, 1, 2, 0, 1, 3, 3});
    coded->dictionary = texts("", {one, broken, two, one});
    coded->dictionary->buffers[0] = "\x07";  // the last entry is null
    coded->dictionary->array.null_count = 1;
    EXPECT_EQ(match(std::move(coded)),
              (Rows{"some ", "one some ", cut, "some ", "one some ", cut, null_text, null_text}));
    auto large = numbers<std::int8_t>("c", "json", {2});  // more entries than rows
    large->dictionary = texts("", {one, broken, two});
    EXPECT_EQ(match(std::move(large)), (Rows{"some "}));
}

TEST_F(BatchJson, SlicesAndSeveralBatchesCountOn) {
    auto whole = texts("json", {one, broken, two, doubled, one});
    whole->array.offset = 1;
    whole->array.length = 3;
    auto first = batch_of(2);
    first->array.offset = 1;
    first->child(std::move(whole)).finish();
    auto second = batch_of(1);
    second->child(texts("json", {broken})).finish();
    ArrowTable data = table_of(*first);
    const ArrowOwner<ArrowSchema> unused(second->schema);
    data.batches.emplace_back(second->array);
    EXPECT_EQ(shown(with_view(match_json_batches, table, data, "json")), (Rows{"some ", twice, cut}));
}

TEST_F(BatchJson, OtherColumnsAreNotLookedAt) {
    auto batch = batch_of(1);
    auto other = numbers<std::int64_t>("+l", "other", {});
    other->array.length = 1;
    batch->child(std::move(other)).child(texts("json", {two})).finish();
    EXPECT_EQ(shown(with_view(match_json_batches, table, table_of(*batch), "json")), (Rows{"some "}));
}

TEST_F(BatchJson, AColumnThatIsNotThereOrHoldsNoTextsIsRefused) {
    EXPECT_THROW(match(numbers<std::int64_t>("l", "json", {1})), ArrowError);
    EXPECT_THROW(match(texts("other", {one})), ArrowError);
    auto half = texts("json", {one});
    half->schema.format = "zz";
    EXPECT_THROW(match(std::move(half)), ArrowError);
    auto coded = numbers<std::int8_t>("c", "json", {3});
    coded->dictionary = texts("", {one, two});
    EXPECT_THROW(match(std::move(coded)), ArrowError);
}

// Where a text ends, memory may end; and what is read behind a text is not what it says.
TEST_F(BatchJson, NothingIsReadBehindTheBuffer) {
    PageEnd page;
    for (const std::string& last : {one, two, broken}) {
        const std::string all = one + last;
        const std::string answer = last == one ? "one some " : last == two ? "some " : cut;
        auto strings = texts("json", {one, last});
        strings->buffers[2] = page.put(all).data();
        EXPECT_EQ(match(std::move(strings)), (Rows{"one some ", answer}));
        auto coded = numbers<std::int8_t>("c", "json", {1, 0});
        coded->dictionary = texts("", {one, last});
        coded->dictionary->buffers[2] = page.put(all).data();
        EXPECT_EQ(match(std::move(coded)), (Rows{answer, "one some "}));
    }
    const auto size = static_cast<std::int32_t>(one.size());
    auto views = make("vu", "json", 1);
    views->no_buffer().buffer(std::vector<std::int32_t>{size, 0, 0, 0});
    views->buffers.push_back(page.put(one).data());
    views->buffer(std::vector<std::int64_t>{size});
    EXPECT_EQ(match(std::move(views)), (Rows{"one some "}));
    auto inside = make("vu", "json", 1);  // short, and so within the view itself
    std::vector<char> slot(16, ' ');
    const auto length = static_cast<std::int32_t>(two.size());
    std::memcpy(slot.data(), &length, 4);
    std::memcpy(slot.data() + 4, two.data(), two.size());
    inside->no_buffer();
    inside->buffers.push_back(page.put({slot.data(), slot.size()}).data());
    inside->buffer(std::vector<std::int64_t>{});
    EXPECT_EQ(match(std::move(inside)), (Rows{"some "}));
}

// Texts with damage side by side: each row is what it would be alone, whatever its neighbours are.
TEST_F(BatchJson, NeighboursDoNotMatter) {
    std::mt19937 random(11);
    constexpr std::string_view bytes = "{}[]:,\"\\u09.- \n\x01\xC3\xFF";
    for (int round = 0; round < 200; ++round) {
        std::vector<std::string> rows;
        Rows alone;
        for (std::size_t row = 0; row < 1 + random() % 70; ++row) {
            std::string text = random() % 2 == 0 ? one : two;
            if (random() % 3 == 0) text[random() % text.size()] = bytes[random() % bytes.size()];
            if (random() % 5 == 0) text.resize(random() % text.size());
            const Rows answer = match(texts("json", {text}));
            alone.push_back(answer.at(0));
            rows.push_back(std::move(text));
        }
        EXPECT_EQ(match(texts("json", rows)), alone);
    }
}

TEST_F(BatchJson, ErrorsTravelBesideTheListsAndBothAreNullInTurn) {
    ArrowResult result =
        export_with_errors(export_ids({{0, 2, 2, 3}, {5, 7, 5}, {1}}), std::vector<RowSentence>{{1, "no"}});
    EXPECT_STREQ(result.schema->format, "+s");
    EXPECT_STREQ(result.schema->children[0]->name, "interfaces");
    EXPECT_STREQ(result.schema->children[1]->name, "error");
    EXPECT_EQ(result.array->length, 3);
    ArrowOwner<ArrowArray> lists(*result.array.get()->children[0]);  // moved away, as a consumer may
    ArrowOwner<ArrowArray> errors(*result.array.get()->children[1]);
    result = {};
    EXPECT_EQ(lists->null_count, 1);
    EXPECT_EQ(static_cast<const unsigned char*>(lists->buffers[0])[0] & 7, 5);
    EXPECT_EQ(errors->null_count, 2);
    EXPECT_EQ(static_cast<const unsigned char*>(errors->buffers[0])[0] & 7, 2);
    const auto* offsets = static_cast<const std::int32_t*>(errors->buffers[1]);
    EXPECT_EQ(std::vector<std::int32_t>(offsets, offsets + 4), (std::vector<std::int32_t>{0, 0, 2, 2}));
    EXPECT_EQ(std::string_view(static_cast<const char*>(errors->buffers[2]), 2), "no");
}

}  // namespace
}  // namespace penstock
