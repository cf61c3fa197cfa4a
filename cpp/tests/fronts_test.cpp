#include "penstock/fronts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "penstock/language.hpp"
#include "table_model.hpp"

namespace penstock {
namespace {

using Side = FrontIndex::Side;

// Bounds of interfaces as the engine keeps them: all on an axis, the furthest in the front.
class FrontWorld : public testing::Test {
  protected:
    struct Bound {
        std::string value;
        Side side;
        bool later;
        InterfaceId interface;
    };

    AxisPoint point_of(const Bound& bound) {
        return {AxisKey::of(bound.value, pool_.find(bound.value), bound.later), pool_};
    }
    void add(const Bound& bound) {
        pool_.acquire(bound.value);
        bounds_.push_back(bound);
        axes_.insert(axis_, bound.side, true, point_of(bound), Posting::sure(bound.interface));
        fronts_.advance(front_, bound.side, point_of(bound), bound.interface);
    }
    void remove(std::size_t at) {
        std::swap(bounds_[at], bounds_.back());
        const Bound bound = bounds_.back();
        bounds_.pop_back();
        const AxisPoint point = point_of(bound);
        axes_.erase(axis_, bound.side, true, point, bound.interface);
        if (fronts_.has(front_, bound.side, point.key(), bound.interface)) {
            std::optional<AxisPoint> next;
            if (const auto key = axes_.furthest(axis_, bound.side, bound.interface))
                next = point.at_key(*key);
            fronts_.retreat(front_, bound.side, bound.interface, next);
        }
        pool_.release(pool_.find(bound.value));
    }
    std::set<InterfaceId> expected(const std::string& value) const {
        std::set<InterfaceId> found;
        for (const Bound& bound : bounds_) {
            const bool is_upper = bound.side == Side::upper;
            const bool holds =
                value == bound.value ? bound.later == is_upper : (value < bound.value) == is_upper;
            if (holds) found.insert(bound.interface);
        }
        return found;
    }
    std::set<InterfaceId> found(const std::string& value) {
        std::set<InterfaceId> members;
        if (front_ == FrontIndex::empty) return members;
        const InterfaceSet set = fronts_.find(front_, AxisPoint(value, pool_));
        for (InterfaceId i = 0; i < InterfaceSet::most; ++i) {
            if ((set.words[i / 64] >> (i % 64) & 1U) != 0) members.insert(i);
        }
        return members;
    }
    std::string text() {
        std::string text = "the same eight bytes ";
        for (auto length = random_() % 4; length > 0; --length)
            text += static_cast<char>('a' + random_() % 4);
        return (random_() & 1U) != 0 ? text : text.substr(21);
    }

    std::mt19937 random_{256};
    StringPool pool_;
    std::vector<Bound> bounds_;
    AxisIndex axes_;
    Axis axis_;
    FrontIndex fronts_;
    FrontIndex::Front front_ = FrontIndex::empty;
};

TEST_F(FrontWorld, FindsWhatAllBoundsWouldThroughManyChanges) {
    for (const std::size_t interfaces : {3U, 40U, 256U}) {
        for (std::size_t step = 0; step < 6'000; ++step) {
            const std::size_t most = 400 * (step % 2'000) / 2'000;
            if (bounds_.size() <= most) {
                const auto bits = random_();
                add({text(), (bits & 1U) != 0 ? Side::upper : Side::lower, (bits & 2U) != 0,
                     static_cast<InterfaceId>(random_() % interfaces)});
            } else {
                remove(random_() % bounds_.size());
            }
            const std::string value = text();
            ASSERT_EQ(found(value), expected(value)) << step << ' ' << value;
        }
        while (!bounds_.empty()) remove(bounds_.size() - 1);
        EXPECT_EQ(front_, FrontIndex::empty);
        EXPECT_TRUE(axis_.is_empty());
    }
}

std::size_t front_bytes(Table& table) {
    return table.read([](Table::View& view) {
        const auto parts = view.parts();
        return std::ranges::find(parts, "fronts", &Table::View::Part::name)->bytes;
    });
}

// A table with bounds alone and with others, through which so many interfaces come and go.
class BoundTable {
  public:
    void subscribe(std::size_t interfaces) {
        const std::string name = "i" + std::to_string(random_() % interfaces);
        const Predicate predicate = parse(constraint() + (random_() % 3 == 0 ? " AND " + constraint() : ""));
        model[table->subscribe(name, predicate)] = {name, predicate};
    }
    void unsubscribe() {
        const auto one = std::next(model.begin(), static_cast<std::ptrdiff_t>(random_() % model.size()));
        table->unsubscribe(one->first);
        model.erase(one);
    }
    void check() {
        const std::string text(1, static_cast<char>('a' + random_() % 26));
        const std::vector<Attribute> message{
            {"x", ValueView::of(static_cast<std::int64_t>(random_() % 100))},
            {"y", ValueView::of(static_cast<double>(random_() % 100))},
            {"z", ValueView::of(std::string_view(text))},
        };
        ASSERT_EQ(matched(*table, message), expected(model, message));
    }

    std::unique_ptr<Table> table = std::make_unique<Table>();
    Model model;

  private:
    std::string constraint() {
        static constexpr std::array operators{" < ", " <= ", " > ", " >= "};
        const std::string op = operators[random_() % operators.size()];
        if (random_() % 3 == 0) return "z" + op + "'" + static_cast<char>('a' + random_() % 26) + "'";
        const std::string name(1, "xy"[random_() % 2]);
        return (random_() % 2 == 0 ? "int " : "") + name + op + std::to_string(random_() % 100);
    }

    std::mt19937 random_{20};
};

TEST(Fronts, AreKeptWhileInterfacesAreFew) {
    BoundTable bounds;
    for (const std::size_t interfaces : {1U, 20U, 256U}) {
        for (std::size_t step = 0; step < 1'500; ++step) {
            if (bounds.model.size() < 400 * (step % 500) / 500 + 1) {
                bounds.subscribe(interfaces);
            } else {
                bounds.unsubscribe();
            }
            if (step % 10 == 0) bounds.check();
        }
        EXPECT_GT(front_bytes(*bounds.table), 0U);
    }
}

TEST(Fronts, AreGivenUpWhenInterfacesAreMany) {
    BoundTable bounds;
    for (std::size_t step = 0; step < 800; ++step) bounds.subscribe(256);
    EXPECT_GT(front_bytes(*bounds.table), 0U);
    for (std::size_t step = 0; step < 200; ++step) {
        bounds.subscribe(2'000);
        bounds.check();
    }
    EXPECT_EQ(front_bytes(*bounds.table), 0U);
    while (bounds.model.size() > 1) {
        bounds.unsubscribe();
        if (bounds.model.size() % 20 == 0) bounds.check();
    }
}

// Interfaces may come that no filter leads to.
TEST(Fronts, AreNotAskedWhenInterfacesWithoutFiltersAreMany) {
    BoundTable bounds;
    for (std::size_t step = 0; step < 100; ++step) bounds.subscribe(20);
    for (std::size_t i = 0; i < 300; ++i)
        bounds.table->subscribe("none" + std::to_string(i), make_predicate({}));
    for (std::size_t step = 0; step < 100; ++step) bounds.check();
    bounds.subscribe(20);
    bounds.check();
}

TEST(Fronts, AreSavedWithTheTable) {
    BoundTable bounds;
    for (std::size_t step = 0; step < 300; ++step) bounds.subscribe(20);
    const auto path = std::filesystem::temp_directory_path() / ("fronts-" + std::to_string(getpid()));
    bounds.table->save(path);
    bounds.table = std::make_unique<Table>(FileReader(path));
    std::filesystem::remove(path);
    EXPECT_GT(front_bytes(*bounds.table), 0U);
    for (std::size_t step = 0; step < 300; ++step) {
        bounds.unsubscribe();
        bounds.subscribe(20);
        bounds.check();
    }
}

}  // namespace
}  // namespace penstock
