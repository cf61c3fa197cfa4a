#include "penstock/covering.hpp"

#include <gtest/gtest.h>

#include "covering_oracle.hpp"

namespace penstock {
namespace {

using namespace covering_oracle;

void add_presence(std::vector<ConstraintPtr>& constraints) {
    for (const Type type : {Type::any, Type::string, Type::number, Type::int_, Type::float_, Type::bool_}) {
        constraints.push_back(on_a(type, Operator::exists, {}));
    }
    constraints.push_back(on_a(Type::any, Operator::not_exists, {}));
}

// Every pair of single constraints must be answered exactly, and then covering is transitive as well.
void expect_exact(std::vector<ConstraintPtr> constraints, Domain domain) {
    add_presence(constraints);
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), 0.25}) domain.emplace_back(value);
    domain.insert(domain.end(),
                  {std::nullopt, Scalar(true), Scalar(std::int64_t{77}), Scalar(std::string("q"))});
    std::vector<FilterPtr> filters;
    std::vector<Bits> truth;
    for (const auto& c : constraints) {
        filters.push_back(make_filter({c}));
        truth.push_back(solutions(*filters.back(), domain));
    }
    for (std::size_t f = 0; f < filters.size(); ++f) {
        for (std::size_t g = 0; g < filters.size(); ++g) {
            ASSERT_EQ(covers(*filters[f], *filters[g]), within(truth[g], truth[f]))
                << shown(*constraints[f]) << " covers " << shown(*constraints[g]);
        }
    }
}

TEST(CoversOneConstraint, IsExactForNumbers) {
    const Values ints = {std::int64_t{0}, std::int64_t{5}, two53,    two53 + 1,
                         -two53 - 1,      INT64_MAX,       INT64_MIN};
    const Values reals = {0.0,
                          0.5,
                          5.0,
                          9007199254740992.0,
                          -9007199254740994.0,
                          9223372036854775808.0,
                          -9223372036854775808.0,
                          1e300,
                          infinity,
                          -infinity,
                          5e-324};
    std::vector<ConstraintPtr> constraints;
    Domain domain;
    for (const Scalar& value : ints) {
        const auto i = std::get<std::int64_t>(value);
        for (const Operator op : orders) {
            constraints.push_back(on_a(Type::number, op, {value}));
            constraints.push_back(on_a(Type::int_, op, {value}));
        }
        domain.insert(domain.end(), {value, i == INT64_MAX ? i : i + 1, i == INT64_MIN ? i : i - 1});
        const auto near = static_cast<double>(i);
        domain.insert(domain.end(), {near, std::nextafter(near, infinity), std::nextafter(near, -infinity)});
    }
    for (const Scalar& value : reals) {
        const auto real = std::get<double>(value);
        for (const Operator op : orders) {
            constraints.push_back(on_a(Type::number, op, {value}));
            constraints.push_back(on_a(Type::float_, op, {value}));
        }
        domain.insert(domain.end(), {value, std::nextafter(real, infinity), std::nextafter(real, -infinity)});
        if (std::fabs(real) < 1e15)
            domain.insert(domain.end(), {std::int64_t(real) - 1, std::int64_t(real) + 1});
    }
    for (const Operator op : {Operator::in, Operator::not_in}) {
        constraints.push_back(on_a(Type::number, op, {std::int64_t{5}, 0.5, two53 + 1}));
        constraints.push_back(on_a(Type::int_, op, {std::int64_t{5}, std::int64_t{0}, INT64_MAX}));
        constraints.push_back(on_a(Type::float_, op, {5.0, 0.0, infinity}));
        constraints.push_back(
            on_a(Type::number, op, {std::int64_t{5}, std::int64_t{0}, 0.5, INT64_MAX, infinity}));
    }
    expect_exact(constraints, domain);
}

TEST(CoversOneConstraint, IsExactForBools) {
    std::vector<ConstraintPtr> constraints;
    for (const bool value : {false, true}) {
        constraints.push_back(on_a(Type::bool_, Operator::eq, {value}));
        constraints.push_back(on_a(Type::bool_, Operator::ne, {value}));
    }
    constraints.push_back(on_a(Type::bool_, Operator::in, {false, true}));
    constraints.push_back(on_a(Type::bool_, Operator::not_in, {false, true}));
    expect_exact(constraints, {Scalar(false)});
}

TEST(CoversOneConstraint, IsExactForStrings) {
    const std::vector<std::string> constants = {"",        "a",   "b",        "ab",          "ba",
                                                "aa",      "aab", "é",        nul,           nul + nul,
                                                "a" + nul, last,  "a" + last, "\xED\x9F\xBF"};
    std::vector<ConstraintPtr> constraints;
    Domain domain;
    for (const auto& value : constants) {
        for (const Operator op : orders) constraints.push_back(on_a(Type::string, op, {value}));
        for (const Operator op : affixes) constraints.push_back(on_a(Type::string, op, {value}));
        for (const Operator op : {Operator::in, Operator::not_in}) {
            constraints.push_back(on_a(Type::string, op, {value, std::string("ab")}));
            constraints.push_back(on_a(Type::string, op, {value, value + nul, std::string("b")}));
        }
        for (const std::string& middle : {std::string(), nul, std::string("a"), std::string("z"), last}) {
            for (const auto& end : constants) {
                domain.emplace_back(value + middle + end);
                domain.emplace_back(value + middle + end + "z");
            }
        }
    }
    domain.emplace_back("\xEE\x80\x80");  // what follows the surrogates
    expect_exact(constraints, domain);
}

TEST(CoversOneConstraint, IsExactForTopics) {
    std::vector<ConstraintPtr> constraints;
    for (const char* pattern : {"a", "a/b", "a/*/b", "a/*/*/b", "a/b/*/b", "b", "a/b/b", "a/c"}) {
        constraints.push_back(on_a(Type::string, Operator::topic, {std::string(pattern)}));
        constraints.push_back(on_a(Type::string, Operator::not_topic, {std::string(pattern)}));
    }
    for (const char* prefix :
         {"a", "a/", "a/b", "a/b/", "a/c/", "a/b/b", "a/b/b/", "a/b/c/", "a/b/c/b", "a/b/c/b/"}) {
        constraints.push_back(on_a(Type::string, Operator::prefix, {std::string(prefix)}));
        constraints.push_back(on_a(Type::string, Operator::eq, {std::string(prefix)}));
    }
    Domain domain;
    std::vector<std::string> topics = {""};
    for (int depth = 0; depth < 5; ++depth) {
        std::vector<std::string> longer;
        for (const auto& topic : topics) {
            for (const char* level : {"a", "b", "c", "", "z"}) {
                longer.push_back(depth == 0 ? level : topic + '/' + level);
            }
        }
        for (const auto& topic : longer) domain.insert(domain.end(), {topic, topic + "z"});
        topics = std::move(longer);
    }
    expect_exact(constraints, domain);
}

TEST(CoversOneConstraint, IsExactForShortLikePatterns) {
    std::vector<std::string> patterns = {""};
    std::vector<std::string> texts = {""};
    const auto grow = [](std::vector<std::string>& words, std::string_view letters, std::size_t longest) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i].size() == longest) continue;
            for (const char letter : letters) words.push_back(words[i] + letter);
        }
    };
    grow(patterns, "ab%_", 3);
    grow(texts, "abz", 7);
    std::vector<ConstraintPtr> constraints;
    for (const auto& pattern : patterns) {
        constraints.push_back(on_a(Type::string, Operator::like, {pattern}));
        constraints.push_back(on_a(Type::string, Operator::not_like, {pattern}));
    }
    expect_exact(constraints, Domain(texts.begin(), texts.end()));
}

bool covers_all(std::vector<ConstraintPtr> f, std::vector<ConstraintPtr> g) {
    return covers(*make_filter(std::move(f)), *make_filter(std::move(g)));
}

ConstraintPtr str(Operator op, const char* value) {
    return on_a(Type::string, op, {std::string(value)});
}

TEST(CoversFilter, CombinesWhatIsKnownOfOneName) {
    EXPECT_TRUE(covers_all(
        {on_a(Type::int_, Operator::eq, {std::int64_t{4}})},
        {on_a(Type::int_, Operator::gt, {std::int64_t{3}}), on_a(Type::number, Operator::lt, {4.5})}));
    EXPECT_TRUE(
        covers_all({str(Operator::substring, "bc")}, {str(Operator::ge, "abc"), str(Operator::lt, "abd")}));
    EXPECT_TRUE(covers_all({str(Operator::eq, "b")},
                           {on_a(Type::string, Operator::in, {std::string("a"), std::string("b")}),
                            str(Operator::suffix, "b")}));
    // U+E000 comes next after U+D7FF: there are no surrogates in between.
    EXPECT_TRUE(covers_all({str(Operator::prefix, "\xED\x9F\xBF")},
                           {str(Operator::ge, "\xED\x9F\xBF"), str(Operator::lt, "\xEE\x80\x80")}));
    EXPECT_FALSE(covers_all({str(Operator::prefix, "ab")}, {str(Operator::prefix, "a")}));
}

TEST(CoversFilter, ComparesLikePatterns) {
    EXPECT_TRUE(covers_all({str(Operator::like, "a%c")}, {str(Operator::like, "a%b_c")}));
    EXPECT_TRUE(covers_all({str(Operator::substring, "b")}, {str(Operator::like, "a%b_c")}));
    EXPECT_TRUE(covers_all({str(Operator::not_like, "_b%")}, {str(Operator::prefix, "ac")}));
    EXPECT_TRUE(covers_all({str(Operator::not_like, "__")}, {str(Operator::like, "_")}));
    EXPECT_TRUE(covers_all({str(Operator::not_suffix, "ab")}, {str(Operator::not_suffix, "b")}));
    EXPECT_FALSE(covers_all({str(Operator::like, "a_c")}, {str(Operator::like, "a%c")}));
    EXPECT_FALSE(covers_all({str(Operator::not_like, "a%b")}, {str(Operator::like, "%b%a%b")}));
}

TEST(CoversFilter, SeesContradictions) {
    const auto anything = on_a(Type::any, Operator::exists, {});
    const auto absent = on_a(Type::any, Operator::not_exists, {});
    const auto elsewhere = make_constraint("b", Type::bool_, Operator::eq, {true});
    EXPECT_TRUE(covers_all({elsewhere}, {anything, absent}));
    EXPECT_TRUE(covers_all({elsewhere}, {on_a(Type::int_, Operator::exists, {}), str(Operator::ne, "x")}));
    EXPECT_TRUE(covers_all({elsewhere}, {str(Operator::prefix, "a"), str(Operator::lt, "a")}));
    EXPECT_TRUE(covers_all({elsewhere}, {str(Operator::suffix, "a"), str(Operator::not_substring, "a")}));
    EXPECT_TRUE(covers_all({elsewhere}, {on_a(Type::number, Operator::gt, {infinity})}));
    EXPECT_FALSE(covers_all({elsewhere}, {anything}));
}

TEST(CoversPredicate, AsksForOneFilterEach) {
    const auto low = make_filter({on_a(Type::number, Operator::lt, {std::int64_t{5}})});
    const auto lower = make_filter({on_a(Type::number, Operator::lt, {std::int64_t{4}})});
    const auto high = make_filter({on_a(Type::number, Operator::gt, {std::int64_t{9}})});
    EXPECT_TRUE(covers(make_predicate({low, high}), make_predicate({lower, high})));
    EXPECT_FALSE(covers(make_predicate({lower, high}), make_predicate({low})));
    EXPECT_TRUE(covers(make_predicate({}), make_predicate({})));
    EXPECT_TRUE(covers(make_predicate({low}), make_predicate({})));
    EXPECT_FALSE(covers(make_predicate({}), make_predicate({low})));
}

}  // namespace
}  // namespace penstock
