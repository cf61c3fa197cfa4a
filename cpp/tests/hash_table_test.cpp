#include "penstock/hash_table.hpp"

#include <gtest/gtest.h>

#include <set>

#include "penstock/id_slot.hpp"
#include "small_world.hpp"

namespace penstock {
namespace {

class HashTableTest : public testing::TestWithParam<std::uint64_t> {
  protected:
    // Few distinct hashes make long clusters; all of them make the usual ones.
    std::uint64_t hash(std::uint32_t id) const {
        const std::uint64_t plain = mix(id, 42);
        return GetParam() == 0 ? plain : plain % GetParam() * (UINT64_MAX / GetParam());
    }
    auto hash_of() const {
        return [this](const IdSlot& slot) { return hash(slot.id()); };
    }
    const IdSlot* find(std::uint32_t id) const {
        return table.find(hash(id), [id](const IdSlot& slot) { return slot.id() == id; });
    }

    HashTable<IdSlot> table;
};

INSTANTIATE_TEST_SUITE_P(Hashes, HashTableTest, testing::Values(0U, 1U, 5U, 300U, 1000000U));

TEST_P(HashTableTest, KeepsWhatIsInItWhileItGrowsAndShrinks) {
    SmallWorld world(5);
    std::set<std::uint32_t> model;
    for (int step = 0; step < 30000; ++step) {
        const auto id = static_cast<std::uint32_t>(world.below(step < 15000 ? 4000 : 400));
        if (model.contains(id)) {
            ASSERT_NE(find(id), nullptr);
            if (world.below(step < 15000 ? 4 : 2) == 0) {
                table.erase(find(id), hash_of());
                model.erase(id);
            }
        } else {
            ASSERT_EQ(find(id), nullptr);
            ASSERT_EQ(table.insert(hash(id), IdSlot(id), hash_of())->id(), id);
            model.insert(id);
        }
        ASSERT_EQ(table.size(), model.size());
    }
    std::set<std::uint32_t> visited;
    table.for_each([&](const IdSlot& slot) { EXPECT_TRUE(visited.insert(slot.id()).second); });
    EXPECT_EQ(visited, model);
    for (const std::uint32_t id : model) EXPECT_NE(find(id), nullptr);
}

TEST(HashTable, NeverRunsOverItsEnd) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        HashTable<IdSlot> table;
        const auto hash = [seed](std::uint32_t id) { return mix(id, seed); };
        for (std::uint32_t id = 0; id < 1500; ++id)
            table.insert(hash(id), IdSlot(id), [&](const IdSlot& slot) { return hash(slot.id()); });
        for (std::uint32_t id = 0; id < 1500; ++id)
            ASSERT_NE(table.find(hash(id), [&](const IdSlot& slot) { return slot.id() == id; }), nullptr);
    }
}

TEST_P(HashTableTest, FindsEverythingAtEverySize) {
    for (std::uint32_t id = 0; id < 2000; ++id) {
        table.insert(hash(id), IdSlot(id), hash_of());
        for (std::uint32_t known = 0; known <= id; known += 1 + id / 100)
            ASSERT_NE(find(known), nullptr) << known << " of " << id;
    }
}

}  // namespace
}  // namespace penstock
