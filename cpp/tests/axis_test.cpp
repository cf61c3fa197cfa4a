#include "penstock/axis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace penstock {
namespace {

using Side = AxisIndex::Side;

std::vector<Number> awkward_numbers() {
    std::vector<Number> numbers;
    for (const double magnitude :
         {0.0, 1.0, 2.0, 57.0, 99.5, 0.1, 1e-300, 5e-324, 1e19, 1e300, 8388607.0, 8388608.5, 16777217.0,
          std::ldexp(1, 64), std::ldexp(1.5, -63), std::numeric_limits<double>::infinity()}) {
        numbers.push_back(Number::from_double(magnitude));
        numbers.push_back(Number::from_double(-magnitude));
    }
    for (const std::int64_t base : {std::int64_t{1} << 53U, std::int64_t{1} << 60U, INT64_MAX - 700}) {
        for (std::int64_t step = -3; step <= 3; ++step) {
            numbers.push_back(Number::from_int(base + step));
            numbers.push_back(Number::from_int(-base + step));
        }
    }
    return numbers;
}

TEST(AxisKey, BriefsAreInTheOrderOfTheNumbers) {
    const std::vector<Number> numbers = awkward_numbers();
    for (const Number& a : numbers) {
        for (const Number& b : numbers) {
            if (!(a < b)) continue;
            const AxisKey low = AxisKey::of(a, true);
            const AxisKey high = AxisKey::of(b, false);
            EXPECT_LE(low.brief, high.brief) << a.rounded << ' ' << b.rounded;
            if (low.brief == high.brief) {
                EXPECT_FALSE(low.is_own || high.is_own) << a.rounded << ' ' << b.rounded;
            }
        }
    }
}

TEST(AxisKey, SmallIntegersHaveABriefOfTheirOwn) {
    for (const std::int64_t number : {-8388607, -100, -1, 0, 1, 57, 100'000, 8388607})
        EXPECT_TRUE(AxisKey::of(Number::from_int(number), false).is_own) << number;
    EXPECT_FALSE(AxisKey::of(Number::from_double(0.1), false).is_own);
}

// Bounds in no order, asked one by one.
template <class Value>
class Model {
  public:
    struct Bound {
        Value value;
        Side side;
        bool strict;
        bool sure;
        std::uint32_t target;
    };
    std::vector<Bound> bounds;

    std::multiset<std::uint32_t> matching(const Value& value, bool sure) const {
        std::multiset<std::uint32_t> found;
        for (const Bound& bound : bounds) {
            if (bound.sure == sure && holds(bound, value)) found.insert(bound.target);
        }
        return found;
    }

  private:
    static bool holds(const Bound& bound, const Value& value) {
        if (value == bound.value) return !bound.strict;
        return (value < bound.value) == (bound.side == Side::upper);
    }
};

class AxisWorld : public testing::Test {
  protected:
    template <class Value>
    AxisPoint point_of(const typename Model<Value>::Bound& bound) {
        const bool later = (bound.side == Side::upper) != bound.strict;
        if constexpr (std::is_same_v<Value, Number>) {
            return AxisPoint(AxisKey::of(bound.value, later));
        } else {
            const StringPool::Id id = pool_.find(bound.value);
            return {AxisKey::of(bound.value, id, later), pool_};
        }
    }
    AxisPoint point_at(const Number& value) { return AxisPoint(value); }
    AxisPoint point_at(const std::string& value) { return {value, pool_}; }

    template <class Value>
    void add(const typename Model<Value>::Bound& bound) {
        if constexpr (!std::is_same_v<Value, Number>) pool_.acquire(bound.value);
        const Check check(bound.target);
        index_.insert(axis_, bound.side, bound.sure, point_of<Value>(bound),
                      {bound.target, {check, check, check}});
    }
    template <class Value>
    void remove(const typename Model<Value>::Bound& bound) {
        index_.erase(axis_, bound.side, bound.sure, point_of<Value>(bound), bound.target);
        if constexpr (!std::is_same_v<Value, Number>) pool_.release(pool_.find(bound.value));
    }
    template <bool sure, class Value>
    std::multiset<std::uint32_t> matching(const Value& value) {
        std::multiset<std::uint32_t> found;
        if (axis_.is_empty()) return found;
        const AxisPoint point = point_at(value);
        const auto cut = index_.cut(axis_, index_.find_chunk(axis_, point), point);
        index_.for_each<sure>(axis_, cut, [&](auto stretch) {
            for (const auto& one : stretch) {
                if constexpr (sure) {
                    found.insert(one);
                } else {
                    found.insert(one.target);
                    for (const Check check : one.checks) EXPECT_EQ(check.word(), one.target);
                }
            }
            return true;
        });
        EXPECT_EQ(found, matching_by_chunk<sure>(cut));
        return found;
    }
    template <bool sure>
    std::multiset<std::uint32_t> matching_by_chunk(const AxisIndex::Cut& cut) {
        std::multiset<std::uint32_t> found;
        std::size_t chunks = 0;
        index_.for_each_chunk(axis_, cut, [&](auto targets, auto candidates) {
            ++chunks;
            if constexpr (sure) {
                found.insert(targets.begin(), targets.end());
            } else {
                for (const Posting& posting : candidates) found.insert(posting.target);
            }
        });
        EXPECT_EQ(chunks, axis_.chunks);
        return found;
    }

    template <class Value, class Draw>
    void churn(Draw&& draw, std::size_t steps, std::size_t most) {
        Model<Value> model;
        for (std::size_t step = 0; step < steps; ++step) {
            const bool grow = model.bounds.size() < most * (step % (steps / 4)) / (steps / 4) + 1;
            if (grow || model.bounds.empty()) {
                const auto bits = random_();
                model.bounds.push_back({draw(), (bits & 1U) != 0 ? Side::upper : Side::lower,
                                        (bits & 2U) != 0, (bits & 4U) != 0,
                                        static_cast<std::uint32_t>(step)});
                add<Value>(model.bounds.back());
            } else {
                std::swap(model.bounds[random_() % model.bounds.size()], model.bounds.back());
                remove<Value>(model.bounds.back());
                model.bounds.pop_back();
            }
            if (step % 50 != 0) continue;
            const Value value = draw();
            ASSERT_EQ(matching<true>(value), model.matching(value, true)) << step;
            ASSERT_EQ(matching<false>(value), model.matching(value, false)) << step;
        }
        for (const auto& bound : model.bounds) remove<Value>(bound);
        EXPECT_TRUE(axis_.is_empty());
    }

    std::mt19937 random_{2002};
    StringPool pool_;
    AxisIndex index_;
    Axis axis_;
};

TEST_F(AxisWorld, SmallIntegersAreFoundThroughManyChanges) {
    churn<Number>([&] { return Number::from_int(static_cast<std::int64_t>(random_() % 100) - 50); }, 20'000,
                  3'000);
}

TEST_F(AxisWorld, AwkwardNumbersAreFoundThroughManyChanges) {
    const std::vector<Number> numbers = awkward_numbers();
    churn<Number>([&] { return numbers[random_() % numbers.size()]; }, 12'000, 2'000);
}

TEST_F(AxisWorld, NumbersThatShareTheirBriefsAreFoundThroughManyChanges) {
    churn<Number>([&] { return Number::from_double(1 + static_cast<double>(random_() % 500) * 1e-9); },
                  12'000, 2'000);
}

TEST_F(AxisWorld, StringsAreFoundThroughManyChanges) {
    churn<std::string>(
        [&] {
            std::string text = (random_() & 1U) != 0 ? "https://example.org/" : "";
            for (auto length = random_() % 4; length > 0; --length)
                text += static_cast<char>("ab\x7f\xff"[random_() % 4]);
            return text;
        },
        12'000, 2'000);
}

TEST_F(AxisWorld, OneBoundForThousandsOfFilters) {
    churn<Number>([] { return Number::from_int(7); }, 8'000, 2'000);
}

TEST_F(AxisWorld, TellsAboutWhichShareOfTheBoundsLiesBeforeAPoint) {
    EXPECT_EQ(index_.share_before(axis_, AxisPoint(Number::from_int(1))), 0.5);
    for (std::uint32_t i = 0; i < 1000; ++i)
        add<Number>({Number::from_int(i), (i & 1U) != 0 ? Side::upper : Side::lower, true, true, i});
    EXPECT_NEAR(index_.share_before(axis_, AxisPoint(Number::from_int(250))), 0.25, 0.1);
    EXPECT_LT(index_.share_before(axis_, AxisPoint(Number::from_int(-1))), 0.01);
    EXPECT_GT(index_.share_before(axis_, AxisPoint(Number::from_int(1001))), 0.99);
}

}  // namespace
}  // namespace penstock
