#include "penstock/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "penstock/filter_store.hpp"
#include "penstock/judge.hpp"
#include "penstock/language.hpp"
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

TEST(Check, AnswersAsBeforeWhatWasAskedForWhateverTheValueBefore) {
    SmallWorld world(11);
    FilterStore filters;
    Acceptance reused;
    std::size_t passed = 0;
    for (int round = 0; round < 60'000; ++round) {
        const Check check = Check::of(stored(filters, world.constraint()), filters.values());
        const SmallWorld::Message message = world.message();
        if (message.attributes.empty()) continue;
        const ValueView& value = message.attributes.front().value;
        // As much as the check asks for, and perhaps more.
        const auto more = static_cast<std::uint32_t>(world.below(Check::asks_all + 1));
        reused.set(value, check.asked() | more);
        const Acceptance fresh(value);
        ASSERT_EQ(reused.passes(check), fresh.passes(check)) << round;
        ASSERT_EQ(reused.is_sure(check), fresh.is_sure(check)) << round;
        if (((check.asked() | more) & Check::asks_hash) != 0) {
            ASSERT_EQ(reused.hash(), fresh.hash()) << round;
        }
        passed += fresh.passes(check) ? 1 : 0;
    }
    EXPECT_GT(passed, 5'000U);
}

TEST(Check, AsksForNothingButTheTypeWhereThatIsEnough) {
    FilterStore filters;
    const auto asked = [&](const char* text) {
        const Predicate predicate = parse(text);
        StoredConstraint constraint{};
        ConstraintCursor(filters.at(filters.acquire(*predicate.filters[0]))).next(constraint);
        return Check::of(constraint, filters.values()).asked();
    };
    EXPECT_EQ(asked("EXISTS a"), 0U);
    EXPECT_EQ(asked("NOT EXISTS a"), 0U);
    EXPECT_EQ(asked("a LIKE 'x%y'"), 0U);
    EXPECT_EQ(asked("a = 'x'"), Check::asks_hash);
    EXPECT_EQ(asked("a != 1"), Check::asks_hash);
    EXPECT_EQ(asked("int a != 1"), Check::asks_hash | Check::asks_type);
    EXPECT_EQ(asked("a < 1"), Check::asks_size);
    EXPECT_EQ(asked("float a >= 1.5"), Check::asks_size | Check::asks_type);
    EXPECT_EQ(asked("a > 'x'"), Check::asks_size);
    EXPECT_EQ(asked("a STARTS WITH 'x'"), Check::asks_ends);
    EXPECT_EQ(asked("a ENDS WITH 'wxyz'"), Check::asks_ends);
    EXPECT_EQ(asked("a CONTAINS 'x'"), Check::asks_grams);
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
