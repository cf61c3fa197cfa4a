#include "penstock/row_range.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace penstock {
namespace {

using Lengths = std::vector<std::int64_t>;

// Every row once and in order, each part from a multiple of 64 on.
void expect_all(const Lengths& lengths, const std::vector<RowRanges>& parts) {
    std::vector<std::int64_t> reached(lengths.size());
    std::size_t last = 0;
    for (const RowRanges& part : parts) {
        for (const RowRange& range : part) {
            ASSERT_LE(last, range.batch);
            last = range.batch;
            EXPECT_EQ(range.begin % 64, 0);
            EXPECT_EQ(range.begin, reached[range.batch]);
            EXPECT_LE(range.begin, range.end);
            reached[range.batch] = range.end;
        }
    }
    EXPECT_EQ(reached, lengths);
}

TEST(RowRange, PartsHoldAllRowsOnce) {
    const std::vector<Lengths> tables{
        {}, {0}, {1}, {64}, {65}, {1000}, {0, 70, 0}, {63, 1, 1}, {64, 64, 640}, {5000, 100}, {10, 10, 4000}};
    for (const Lengths& lengths : tables) {
        expect_all(lengths, {all_rows(lengths)});
        for (const std::size_t most : {0U, 1U, 2U, 3U, 8U, 1000U}) {
            const std::vector<RowRanges> parts = cut_rows(lengths, most);
            EXPECT_LE(parts.size(), std::max<std::size_t>(most, 1));
            expect_all(lengths, parts);
        }
    }
}

TEST(RowRange, PartsAreOfAboutTheSameSize) {
    for (const RowRanges& part : cut_rows(Lengths{64'000, 64'000}, 8)) {
        std::int64_t rows = 0;
        for (const RowRange& range : part) rows += range.end - range.begin;
        EXPECT_EQ(rows, 16'000);
    }
}

}  // namespace
}  // namespace penstock
