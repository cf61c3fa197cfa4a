// Saving while other threads match and subscribe.
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "penstock/language.hpp"
#include "penstock/table.hpp"
#include "table_file_world.hpp"

namespace penstock {
namespace {

class SharedTable : public TableFile, public testing::WithParamInterface<Table::Engine> {};

INSTANTIATE_TEST_SUITE_P(Engines, SharedTable,
                         testing::Values(Table::Engine::access, Table::Engine::counting));

std::size_t size_of(Table& table) {
    return table.read([](Table::View& view) { return view.catalogue().size(); });
}

std::size_t count_matches(Table& table, std::int64_t number) {
    const std::vector<Attribute> message = {{"a", ValueView::of(number)}};
    FoundIds ids;
    table.read([&](Table::View& view) { view.match(message, ids); });
    return ids.size();
}

TEST_P(SharedTable, IsSavedBetweenTwoChanges) {
    Table table(GetParam());
    table.subscribe("always", parse("EXISTS a"));
    std::atomic<bool> done = false;
    std::thread reader([&] {
        while (!done) EXPECT_GE(count_matches(table, -1), 1U);
    });
    std::thread changer([&] {
        for (int number = 0; !done; ++number) {
            Table::Bulk bulk(table);
            for (const char* const interface : {"left", "right"}) {
                bulk.subscribe(interface, parse("a = " + std::to_string(number)));
            }
            bulk.commit();
        }
    });
    for (int round = 0; round < 10; ++round) {
        table.save(path_);
        Table loaded{FileReader(path_)};
        const std::size_t size = size_of(loaded);
        EXPECT_EQ(size % 2, 1U);
        if (size > 1) EXPECT_EQ(count_matches(loaded, static_cast<std::int64_t>(size / 2) - 1), 3U);
        EXPECT_EQ(count_matches(loaded, static_cast<std::int64_t>(size / 2)), 1U);
    }
    done = true;
    reader.join();
    changer.join();
}

TEST_P(SharedTable, WaitsForTheEndOfABulk) {
    Table table(GetParam());
    auto bulk = std::make_unique<Table::Bulk>(table);
    bulk->subscribe("left", parse("a = 1"));
    EXPECT_THROW(table.save(path_), std::logic_error);
    std::thread saver([&] { table.save(path_); });
    bulk->subscribe("right", parse("a = 1"));
    bulk->commit();
    bulk.reset();
    saver.join();
    Table loaded{FileReader(path_)};
    EXPECT_EQ(size_of(loaded), 2U);
}

}  // namespace
}  // namespace penstock
