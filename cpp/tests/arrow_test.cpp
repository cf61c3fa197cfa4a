#include <algorithm>
#include <cstring>

#include "arrow_world.hpp"
#include "penstock/arrow_export.hpp"
#include "penstock/batch_subscribe.hpp"

namespace penstock {
namespace {

TEST_F(Arrow, ColumnsOfEveryLayoutAreRead) {
    subscribe("n", "n = 2");
    subscribe("t", "t = 'a'");
    subscribe("d", "d = 'b'");
    subscribe("k", "s.k = 2");
    subscribe("short", "v = 'z'");
    subscribe("long", "v = 'yyyyyyyyyyyyy'");
    auto batch = good_batch();
    EXPECT_EQ(match(*batch), (Rows{{"t", "d", "short"}, {"n", "k", "long"}}));
}

TEST_F(Arrow, StructuresAreReleasedAlthoughTheBatchIsRefused) {
    auto batch = batch_of(1);
    batch->child(numbers<std::int64_t>("tsu:UTC", "when", {1}));
    EXPECT_THROW(match(*batch), MessageError);
}

TEST_F(Arrow, OffsetsOfAllLevelsAddUp) {
    subscribe("it", "s.k = 7");
    auto leaf = numbers<std::int32_t>("i", "k", {0, 0, 0, 0, 0, 0, 7, 8});
    leaf->array.length = 5;
    leaf->array.offset = 3;
    auto nested = make("+s", "s", 4);
    nested->array.offset = 1;
    nested->no_buffer().child(std::move(leaf));
    auto batch = batch_of(2);
    batch->array.offset = 2;
    batch->child(std::move(nested));
    EXPECT_EQ(match(*batch), (Rows{{"it"}, {}}));
}

TEST_F(Arrow, ANullStructHidesItsChildren) {
    subscribe("there", "EXISTS s.k");
    subscribe("not", "NOT EXISTS s.k");
    auto leaf = make("i", "k", 70);
    std::vector<unsigned char> own(9, 0xFF);
    own[8] = 0x1F;  // rows 69 and beyond are null
    leaf->buffer(own).buffer(std::vector<std::int32_t>(70, 1));
    leaf->array.null_count = 1;
    auto nested = make("+s", "s", 70);
    std::vector<unsigned char> around(9, 0xFF);
    around[0] = 0xFD;  // row 1 is null
    nested->buffer(around).child(std::move(leaf));
    nested->array.null_count = -1;
    auto batch = batch_of(70);
    batch->child(std::move(nested));
    const Rows rows = match(*batch);
    for (std::size_t row = 0; row < 70; ++row) {
        EXPECT_EQ(rows[row], (std::set<std::string>{row == 1 || row == 69 ? "not" : "there"})) << row;
    }
}

TEST_F(Arrow, NothingIsReadWhereNothingIs) {
    subscribe("all", "TRUE");
    auto empty = batch_of(0);
    auto text = make("u", "t", 0);
    text->no_buffer().no_buffer().no_buffer();  // old producers leave out even the first offset
    auto number = make("l", "n", 0);
    number->no_buffer().no_buffer();
    empty->child(std::move(text)).child(std::move(number));
    EXPECT_EQ(match(*empty), Rows{});
    auto blank = batch_of(2);
    auto strings = make("u", "t", 2);
    strings->no_buffer().buffer(std::vector<std::int32_t>{5, 5, 5}).no_buffer();
    blank->child(std::move(strings));
    EXPECT_EQ(match(*blank), (Rows{{"all"}, {"all"}}));
    auto bare = batch_of(3);
    EXPECT_EQ(match(*bare), (Rows{{"all"}, {"all"}, {"all"}}));
}

TEST_F(Arrow, BuffersNeedNotBeAligned) {
    subscribe("it", "n = 258");
    auto leaf = make("l", "n", 1);
    leaf->no_buffer().buffer(std::vector<unsigned char>{9, 2, 1, 0, 0, 0, 0, 0, 0});
    leaf->buffers[1] = static_cast<const char*>(leaf->buffers[1]) + 1;
    auto batch = batch_of(1);
    batch->child(std::move(leaf));
    EXPECT_EQ(match(*batch), (Rows{{"it"}}));
}

TEST_F(Arrow, HalfFloatsAreExact) {
    subscribe("one", "x = 1.5");
    subscribe("tiny", "x > 0 AND x < 0.0000001");
    subscribe("largest", "x = -65504");
    subscribe("infinite", "x = -INFINITY");
    subscribe("there", "EXISTS x");
    auto batch = batch_of(5);
    batch->child(numbers<std::uint16_t>("e", "x", {0x3E00, 0x0001, 0xFBFF, 0xFC00, 0x7E00}));
    EXPECT_EQ(
        match(*batch),
        (Rows{{"one", "there"}, {"tiny", "there"}, {"largest", "there"}, {"infinite", "there"}, {"there"}}));
}

TEST_F(Arrow, ADictionaryMayHoldNulls) {
    subscribe("not", "NOT EXISTS d");
    auto coded = numbers<std::int16_t>("s", "d", {0, 1});
    coded->dictionary = texts("", {"a", "b"});
    coded->dictionary->buffers[0] = "\x02";
    coded->dictionary->array.null_count = 1;
    auto batch = batch_of(2);
    batch->child(std::move(coded));
    EXPECT_EQ(match(*batch), (Rows{{"not"}, {}}));
}

TEST_F(Arrow, ValuesThatNobodySeesAreNotJudged) {
    subscribe("not", "NOT EXISTS t");
    auto text = texts("t", {"\xFF", "a"});
    text->buffers[0] = "\x02";
    text->array.null_count = 1;
    auto coded = numbers<std::int8_t>("c", "d", {1, 99});
    coded->buffers[0] = "\x01";
    coded->array.null_count = 1;
    coded->dictionary = texts("", {"\xFF", "a"});
    auto batch = batch_of(2);
    batch->child(std::move(text)).child(std::move(coded));
    EXPECT_EQ(match(*batch), (Rows{{"not"}, {}}));
}

TEST_F(Arrow, ABadStringIsNamedByItsRow) {
    for (const std::string& bad : {std::string("\xC3"), std::string("\xED\xA0\x80"), std::string("\xC0\x80"),
                                   std::string("\xF4\x90\x80\x80"), std::string("abcdefgh\x80"),
                                   std::string(max_string_bytes + 1, 'x')}) {
        auto batch = batch_of(3);
        batch->child(texts<std::int64_t>("t", {"fine", "\xC3\xA9", bad}));
        try {
            match(*batch);
            ADD_FAILURE() << bad;
        } catch (const MessageError& error) {
            EXPECT_EQ(error.attribute, "t");
            EXPECT_EQ(error.row, 2U);
        }
    }
}

TEST_F(Arrow, CharactersThatAreCutByARowAreNotUtf8) {
    auto batch = batch_of(2);
    batch->child(texts("t", {"a\xC3", "\xA9"}));  // valid when put together
    EXPECT_THROW(match(*batch), MessageError);
}

TEST_F(Arrow, BrokenLengths) {
    expect_broken([](Made& batch) { batch.array.length = -1; });
    expect_broken([](Made& batch) { batch.array.offset = -1; });
    expect_broken([](Made& batch) { batch.array.length = INT64_MAX; });
    expect_broken([](Made& batch) { batch.array.length = 3; });
    expect_broken([](Made& batch) { batch.array.offset = 1; });
    expect_broken([](Made& batch) { batch.parts[0]->array.length = 1; });
    expect_broken([](Made& batch) { batch.parts[1]->array.offset = INT64_MAX; });
    expect_broken([](Made& batch) { batch.parts[3]->parts[0]->array.length = 1; });
}

TEST_F(Arrow, BrokenNumbersOfNulls) {
    expect_broken([](Made& batch) { batch.parts[0]->array.null_count = -2; });
    expect_broken([](Made& batch) { batch.parts[0]->array.null_count = 3; });
    expect_broken([](Made& batch) { batch.parts[0]->array.null_count = 1; });
    expect_broken([](Made& batch) { batch.parts[3]->array.null_count = 2; });
    expect_broken([](Made& batch) { batch.parts[2]->dictionary->array.null_count = 1; });
}

TEST_F(Arrow, BrokenBuffers) {
    for (std::size_t column : {0U, 1U, 2U, 3U, 4U}) {
        if (column != 4)  // views may have any number
            expect_broken([=](Made& batch) { ++batch.parts[column]->array.n_buffers; });
        expect_broken([=](Made& batch) { batch.parts[column]->array.n_buffers = 0; });
        expect_broken([=](Made& batch) { batch.parts[column]->array.buffers = nullptr; });
    }
    expect_broken([](Made& batch) { batch.parts[0]->buffers[1] = nullptr; });
    expect_broken([](Made& batch) { batch.parts[1]->buffers[1] = nullptr; });
    expect_broken([](Made& batch) { batch.parts[1]->buffers[2] = nullptr; });
    expect_broken([](Made& batch) { batch.parts[2]->buffers[1] = nullptr; });
    expect_broken([](Made& batch) { batch.parts[4]->buffers[2] = nullptr; });
    expect_broken([](Made& batch) { batch.parts[4]->buffers[3] = nullptr; });
}

TEST_F(Arrow, BrokenStrings) {
    const auto set = [](Made& made, std::size_t buffer, std::size_t at, std::int32_t value) {
        std::memcpy(made.memory[buffer].get() + 4 * at, &value, 4);
    };
    expect_broken([&](Made& batch) { set(*batch.parts[1], 0, 0, -1); });
    expect_broken([&](Made& batch) { set(*batch.parts[1], 0, 1, 99); });
    expect_broken([&](Made& batch) { set(*batch.parts[1], 0, 2, 0); });
    expect_broken([&](Made& batch) { set(*batch.parts[2]->dictionary, 0, 1, -5); });
    expect_broken([&](Made& batch) { batch.parts[2]->memory[0][0] = 2; });  // index
    expect_broken([&](Made& batch) { set(*batch.parts[4], 0, 0, -1); });    // size of a view
    expect_broken([&](Made& batch) { set(*batch.parts[4], 0, 4, 14); });    // one byte too far
    expect_broken([&](Made& batch) { set(*batch.parts[4], 0, 6, 1); });     // no such buffer
    expect_broken([&](Made& batch) { set(*batch.parts[4], 0, 6, -1); });
    expect_broken([&](Made& batch) { set(*batch.parts[4], 0, 7, -1); });
}

TEST_F(Arrow, BrokenFamilies) {
    expect_broken([](Made& batch) { batch.array.n_children = 0; });
    expect_broken([](Made& batch) {
        batch.array.children = nullptr;
        batch.array.n_children = 0;
    });
    expect_broken([](Made& batch) { batch.schema.n_children = -1; });
    expect_broken([](Made& batch) { batch.parts[2]->array.dictionary = nullptr; });
    expect_broken([](Made& batch) { batch.parts[0]->schema.format = nullptr; });
    expect_broken([](Made& batch) { batch.parts[0]->schema.name = "\xFF"; });
    expect_broken([](Made& batch) { batch.schema.format = "l"; });
    expect_broken([](Made& batch) { batch.parts[0]->array.release(&batch.parts[0]->array); });
}

TEST_F(Arrow, SubscribingIsAllOrNothing) {
    subscribe("old", "a = 1");
    const auto rows = [](std::vector<std::string> filters) {
        auto batch = batch_of(static_cast<std::int64_t>(filters.size()));
        batch->child(texts("interface", std::vector<std::string>(filters.size(), "x")));
        batch->child(texts<std::int64_t>("filter", filters));
        batch->finish();
        return batch;
    };
    auto bad = rows({"a = 1", "b = 2 OR c = 3", "d = \xFF", "e ="});
    try {
        subscribe_batches(table, table_of(*bad), "interface", "filter", {});
        ADD_FAILURE();
    } catch (const RowError& error) {
        EXPECT_EQ(error.row, 2U);
        EXPECT_EQ(error.at, 4U);
        EXPECT_EQ(error.text, "d = \xFF");
    }
    EXPECT_EQ(catalogue_of(table).size(), 1U);
    EXPECT_EQ(catalogue_of(table).filters().size(), 1U);
    auto good = rows({"a = 1", "b = 2 OR c = 3"});
    EXPECT_EQ(subscribe_batches(table, table_of(*good), "interface", "filter", {}).size(), 2U);
    EXPECT_EQ(catalogue_of(table).size(), 3U);
}

TEST_F(Arrow, AResultOutlivesTheCallAndItsPartsEachOther) {
    MatchedRows rows{{0, 2, 2, 3}, {5, 7, 5}};
    ArrowResult result = export_ids(rows);
    EXPECT_STREQ(result.schema->format, "+l");
    EXPECT_STREQ(result.schema->children[0]->format, "I");
    EXPECT_EQ(result.array->length, 3);
    ArrowOwner<ArrowArray> items(*result.array.get()->children[0]);  // moved away, as a consumer may
    result = {};
    EXPECT_EQ(items->length, 3);
    const auto* ids = static_cast<const InterfaceId*>(items->buffers[1]);
    EXPECT_EQ(std::vector<InterfaceId>(ids, ids + 3), (std::vector<InterfaceId>{5, 7, 5}));
}

TEST_F(Arrow, NamesAreADictionaryOfThoseThatOccur) {
    subscribe("a", "TRUE");
    subscribe("b", "TRUE");
    subscribe("c", "TRUE");
    const auto& interfaces = catalogue_of(table).interfaces();
    const InterfaceId b = interfaces.find("b");
    const InterfaceId c = interfaces.find("c");
    MatchedRows named{{0, 2, 3}, {c, b, c}};
    name_interfaces(named, catalogue_of(table).interfaces());
    const ArrowResult result = export_names(std::move(named));
    const ArrowArray& items = *result.array->children[0];
    const auto* indices = static_cast<const std::int32_t*>(items.buffers[1]);
    EXPECT_EQ(std::vector<std::int32_t>(indices, indices + 3), (std::vector<std::int32_t>{0, 1, 0}));
    EXPECT_EQ(items.dictionary->length, 2);
    EXPECT_EQ(std::string_view(static_cast<const char*>(items.dictionary->buffers[2]), 2), "cb");
}

}  // namespace
}  // namespace penstock
