#include "penstock/stretches.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "small_world.hpp"

namespace penstock {
namespace {

TEST(Stretches, KeepAllThatIsNotEmptyInItsOrder) {
    SmallWorld world(3);
    std::vector<int> numbers(1000);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
    Stretches<int> stretches;
    for (int round = 0; round < 200; ++round) {
        std::vector<int> expected;
        stretches.clear();
        for (std::size_t step = world.below(20); step > 0; --step) {
            const std::size_t count = world.below(5);
            stretches.make_room(count);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t first = world.below(numbers.size());
                const auto part = std::span(numbers).subspan(first).first(
                    world.below(3) == 0 ? 0 : world.below(numbers.size() - first + 1));
                stretches.add(part);
                expected.insert(expected.end(), part.begin(), part.end());
            }
        }
        std::vector<int> found;
        for (const std::span<const int> part : stretches.parts()) {
            ASSERT_FALSE(part.empty());
            found.insert(found.end(), part.begin(), part.end());
        }
        ASSERT_EQ(found, expected);
        ASSERT_EQ(stretches.total(), expected.size());
    }
}

}  // namespace
}  // namespace penstock
