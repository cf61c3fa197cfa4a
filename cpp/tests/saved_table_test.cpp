// Tables that are saved, loaded, changed and saved again, against the plain definition.
#include <map>
#include <set>
#include <string>

#include "penstock/evaluate.hpp"
#include "penstock/table.hpp"
#include "table_file_world.hpp"
#include "table_model.hpp"

namespace penstock {
namespace {

class SavedTable : public TableFile, public testing::WithParamInterface<Table::Settings> {
  protected:
    void change(Table& table, Model& model, int steps) {
        for (int step = 0; step < steps; ++step) {
            if (!model.empty() && world_.below(3) == 0) {
                const auto victim = std::next(model.begin(), static_cast<long>(world_.below(model.size())));
                table.unsubscribe(victim->first);
                model.erase(victim);
                continue;
            }
            const Subscribed subscribed{"i" + std::to_string(world_.below(9)), world_.predicate()};
            const SubscriptionId id = table.subscribe(subscribed.interface, subscribed.predicate);
            ASSERT_TRUE(given_.insert(id).second) << "an id was given out twice";
            model.emplace(id, subscribed);
        }
    }
    void compare(Table& table, const Model& model) {
        for (int i = 0; i < 10; ++i) {
            const SmallWorld::Message message = world_.message();
            EXPECT_EQ(matched(table, message.attributes), expected(model, message.attributes));
        }
        table.read([&](Table::View& view) {
            EXPECT_EQ(view.catalogue().size(), model.size());
            for (const auto& [id, subscribed] : model) {
                EXPECT_EQ(view.catalogue().predicate_of(id), subscribed.predicate);
            }
        });
    }

    SmallWorld world_{3};
    std::set<SubscriptionId> given_;
};

Table::Settings made(Table::Engine engine, std::uint32_t rounds) {
    return {.engine = engine, .rounds = rounds};
}

INSTANTIATE_TEST_SUITE_P(Engines, SavedTable,
                         testing::Values(made(Table::Engine::access, 0), made(Table::Engine::counting, 0),
                                         made(Table::Engine::selectivity, 2)));

TEST_P(SavedTable, GoesOnWhereItWas) {
    Model model;
    auto table = std::make_unique<Table>(GetParam());
    for (int round = 0; round < 12; ++round) {
        change(*table, model, round == 0 ? 0 : 40);
        table->save(path_);
        const std::string saved = contents();
        Table other{FileReader(path_)};
        EXPECT_EQ(other.settings().engine, GetParam().engine);
        EXPECT_EQ(other.settings().rounds, GetParam().rounds);
        compare(other, model);
        Model of_other = model;
        const auto given = given_;
        change(other, of_other, 40);
        given_ = given;  // what the copy gave out is its own affair
        compare(other, of_other);
        compare(*table, model);
        EXPECT_EQ(contents(), saved);
        other.save(path_);  // over the file that it lies in
        compare(other, of_other);
        table = std::make_unique<Table>(FileReader(path_));
        model = of_other;
        for (const auto& [id, subscribed] : model) given_.insert(id);
        compare(*table, model);
    }
    EXPECT_EQ(files(), std::set<std::string>{"table"});
}

TEST_P(SavedTable, IsRefusedWhereItIsDamaged) {
    Model model;
    Table table(GetParam());
    change(table, model, 60);
    table.save(path_);
    const std::string good = contents();
    for (std::size_t at = 0; at < good.size(); at += 1 + world_.below(300)) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
        put(bad);
        EXPECT_THROW(Table{FileReader(path_)}, FileError) << "byte " << at;
        put(good.substr(0, at));
        EXPECT_THROW(Table{FileReader(path_)}, FileError) << "cut at " << at;
    }
    put(good);
    Table loaded{FileReader(path_)};
    compare(loaded, model);
}

using StrangeTable = TableFile;

TEST_F(StrangeTable, IsRefused) {
    const auto refused = [&](Table::Settings settings) {
        FileWriter file(path_);
        settings.archive(file);
        file.commit();
        try {
            Table{FileReader(path_)};
        } catch (const FileError& error) {
            return error.message;
        }
        return std::string();
    };
    EXPECT_EQ(refused({.engine = static_cast<Table::Engine>(3)}), "has settings that no table can have");
    EXPECT_EQ(refused({.limits = {.depth = max_depth + 1}}), "has settings that no table can have");
    EXPECT_NE(refused({}).find("too few sections"), std::string::npos);
}

}  // namespace
}  // namespace penstock
