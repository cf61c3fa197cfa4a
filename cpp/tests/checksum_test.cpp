#include "penstock/checksum.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "small_world.hpp"

namespace penstock {
namespace {

std::vector<std::byte> random_bytes(SmallWorld& world, std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(world.below(256));
    return bytes;
}

TEST(Checksum, EveryFlippedBitChangesIt) {
    SmallWorld world(3);
    for (const std::size_t size : {1, 7, 8, 63, 64, 65, 200, 1000}) {
        for (std::vector<std::byte> bytes : {random_bytes(world, size), std::vector<std::byte>(size),
                                             std::vector<std::byte>(size, std::byte{0xFF})}) {
            std::set<std::uint64_t> sums = {checksum(bytes)};
            for (std::size_t bit = 0; bit < size * 8; ++bit) {
                bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
                ASSERT_TRUE(sums.insert(checksum(bytes)).second)
                    << "bit " << bit << " of " << size << " bytes";
                bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
            }
        }
    }
}

TEST(Checksum, WordsThatChangePlacesChangeIt) {
    SmallWorld world(4);
    const std::vector<std::byte> bytes = random_bytes(world, 256);
    const std::uint64_t sum = checksum(bytes);
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        for (std::size_t j = i + 8; j < bytes.size(); j += 8) {
            std::vector<std::byte> other = bytes;
            for (std::size_t k = 0; k < 8; ++k) std::swap(other[i + k], other[j + k]);
            ASSERT_NE(checksum(other), sum) << i << " and " << j;
        }
    }
}

TEST(Checksum, ZerosOfEveryLengthDiffer) {
    const std::vector<std::byte> zeros(1000);
    std::set<std::uint64_t> sums;
    for (std::size_t size = 0; size <= zeros.size(); ++size) {
        ASSERT_TRUE(sums.insert(checksum(std::span(zeros).first(size))).second) << size;
    }
}

TEST(Checksum, IsTheSameInEveryProcess) {
    // As it was when the first file was written. Another number here makes every old file a damaged one.
    std::vector<std::byte> bytes(100);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    EXPECT_EQ(checksum(bytes), 8978050600453731586U);
    EXPECT_EQ(checksum({}), 5977423181039908839U);
}

}  // namespace
}  // namespace penstock
