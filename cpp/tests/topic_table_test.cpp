// Topic tables: destinations once each, and files that bring back what was saved.
#include "penstock/topic_table.hpp"

#include <map>
#include <set>
#include <string>

#include "penstock/error.hpp"
#include "penstock/pattern.hpp"
#include "penstock/table.hpp"
#include "table_file_world.hpp"
#include "topic_world.hpp"

namespace penstock {
namespace {

using Scheme = TopicTable::Scheme;

struct Subscribed {
    std::string pattern;
    std::string destination;
};
using TopicModel = std::map<SubscriptionId, Subscribed>;

class TopicTables : public TableFile, public testing::WithParamInterface<Scheme> {
  protected:
    static std::set<std::string> matched(TopicTable& table, const std::string& topic) {
        return table.read([&](TopicTable::View& view) {
            FoundIds ids;
            view.match(topic, ids);
            std::set<std::string> names;
            for (const DestinationId id : ids) names.emplace(view.catalogue().destinations().at(id));
            EXPECT_EQ(names.size(), ids.size()) << "a destination came twice";
            return names;
        });
    }
    static std::set<std::string> expected(const TopicModel& model, const std::string& topic) {
        std::set<std::string> names;
        for (const auto& [id, subscribed] : model) {
            if (topic_matches(canonical_topic(subscribed.pattern), topic))
                names.insert(subscribed.destination);
        }
        return names;
    }
    void change(TopicTable& table, TopicModel& model, int steps) {
        for (int step = 0; step < steps; ++step) {
            if (!model.empty() && world_.below(3) == 0) {
                const auto victim = std::next(model.begin(), static_cast<long>(world_.below(model.size())));
                table.unsubscribe(victim->first);
                model.erase(victim);
                continue;
            }
            const Subscribed row{world_.pattern(), "d" + std::to_string(world_.below(9))};
            const SubscriptionId id = table.subscribe(row.pattern, row.destination);
            ASSERT_TRUE(given_.insert(id).second) << "an id was given out twice";
            model.emplace(id, row);
        }
    }
    void compare(TopicTable& table, const TopicModel& model) {
        for (int i = 0; i < 20; ++i) {
            const std::string topic = world_.topic();
            EXPECT_EQ(matched(table, topic), expected(model, topic)) << topic;
        }
        table.read([&](TopicTable::View& view) { EXPECT_EQ(view.catalogue().size(), model.size()); });
    }

    TopicWorld world_{23};
    std::set<SubscriptionId> given_;
};

std::string scheme_name(const testing::TestParamInfo<Scheme>& made) {
    return made.param == Scheme::radix ? "radix" : made.param == Scheme::tree ? "tree" : "hash";
}

INSTANTIATE_TEST_SUITE_P(Schemes, TopicTables, testing::Values(Scheme::radix, Scheme::tree, Scheme::hash),
                         scheme_name);

TEST_P(TopicTables, AStampChangesWithEveryChangeOfTheSameFirstLevel) {
    TopicTable table({.scheme = GetParam()});
    const auto changes = [&](auto&& action) {
        const std::uint64_t here = table.stamp_of("a/b/c");
        const std::uint64_t there = table.stamp_of("other");
        action();
        EXPECT_EQ(table.stamp_of("other"), there);
        return table.stamp_of("a/b/c") != here;
    };
    SubscriptionId id = 0;
    EXPECT_TRUE(changes([&] { id = table.subscribe("a/*/c", "x"); }));
    EXPECT_TRUE(changes([&] { table.unsubscribe(id); }));
    EXPECT_TRUE(changes([&] { table.subscribe_many(std::vector<TopicTable::Row>{{"a", "x"}}); }));
    EXPECT_FALSE(changes([&] { EXPECT_THROW(table.unsubscribe(id), UnknownSubscription); }));
    EXPECT_FALSE(changes([&] { table.subscribe("b/a", "x"); }));
}

TEST_P(TopicTables, ReportADestinationOnceAndLeaveItsOtherSubscription) {
    TopicTable table({.scheme = GetParam()});
    const SubscriptionId first = table.subscribe("a/b", "d");
    const SubscriptionId second = table.subscribe("a/*/*", "d");
    const SubscriptionId third = table.subscribe("a/b", "d");
    table.subscribe("a/b", "e");
    EXPECT_EQ(matched(table, "a/b/c"), (std::set<std::string>{"d", "e"}));
    table.unsubscribe(first);
    EXPECT_EQ(matched(table, "a/b"), (std::set<std::string>{"d", "e"}));
    table.unsubscribe(second);
    EXPECT_EQ(matched(table, "a/b"), (std::set<std::string>{"d", "e"}));
    EXPECT_EQ(matched(table, "a/c"), std::set<std::string>{});
    table.unsubscribe(third);
    EXPECT_EQ(matched(table, "a/b"), std::set<std::string>{"e"});
}

TEST_P(TopicTables, GoOnWhereTheyWereSaved) {
    TopicModel model;
    auto table = std::make_unique<TopicTable>(TopicTable::Settings{GetParam(), 7});
    for (int round = 0; round < 12; ++round) {
        change(*table, model, round == 0 ? 0 : 60);
        table->save(path_);
        const std::string saved = contents();
        TopicTable other{FileReader(path_)};
        EXPECT_EQ(other.settings().scheme, GetParam());
        EXPECT_EQ(other.settings().levels, 7U);
        compare(other, model);
        TopicModel of_other = model;
        const auto given = given_;
        change(other, of_other, 60);
        given_ = given;  // what the copy gave out is its own affair
        compare(other, of_other);
        compare(*table, model);
        EXPECT_EQ(contents(), saved);
        other.save(path_);  // over the file that it lies in
        compare(other, of_other);
        table = std::make_unique<TopicTable>(FileReader(path_));
        model = of_other;
        for (const auto& [id, subscribed] : model) given_.insert(id);
        compare(*table, model);
    }
    EXPECT_EQ(files(), std::set<std::string>{"table"});
}

TEST_P(TopicTables, AreRefusedWhereTheyAreDamaged) {
    TopicModel model;
    TopicTable table({.scheme = GetParam()});
    change(table, model, 100);
    table.save(path_);
    const std::string good = contents();
    for (std::size_t at = 0; at < good.size(); at += 1 + world_.below(300)) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
        put(bad);
        EXPECT_THROW(TopicTable{FileReader(path_)}, FileError) << "byte " << at;
        put(good.substr(0, at));
        EXPECT_THROW(TopicTable{FileReader(path_)}, FileError) << "cut at " << at;
    }
    put(good);
    TopicTable loaded{FileReader(path_)};
    compare(loaded, model);
}

TEST_P(TopicTables, AddManyAtOnceOrNone) {
    TopicTable table({.scheme = GetParam()});
    std::vector<std::string> patterns;
    for (int i = 0; i < 500; ++i) patterns.push_back(world_.pattern());
    std::vector<TopicTable::Row> rows;
    for (const std::string& pattern : patterns) rows.push_back({pattern, pattern});
    const auto ids = table.subscribe_many(rows);
    TopicModel model;
    for (std::size_t i = 0; i < ids.size(); ++i) model[ids[i]] = {patterns[i], patterns[i]};
    ASSERT_EQ(model.size(), 500U);
    compare(table, model);
    rows.push_back({"*/a", "never"});
    EXPECT_THROW(table.subscribe_many(rows), FilterError);
    compare(table, model);
}

TEST_P(TopicTables, WeighAndCountThemselves) {
    TopicTable table({.scheme = GetParam()});
    table.subscribe("a/b", "d");
    table.subscribe("a/c", "d");
    table.read([](TopicTable::View& view) {
        for (const auto& part : view.parts()) EXPECT_GT(part.bytes, 0U) << part.name;
        for (const auto& count : view.counts()) EXPECT_GT(count.count, 0U) << count.name;
        EXPECT_FALSE(view.counts().empty());
    });
}

TEST(OutsideTable, KeepsAPatternForEachSubscriptionAndMatchesNothing) {
    TopicTable table({.scheme = Scheme::regex});
    table.subscribe("a/b", "d");
    table.subscribe("a/b", "d");
    table.read([](TopicTable::View& view) {
        FoundIds ids;
        EXPECT_THROW(view.match("a/b", ids), std::logic_error);
        EXPECT_EQ(view.catalogue().patterns().size(), 2U);
    });
}

using StrangeTopicTable = TableFile;

TEST_F(StrangeTopicTable, IsRefused) {
    const auto refused = [&](const std::string& kind, TopicTable::Settings settings) {
        FileWriter file(path_);
        file.text(kind);
        settings.archive(file);
        file.commit();
        try {
            TopicTable{FileReader(path_)};
        } catch (const FileError& error) {
            return error.message;
        }
        return std::string();
    };
    EXPECT_EQ(refused("elsewhere", {}), "is a table of another kind");
    EXPECT_EQ(refused("topics", {.scheme = static_cast<Scheme>(4)}), "has settings that no table can have");
    EXPECT_EQ(refused("topics", {.levels = 0}), "has settings that no table can have");
    EXPECT_EQ(refused("topics", {.levels = 31}), "has settings that no table can have");
    EXPECT_NE(refused("topics", {}).find("too few sections"), std::string::npos);
}

TEST_F(StrangeTopicTable, IsNoForwardingTableNorTheOtherWayRound) {
    TopicTable({}).save(path_);
    EXPECT_THROW(Table{FileReader(path_)}, FileError);
    Table().save(path_);
    EXPECT_THROW(TopicTable{FileReader(path_)}, FileError);
}

}  // namespace
}  // namespace penstock
