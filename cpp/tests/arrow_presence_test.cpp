#include "penstock/arrow_presence.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace penstock {
namespace {

// Bits in a buffer of their own size exactly, so that one byte too far is seen.
struct Bits {
    Bits(const std::vector<bool>& rows, std::int64_t base) : first(base) {
        const std::size_t size = (static_cast<std::size_t>(base) + rows.size() + 7) / 8;
        bytes = std::make_unique<unsigned char[]>(size);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const std::size_t bit = static_cast<std::size_t>(base) + row;
            if (rows[row]) bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] | 1U << (bit % 8));
        }
    }
    ArrowBitmap map() const { return {bytes.get(), first}; }

    std::unique_ptr<unsigned char[]> bytes;
    std::int64_t first;
};

std::vector<bool> rows_of(const ArrowPresence& presence) {
    std::vector<bool> rows(static_cast<std::size_t>(presence.rows()));
    presence.for_each([&](std::int64_t row) { rows[static_cast<std::size_t>(row)] = true; });
    return rows;
}

void expect_rows(const ArrowPresence& presence, const std::vector<bool>& expected) {
    ASSERT_EQ(rows_of(presence), expected);
    std::int64_t count = 0;
    for (std::size_t row = 0; row < expected.size(); ++row) {
        ASSERT_EQ(presence.at(static_cast<std::int64_t>(row)), expected[row]);
        const std::uint64_t block = presence.block(static_cast<std::int64_t>(row / 64 * 64));
        ASSERT_EQ((block >> (row % 64) & 1U) != 0, expected[row]);
        count += expected[row] ? 1 : 0;
    }
    EXPECT_EQ(presence.present(), count);
    if (presence.rows() % 64 != 0) {  // nothing beyond the last row
        EXPECT_EQ(presence.block(presence.rows() / 64 * 64) >> (presence.rows() % 64), 0U);
    }
}

TEST(ArrowPresence, AllBitmapsHaveASay) {
    std::mt19937 random(1);
    for (const std::size_t size : {0U, 1U, 7U, 63U, 64U, 65U, 128U, 200U, 513U}) {
        for (const std::int64_t base : {0, 1, 7, 8, 13, 64, 67}) {
            std::vector<bool> first(size);
            std::vector<bool> second(size);
            std::vector<bool> both(size);
            for (std::size_t row = 0; row < size; ++row) {
                first[row] = random() % 2 == 0;
                second[row] = random() % 8 != 0;
                both[row] = first[row] && second[row];
            }
            ArrowPresence presence(static_cast<std::int64_t>(size));
            expect_rows(presence, std::vector<bool>(size, true));
            const Bits one(first, base);
            const Bits two(second, 3);
            presence.keep(one.map());
            expect_rows(presence, first);
            presence.keep(two.map());
            expect_rows(presence, both);
            presence.keep_if([](std::int64_t row) { return row % 3 != 0; });
            for (std::size_t row = 0; row < size; row += 3) both[row] = false;
            expect_rows(presence, both);
            presence.clear();
            expect_rows(presence, std::vector<bool>(size, false));
        }
    }
}

}  // namespace
}  // namespace penstock
