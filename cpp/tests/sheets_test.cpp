#include "penstock/sheets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace penstock {
namespace {

// Filters on a sheet beside what they are, and values to try them by. Bounds lie on a grid, so that many are
// equal, and on numbers that share their briefs with others: thirds, and integers that doubles cannot tell
// apart.
class SheetWorld : public testing::Test {
  protected:
    struct Bound {
        Number number;
        bool later;

        AxisKey key() const { return AxisKey::of(number, later); }
    };
    struct Interval {
        SheetIndex::Axis axis;
        std::optional<Bound> lower, upper;

        static bool is_before(const AxisKey& a, const AxisKey& b) {
            return a.major != b.major ? a.major < b.major : a.minor < b.minor;
        }
        bool holds(const Number& value) const {
            const AxisKey point = AxisKey::of(value, true);
            return (!lower || is_before(lower->key(), point)) && (!upper || !is_before(upper->key(), point));
        }
        SheetIndex::Condition condition() const {
            SheetIndex::Condition condition{axis, {}};
            if (lower && upper && !is_before(lower->key(), upper->key())) return condition;
            condition.turns.starts_satisfied = !lower;
            if (lower) condition.turns.add(lower->key().brief);
            if (upper) condition.turns.add(upper->key().brief);
            return condition;
        }
    };
    static constexpr SheetIndex::Axis axes = 9;

    std::uint64_t below(std::uint64_t bound) {
        return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random_);
    }
    Number number() {
        switch (below(4)) {
            case 0:
                return Number::from_double(static_cast<double>(below(300)) / 3);
            case 1:
                return Number::from_int((std::int64_t{1} << 60U) + static_cast<std::int64_t>(below(500)));
            case 2:
                return Number::from_int(-static_cast<std::int64_t>(below(20)));
            default:
                return Number::from_int(static_cast<std::int64_t>(below(100)));
        }
    }
    Bound bound() { return {number(), below(2) == 0}; }
    std::vector<Interval> filter() {
        std::vector<Interval> intervals;
        SheetIndex::Axis axis = static_cast<SheetIndex::Axis>(below(3));
        for (std::size_t left = 1 + below(SheetIndex::most_conditions); left > 0 && axis < axes; --left) {
            Interval interval{axis, {}, {}};
            const std::uint64_t sides = 1 + below(3);
            if ((sides & 1U) != 0) interval.lower = bound();
            if ((sides & 2U) != 0) interval.upper = bound();
            intervals.push_back(interval);
            axis += 1 + static_cast<SheetIndex::Axis>(below(2));
        }
        return intervals;
    }
    static std::vector<SheetIndex::Condition> conditions(const std::vector<Interval>& intervals) {
        std::vector<SheetIndex::Condition> all;
        for (const Interval& interval : intervals) all.push_back(interval.condition());
        return all;
    }
    void add() {
        const auto id = static_cast<FilterId>(next_);
        next_ += 1 + below(5);
        filters_[id] = filter();
        index_.add(id, 7 * id, conditions(filters_[id]));
    }
    void remove() {
        auto some = filters_.lower_bound(static_cast<FilterId>(below(next_)));
        if (some == filters_.end()) some = filters_.begin();
        index_.remove(some->first, conditions(some->second));
        filters_.erase(some);
    }
    void compare() {
        std::map<SheetIndex::Axis, Number> message;
        for (SheetIndex::Axis axis = 0; axis < axes; ++axis) {
            if (below(8) > 0) message[axis] = number();
        }
        std::vector<SheetIndex::Point> points;
        for (const auto& [axis, value] : message) {
            if (index_.has(axis)) points.push_back(index_.point(axis, AxisKey::of(value, true)));
        }
        std::set<FilterId> sure;
        std::set<FilterId> perhaps;
        index_.for_each_match(
            points,
            [&](FilterId id, Owner owner, bool is_sure) {
                EXPECT_EQ(owner, 7 * id);
                EXPECT_TRUE((is_sure ? sure : perhaps).insert(id).second);
            },
            [] { return false; });
        for (const auto& [id, intervals] : filters_) {
            const bool holds = std::ranges::all_of(intervals, [&](const Interval& interval) {
                const auto value = message.find(interval.axis);
                return value != message.end() && interval.holds(value->second);
            });
            ASSERT_TRUE(holds ? sure.contains(id) || perhaps.contains(id) : !sure.contains(id));
            found_ += holds ? 1 : 0;
            sure.erase(id);
            perhaps.erase(id);
        }
        ASSERT_TRUE(sure.empty());
        ASSERT_TRUE(perhaps.empty());
    }

    std::mt19937 random_{2002};
    SheetIndex index_;
    std::map<FilterId, std::vector<Interval>> filters_;
    std::uint64_t next_ = 0;
    std::size_t found_ = 0;
};

TEST_F(SheetWorld, FindsWhatHoldsWhileFiltersComeAndGo) {
    for (const std::size_t size : {2'500U, 40U, 1'100U, 0U, 300U}) {
        while (filters_.size() < size) add();
        while (filters_.size() > size) remove();
        for (int i = 0; i < 200; ++i) {
            add();
            remove();
        }
        EXPECT_EQ(index_.size(), size);
        for (int i = 0; i < 100; ++i) compare();
    }
    EXPECT_GT(found_, 1'000U);
}

TEST_F(SheetWorld, UsesPlacesAgain) {
    for (int i = 0; i < 3'000; ++i) add();
    const std::size_t bytes = index_.bytes();
    for (int i = 0; i < 20'000; ++i) {
        remove();
        add();
    }
    EXPECT_LT(index_.bytes(), bytes * 3 / 2);
}

TEST_F(SheetWorld, StopsWhenItIsEnough) {
    const Interval interval{0, Bound{Number::from_int(1), false}, {}};
    for (FilterId id = 0; id < 5'000; ++id) index_.add(id, 0, conditions({interval}));
    const SheetIndex::Point point = index_.point(0, AxisKey::of(Number::from_int(2), true));
    std::size_t found = 0;
    const auto visit = [&](FilterId, Owner, bool sure) { found += sure ? 1 : 0; };
    EXPECT_FALSE(index_.for_each_match({&point, 1}, visit, [] { return true; }));
    EXPECT_EQ(found, 1'024U);
}

}  // namespace
}  // namespace penstock
