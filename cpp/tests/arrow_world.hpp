// A table and batches for it.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arrow_producer.hpp"
#include "penstock/batch_match.hpp"
#include "penstock/error.hpp"
#include "penstock/language.hpp"
#include "reading.hpp"

namespace penstock {

// Whatever a test does, every structure that was handed over is released, and only once.
class Arrow : public testing::Test {
  protected:
    void SetUp() override { ASSERT_EQ(living_structures, 0); }
    void TearDown() override { EXPECT_EQ(living_structures, 0); }

    void subscribe(const char* interface, const char* filter) { table.subscribe(interface, parse(filter)); }

    using Rows = std::vector<std::set<std::string>>;
    Rows names(const MatchedRows& matched) {
        Rows rows;
        for (std::size_t row = 0; row + 1 < matched.offsets.size(); ++row) {
            rows.emplace_back();
            for (auto at = matched.offsets[row]; at < matched.offsets[row + 1]; ++at) {
                const InterfaceId id = matched.ids[static_cast<std::size_t>(at)];
                rows.back().emplace(catalogue_of(table).interfaces().at(id));
            }
        }
        return rows;
    }
    Rows match(Made& batch) { return names(with_view(match_batches, table, table_of(batch.finish()))); }

    // Breaks a good batch in one place and expects to hear of it.
    void expect_broken(const std::function<void(Made&)>& breaking) {
        subscribe("x", "n = 1 OR t = 'a' OR d = 'b' OR s.k = 1 OR v = 'z'");
        auto batch = good_batch();
        batch->finish();
        breaking(*batch);
        EXPECT_THROW(with_view(match_batches, table, table_of(*batch)), ArrowError);
    }

    // Two rows: an int, a string, a dictionary, a struct with an int, a view.
    static std::unique_ptr<Made> good_batch() {
        auto batch = batch_of(2);
        batch->child(numbers<std::int64_t>("l", "n", {1, 2}));
        batch->child(texts("t", {"a", "b"}));
        auto coded = numbers<std::uint8_t>("C", "d", {1, 0});
        coded->dictionary = texts("", {"a", "b"});
        batch->child(std::move(coded));
        auto nested = make("+s", "s", 2);
        nested->no_buffer().child(numbers<std::int32_t>("i", "k", {1, 2}));
        batch->child(std::move(nested));
        auto views = make("vu", "v", 2);
        std::vector<std::int32_t> slots{1, 0, 0, 0, 13, 0, 0, 1};
        std::memcpy(&slots[1], "z", 1);
        views->no_buffer()
            .buffer(slots)
            .buffer(std::vector<char>(14, 'y'))
            .buffer(std::vector<std::int64_t>{14});
        batch->child(std::move(views));
        return batch;
    }

    Table table;
};

}  // namespace penstock
