#include "penstock/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "penstock/filter_store.hpp"
#include "penstock/judge.hpp"
#include "small_world.hpp"

namespace penstock {
namespace {

StoredConstraint stored(FilterStore& filters, const ConstraintPtr& constraint) {
    StoredConstraint result{};
    ConstraintCursor(filters.at(filters.acquire(*make_filter({constraint})))).next(result);
    return result;
}

TEST(Check, NeverFailsWhatHoldsAndIsNeverSureOfWhatDoesNot) {
    SmallWorld world(7);
    FilterStore filters;
    std::size_t failed = 0;
    std::size_t sure = 0;
    for (int round = 0; round < 60'000; ++round) {
        const ConstraintPtr constraint = world.constraint();
        const StoredConstraint at_rest = stored(filters, constraint);
        const Check check = Check::of(at_rest, filters.values());
        const SmallWorld::Message message = world.message();
        const auto found = std::ranges::find(message.attributes, filters.names().at(at_rest.name),
                                             [](const Attribute& attribute) { return attribute.name; });
        const bool is_there = found != message.attributes.end();
        const Acceptance acceptance = is_there ? Acceptance(found->value) : Acceptance();
        bool holding = false;
        if (is_there) {
            KnownValue value(found->value);
            value.find_code(filters.values());
            holding = holds(at_rest, &value, filters.values());
        } else {
            holding = holds(at_rest, nullptr, filters.values());
        }
        const bool grams_pass = check.kind() != Check::Kind::gram || !is_there ||
                                found->value.type != Type::string || GramSet(found->value.text).has(check);
        const bool passes = acceptance.passes(check) && grams_pass;
        const bool is_sure =
            passes && acceptance.is_sure(check) && Check::can_tell(at_rest, filters.values());
        ASSERT_TRUE(passes || !holding) << round;
        ASSERT_TRUE(holding || !is_sure) << round;
        failed += passes ? 0 : 1;
        sure += is_sure ? 1 : 0;
    }
    EXPECT_GT(failed, 20'000U);
    EXPECT_GT(sure, 3'000U);
}

TEST(Check, KeepsItsMarkApart) {
    const Check check = Check::of_code(2047).with_mark(3);
    EXPECT_EQ(check.mark(), 3U);
    EXPECT_EQ(check.code(), 2047U);
    EXPECT_EQ(check.with_mark(0).mark(), 0U);
    EXPECT_EQ(check.with_mark(0).code(), 2047U);
}

TEST(Check, OfANameThatIsTooHighAsksNothing) {
    StoredConstraint constraint{};
    constraint.name = Check::max_name + 1;
    constraint.op = Operator::exists;
    const ValueStore values;
    EXPECT_EQ(Check::of(constraint, values).kind(), Check::Kind::nothing);
    EXPECT_FALSE(Check::can_tell(constraint, values));
}

}  // namespace
}  // namespace penstock
