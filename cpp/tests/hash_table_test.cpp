#include "penstock/hash_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

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
    static auto is(std::uint32_t id) {
        return [id](const IdSlot& slot) { return slot.id() == id; };
    }
    void insert(std::uint32_t id) {
        ASSERT_EQ(table.insert(hash(id), IdSlot(id), hash_of())->id(), id);
        ASSERT_EQ(sorted.insert(hash(id), IdSlot(id), hash_of())->id(), id);
    }
    void erase(std::uint32_t id) {
        table.erase(table.find(hash(id), is(id)), hash_of());
        sorted.erase(sorted.find(hash(id), is(id), hash_of()), hash_of());
    }
    // In both of them, or in neither.
    bool has(std::uint32_t id) const {
        const bool found = table.find(hash(id), is(id)) != nullptr;
        EXPECT_EQ(sorted.find(hash(id), is(id), hash_of()) != nullptr, found);
        EXPECT_EQ(table.find_at_once(hash(id), is(id)) != nullptr, found);
        return found;
    }

    HashTable<IdSlot> table;
    HashTable<IdSlot, 8, true> sorted;
};

INSTANTIATE_TEST_SUITE_P(Hashes, HashTableTest, testing::Values(0U, 1U, 5U, 300U, 1000000U));

TEST_P(HashTableTest, KeepsWhatIsInItWhileItGrowsAndShrinks) {
    SmallWorld world(5);
    std::set<std::uint32_t> model;
    for (int step = 0; step < 30000; ++step) {
        const auto id = static_cast<std::uint32_t>(world.below(step < 15000 ? 4000 : 400));
        if (model.contains(id)) {
            ASSERT_TRUE(has(id));
            if (world.below(step < 15000 ? 4 : 2) == 0) {
                erase(id);
                model.erase(id);
            }
        } else {
            ASSERT_FALSE(has(id));
            insert(id);
            model.insert(id);
        }
        ASSERT_EQ(table.size(), model.size());
        ASSERT_EQ(sorted.size(), model.size());
    }
    std::set<std::uint32_t> visited;
    table.for_each([&](const IdSlot& slot) { EXPECT_TRUE(visited.insert(slot.id()).second); });
    EXPECT_EQ(visited, model);
    std::vector<std::uint64_t> hashes;
    sorted.for_each([&](const IdSlot& slot) { hashes.push_back(hash(slot.id())); });
    EXPECT_TRUE(std::ranges::is_sorted(hashes));
    for (const std::uint32_t id : model) EXPECT_TRUE(has(id));
}

TEST(HashTable, NeverRunsOverItsEnd) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        HashTable<IdSlot> table;
        const auto hash = [seed](std::uint32_t id) { return mix(id, seed); };
        for (std::uint32_t id = 0; id < 1500; ++id)
            table.insert(hash(id), IdSlot(id), [&](const IdSlot& slot) { return hash(slot.id()); });
        for (std::uint32_t id = 0; id < 1500; ++id)
            ASSERT_NE(table.find(hash(id), [&](const IdSlot& slot) { return slot.id() == id; }), nullptr);
        const auto has = [&](std::uint64_t where, std::uint32_t id) {
            return table.find_at_once(where, [&](const IdSlot& slot) { return slot.id() == id; }) != nullptr;
        };
        for (std::uint32_t id = 0; id < 5000; ++id) {
            ASSERT_EQ(has(hash(id), id), id < 1500);
            ASSERT_FALSE(has(UINT64_MAX - id, 5000));  // where the table ends
        }
    }
}

TEST(HashTable, TakesNoFreeSlotForOneThatIsSought) {
    HashTable<TaggedSlot> table;
    const auto hash_of = [](const TaggedSlot& slot) { return mix(slot.id(), 1); };
    for (std::uint32_t id = 0; id < 100; ++id) table.insert(mix(id, 1), TaggedSlot(id, mix(id, 1)), hash_of);
    // A free slot has the tag of these.
    for (std::uint64_t high = 0; high < 1000; ++high) {
        const std::uint64_t hash = high << 54U;
        ASSERT_EQ(table.find_at_once(hash, [&](const TaggedSlot& slot) { return slot.may_have(hash); }),
                  nullptr);
    }
}

TEST_P(HashTableTest, FindsEverythingAtEverySize) {
    for (std::uint32_t id = 0; id < 2000; ++id) {
        insert(id);
        for (std::uint32_t known = 0; known <= id; known += 1 + id / 100)
            ASSERT_TRUE(has(known)) << known << " of " << id;
    }
}

}  // namespace
}  // namespace penstock
