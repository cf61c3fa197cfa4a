// Predicates at random, with every operator, type and awkward name or value there is. Same seed, same
// predicates.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "penstock/constraint.hpp"

namespace penstock {

class RandomPredicate {
  public:
    explicit RandomPredicate(unsigned seed) : random_(seed) {}

    Predicate predicate(bool siena_only = false) {
        std::vector<FilterPtr> filters;
        for (std::size_t n = below(4) + (siena_only ? 1 : 0); n > 0; --n) {
            std::vector<ConstraintPtr> constraints;
            for (std::size_t m = below(5); m > 0; --m) constraints.push_back(constraint(siena_only));
            filters.push_back(make_filter(std::move(constraints)));
        }
        return make_predicate(std::move(filters));
    }

    std::size_t below(std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
    }

  private:
    ConstraintPtr constraint(bool siena_only) {
        const auto op = static_cast<Operator>(below(20));
        Type type = static_cast<Type>(1 + below(5));
        if (siena_only && ((op > Operator::le && op != Operator::prefix && op != Operator::suffix &&
                            op != Operator::substring && op != Operator::exists))) {
            return constraint(true);
        }
        if (is_textual(op)) type = Type::string;
        if (is_order(op) && type == Type::bool_) type = Type::number;
        if (op == Operator::not_exists || (op == Operator::exists && below(2) == 0)) type = Type::any;
        std::vector<Scalar> values;
        if (op == Operator::topic || op == Operator::not_topic) {
            values.emplace_back(topic());
        } else if (!is_presence(op)) {
            for (std::size_t n = is_set(op) ? 1 + below(4) : 1; n > 0; --n) values.push_back(value(type));
        }
        return make_constraint(name(), type, op, std::move(values));
    }

    std::string name() {
        static const std::string names[] = {
            "a",      "price",     "detail.state", "größe", "日本.x", "and",   "Or",     "NOT",      "int",
            "String", "any",       "inf",          "nan",   "a b",    "a..b",  ".a",     "a.",       "5a",
            "`",      "a`b``c",    "TRUE",         "null",  "with",   "topic", "number", "infinity", "x;y]|",
            "\"",     "back\\sla", "'q'",
        };
        const std::size_t pick = below(std::size(names) + 6);
        return pick < std::size(names) ? names[pick] : "n" + text();
    }

    std::string text() {
        static const std::string pieces[] = {
            "UA", "'",  "\"", "`", " ",  "%", "_", "\n", "\\", std::string(1, '\0'),
            "é",  "🙂", ";",  "]", "|",  "=", "*", ">",  "[",  "any",
            "x",  "5",  "\t", "(", "or", "!", ",", "-"};
        std::string result;
        for (std::size_t n = below(5); n > 0; --n) result += pieces[below(std::size(pieces))];
        return result;
    }

    std::string topic() {
        std::string result = "Streams";
        for (std::size_t n = below(4); n > 0; --n) result += below(3) == 0 ? "/*" : "/lev'el";
        return result;
    }

    Scalar value(Type type) {
        switch (type) {
            case Type::string:
                return text();
            case Type::bool_:
                return below(2) == 0;
            case Type::int_:
                return integer();
            default:
                return below(3) == 0 && type == Type::number ? Scalar(integer()) : Scalar(real());
        }
    }

    std::int64_t integer() {
        static const std::int64_t edges[] = {
            0, 1, -1, INT64_MAX, INT64_MIN, (1LL << 53) + 1, -(1LL << 53) - 1};
        const std::size_t pick = below(std::size(edges) * 2);
        return pick < std::size(edges) ? edges[pick]
                                       : static_cast<std::int64_t>(random_() ^ (random_() << 32U));
    }

    double real() {
        static const double edges[] = {0.0,
                                       -0.0,
                                       0.1,
                                       5.0,
                                       1e20,
                                       9223372036854775808.0,
                                       -9223372036854775808.0,
                                       5e-324,
                                       std::numeric_limits<double>::max(),
                                       std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity()};
        const std::size_t pick = below(std::size(edges) * 2);
        if (pick < std::size(edges)) return edges[pick];
        const std::uint64_t bits = random_();
        double result = 0;
        std::memcpy(&result, &bits, sizeof result);
        return std::isnan(result) ? 0.5 : result;
    }

    std::mt19937_64 random_;
};

}  // namespace penstock
