#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "covering_oracle.hpp"

namespace penstock {
namespace {

using namespace covering_oracle;

// Random filters over few constants, so that many pairs do cover.
class Generator {
  public:
    explicit Generator(unsigned seed) : random_(seed) {}

    FilterPtr filter(std::size_t longest, bool two_names) {
        std::vector<ConstraintPtr> constraints;
        for (auto left = random_() % longest + 1; left > 0; --left) {
            constraints.push_back(constraint(two_names && random_() % 2 ? "b" : "a"));
        }
        return make_filter(constraints);
    }

    static Domain domain() {
        Domain result = {std::nullopt, Scalar(true), Scalar(false), std::numeric_limits<double>::quiet_NaN()};
        for (const Scalar& value : numbers()) {
            result.emplace_back(value);
            if (const auto* real = std::get_if<double>(&value)) {
                result.insert(result.end(),
                              {std::nextafter(*real, infinity), std::nextafter(*real, -infinity)});
            } else {
                const auto i = std::get<std::int64_t>(value);
                result.insert(result.end(), {static_cast<double>(i), i == INT64_MAX ? i : i + 1});
            }
        }
        std::vector<std::string> texts = {""};
        for (std::size_t i = 0; i < texts.size(); ++i) {
            result.emplace_back(texts[i]);
            if (texts[i].size() >= 4) continue;
            for (const std::string& letter :
                 {std::string("a"), std::string("b"), std::string("/"), std::string("é"), nul, last}) {
                texts.push_back(texts[i] + letter);
            }
        }
        return result;
    }

  private:
    static Values numbers() {
        return {std::int64_t{0}, std::int64_t{1}, 0.5, -0.5, two53,    two53 + 1, 9007199254740992.0,
                INT64_MAX,       INT64_MIN,       1.0, 2.0,  infinity, -infinity, 9223372036854775808.0};
    }

    template <typename Items>
    auto pick(const Items& items) {
        return *std::next(std::begin(items), static_cast<std::ptrdiff_t>(random_() % std::size(items)));
    }

    std::string text() {
        std::string result;
        for (auto left = random_() % 3; left > 0; --left) {
            result += pick(std::vector<std::string>{"a", "b", "a", "b", "/", "é", nul, last});
        }
        return result;
    }

    std::string like() {
        std::string result;
        for (auto left = random_() % 5; left > 0; --left) {
            result += pick(std::vector<std::string>{"a", "b", "%", "_", "é", "/"});
        }
        return result;
    }

    ConstraintPtr constraint(const std::string& name) {
        const auto kind = random_() % 16;
        if (kind == 0)
            return make_constraint(name, Type::any, pick(std::vector{Operator::exists, Operator::not_exists}),
                                   {});
        if (kind == 1)
            return make_constraint(name, pick(std::vector{Type::number, Type::float_, Type::string}),
                                   Operator::exists, {});
        if (kind == 2)
            return make_constraint(name, Type::bool_, pick(std::vector{Operator::eq, Operator::ne}),
                                   {random_() % 2 == 0});
        if (kind <= 7) return number_constraint(name);
        return string_constraint(name);
    }

    ConstraintPtr number_constraint(const std::string& name) {
        const Type type = pick(std::vector{Type::number, Type::int_, Type::float_});
        const auto draw = [&] {
            while (true) {
                const Scalar value = pick(numbers());
                const bool integer = std::holds_alternative<std::int64_t>(value);
                if (type == Type::number || integer == (type == Type::int_)) return value;
            }
        };
        if (random_() % 4 == 0) {
            return make_constraint(name, type, pick(std::vector{Operator::in, Operator::not_in}),
                                   {draw(), draw(), draw()});
        }
        return make_constraint(name, type, pick(orders), {draw()});
    }

    ConstraintPtr string_constraint(const std::string& name) {
        switch (random_() % 6) {
            case 0:
                return make_constraint(name, Type::string, pick(std::vector{Operator::in, Operator::not_in}),
                                       {text(), text(), text()});
            case 1:
                return make_constraint(name, Type::string, pick(orders), {text()});
            case 2:
            case 3:
                return make_constraint(name, Type::string, pick(affixes), {text()});
            case 4:
                return make_constraint(name, Type::string,
                                       pick(std::vector{Operator::like, Operator::not_like}), {like()});
            default:
                return make_constraint(
                    name, Type::string, pick(std::vector{Operator::topic, Operator::not_topic}),
                    {pick(std::vector<std::string>{"a", "a/b", "a/*/b", "b/*/a", "a/*/a", "é"})});
        }
    }

    std::mt19937 random_;
};

TEST(CoversFilter, IsNeverWronglyYesOnOneName) {
    const Domain domain = Generator::domain();
    Generator generator(1);
    std::vector<FilterPtr> filters;
    std::vector<Bits> truth;
    for (int i = 0; i < 500; ++i) {
        filters.push_back(generator.filter(i % 2 ? 1 : 3, false));
        truth.push_back(solutions(*filters.back(), domain));
    }
    std::size_t yes = 0;
    for (std::size_t f = 0; f < filters.size(); ++f) {
        for (std::size_t g = 0; g < filters.size(); ++g) {
            if (!covers(*filters[f], *filters[g])) continue;
            ++yes;
            ASSERT_TRUE(within(truth[g], truth[f])) << shown(*filters[f]) << " covers " << shown(*filters[g]);
        }
    }
    EXPECT_GT(yes, filters.size() * 10);
}

TEST(CoversFilter, IsNeverWronglyYesOnTwoNames) {
    Domain domain = Generator::domain();
    std::shuffle(domain.begin() + 4, domain.end(), std::mt19937(3));
    domain.resize(32);
    std::vector<std::vector<Attribute>> messages;
    for (const auto& a : domain) {
        for (const auto& b : domain) messages.push_back(message(a, b));
    }
    Generator generator(2);
    std::size_t yes = 0;
    for (int round = 0; round < 10000; ++round) {
        const auto f = generator.filter(2, true);
        const auto g = generator.filter(4, true);
        if (!covers(*f, *g)) continue;
        ++yes;
        for (const auto& both : messages) {
            ASSERT_FALSE(matches(*g, both) && !matches(*f, both)) << shown(*f) << " covers " << shown(*g);
        }
    }
    EXPECT_GT(yes, 500U);
}

TEST(CoversFilter, IsReflexiveAndGrowsWithTheOther) {
    Generator generator(4);
    for (int round = 0; round < 5000; ++round) {
        const auto f = generator.filter(4, true);
        auto constraints = generator.filter(3, true)->constraints;
        constraints.insert(constraints.end(), f->constraints.begin(), f->constraints.end());
        EXPECT_TRUE(covers(*f, *f)) << shown(*f);
        EXPECT_TRUE(covers(*f, *make_filter(constraints))) << shown(*f);
        EXPECT_TRUE(covers(*make_filter({}), *f));
    }
}

}  // namespace
}  // namespace penstock
