// Printing is the inverse of parsing, and the normal form means what the text means.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "penstock/evaluate.hpp"
#include "penstock/language.hpp"
#include "random_predicate.hpp"

namespace penstock {
namespace {

TEST(LanguageRoundTrip, PrintedPredicatesParseBackToEqualOnes) {
    RandomPredicate random(20240501);
    for (int i = 0; i < 5000; ++i) {
        const Predicate predicate = random.predicate();
        const std::string text = print(predicate);
        ASSERT_TRUE(parse(text) == predicate) << text;
        ASSERT_EQ(print(parse(text)), text);
        for (const FilterPtr& filter : predicate.filters) {
            ASSERT_TRUE(parse(print(*filter)) == make_predicate({filter})) << print(*filter);
            for (const ConstraintPtr& constraint : filter->constraints) {
                ASSERT_TRUE(parse(print(*constraint)) == make_predicate({make_filter({constraint})}))
                    << print(*constraint);
            }
        }
    }
}

TEST(LanguageRoundTrip, PrintsPlainly) {
    const auto printed = [](std::string_view text) { return print(parse(text)); };
    EXPECT_EQ(printed("a = \"UA\""), "a = 'UA'");
    EXPECT_EQ(printed("float price < 5"), "float price < 5.0");
    EXPECT_EQ(printed("float price < inf"), "float price < INFINITY");
    EXPECT_EQ(printed("a = 1e22"), "a = 1e+22");
    EXPECT_EQ(printed("a = 1e2"), "a = 100");
    EXPECT_EQ(printed("int `order by` IN (3, 1)"), "int `order by` IN (1, 3)");
    EXPECT_EQ(printed("`like` NOT ENDS WITH \"o'clock\""), "`like` NOT ENDS WITH 'o''clock'");
    EXPECT_EQ(printed("`plain` IS NOT NULL"), "EXISTS plain");
    EXPECT_EQ(printed("EXISTS int a"), "EXISTS int a");
    EXPECT_EQ(printed("b = 1 OR a = 1 AND `int` = 1"), "a = 1 AND `int` = 1 OR b = 1");
}

// A formula in the three-valued logic of the specification, evaluated as it stands.
class Formula {
  public:
    explicit Formula(unsigned seed) : random_(seed) {}

    // Writes a formula and returns its value for the message: true, false, or nothing for unknown.
    std::optional<bool> write(std::string& text, MessageView message, int depth) {
        const std::size_t kind = below(depth == 0 ? 2 : 6);
        if (kind < 2) return leaf(text, message);
        if (kind == 2) {
            const bool enclosed = below(2) == 0;
            text += enclosed ? "(NOT (" : "NOT (";
            const auto value = write(text, message, depth - 1);
            text += enclosed ? "))" : ")";
            return value ? std::optional(!*value) : std::nullopt;
        }
        return connect(text, message, depth, kind % 2 == 0);
    }

    std::size_t below(std::size_t limit) { return random_() % limit; }

  private:
    std::optional<bool> connect(std::string& text, MessageView message, int depth, bool conjunction) {
        std::optional<bool> result = conjunction;
        for (std::size_t n = 2 + below(2), i = 0; i < n; ++i) {
            text += i == 0 ? "(" : conjunction ? ") AND (" : ") OR (";
            const auto part = write(text, message, depth - 1);
            if (part == !conjunction || result == !conjunction) {
                result = !conjunction;
            } else if (!part) {
                result.reset();
            }
        }
        text += ")";
        return result;
    }

    std::optional<bool> leaf(std::string& text, MessageView message) {
        const std::string name(1, static_cast<char>('a' + below(3)));
        const Attribute* attribute = nullptr;
        for (const Attribute& candidate : message) {
            if (candidate.name == name) attribute = &candidate;
        }
        const std::size_t kind = below(8);
        if (kind == 0) return text += "TRUE", true;
        if (kind == 1) return text += "EXISTS " + name, attribute != nullptr;
        if (kind == 2) return text += name + " IS NULL", attribute == nullptr;
        const auto limit = static_cast<std::int64_t>(below(3));
        const bool known = attribute != nullptr && attribute->value.type == Type::int_;
        const std::int64_t value = known ? attribute->value.integer : 0;
        const std::string digits = std::to_string(limit);
        bool holds = value == limit;
        if (kind == 3) {
            text += name + " NOT BETWEEN " + digits + " AND 1";
            holds = !(value >= limit && value <= 1);
        } else if (kind == 4) {
            text += name + " NOT IN (" + digits + ", 1)";
            holds = value != limit && value != 1;
        } else if (kind == 5) {
            text += name + " < " + digits;
            holds = value < limit;
        } else {
            text += name + " = " + digits;
        }
        return known ? std::optional(holds) : std::nullopt;
    }

    std::mt19937 random_;
};

TEST(LanguageRoundTrip, TheNormalFormHasTheThreeValuedMeaningOfTheText) {
    Formula formula(7);
    Limits limits;
    limits.filters = 20000;
    limits.constraints = 2000;
    int matched = 0;
    for (int i = 0; i < 3000; ++i) {
        std::vector<Attribute> message;
        for (const char* name : {"a", "b", "c"}) {
            const std::size_t pick = formula.below(5);
            if (pick < 3) message.push_back({name, ValueView::of(static_cast<std::int64_t>(pick))});
            if (pick == 3) message.push_back({name, ValueView::of(std::string_view("text"))});
        }
        std::string text;
        const auto expected = formula.write(text, message, 3);
        ASSERT_EQ(matches(parse(text, limits), message), expected == true) << text;
        matched += expected == true;
    }
    EXPECT_GT(matched, 500);
    EXPECT_LT(matched, 2500);
}

}  // namespace
}  // namespace penstock
