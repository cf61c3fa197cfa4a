// Random constraints and messages over so few names and values that they meet all the time.
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "penstock/constraint.hpp"

namespace penstock {

class SmallWorld {
  public:
    explicit SmallWorld(unsigned seed) : random_(seed) {}

    Predicate predicate() {
        std::vector<FilterPtr> filters;
        for (std::size_t n = below(4); n > 0; --n) {
            std::vector<ConstraintPtr> constraints;
            for (std::size_t m = below(4); m > 0; --m) constraints.push_back(constraint());
            filters.push_back(make_filter(std::move(constraints)));
        }
        return make_predicate(std::move(filters));
    }

    ConstraintPtr constraint() {
        const auto op = static_cast<Operator>(below(20));
        Type type = static_cast<Type>(1 + below(5));
        if (is_textual(op)) type = Type::string;
        if (is_order(op) && type == Type::bool_) type = Type::string;
        if (op == Operator::not_exists) type = Type::any;
        std::vector<Scalar> values;
        if (op == Operator::like || op == Operator::not_like) {
            values.emplace_back(text("ab%_"));
        } else if (op == Operator::topic || op == Operator::not_topic) {
            values.emplace_back("a" + std::string(below(2) == 0 ? "/*/b" : "/b"));
        } else if (!is_presence(op)) {
            for (std::size_t n = is_set(op) ? 1 + below(3) : 1; n > 0; --n) values.push_back(value(type));
        }
        return make_constraint(name(), type, op, std::move(values));
    }

    // Owns the strings that a MessageView borrows.
    struct Message {
        std::vector<std::pair<std::string, Scalar>> items;
        std::vector<Attribute> attributes;
    };

    Message message() {
        Message message;
        for (const char letter : {'x', 'y', 'z'}) {
            if (below(3) == 0) continue;
            const Type types[] = {Type::string, Type::string, Type::int_, Type::float_, Type::bool_};
            Scalar given = value(types[below(5)]);
            if (below(20) == 0) given = std::numeric_limits<double>::quiet_NaN();
            message.items.emplace_back(std::string(1, letter), std::move(given));
        }
        for (const auto& [name, scalar] : message.items)
            message.attributes.push_back({name, ValueView::of(scalar)});
        return message;
    }

    std::size_t below(std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
    }

    std::string text(std::string_view letters) {
        std::string result;
        for (std::size_t n = below(6); n > 0; --n) result += letters[below(letters.size())];
        return result;
    }

  private:
    std::string name() { return std::string(1, "xyz"[below(3)]); }

    Scalar value(Type type) {
        switch (type) {
            case Type::string: {
                static const std::string awkward[] = {"",    "é",     "aé",   std::string(1, '\0'),
                                                      "a/b", "a/c/b", "a/b/c"};
                return below(4) == 0 ? awkward[below(std::size(awkward))] : text("ab");
            }
            case Type::bool_:
                return below(2) == 0;
            case Type::int_:
                return integer();
            default:
                return type == Type::number && below(2) == 0 ? Scalar(integer()) : Scalar(real());
        }
    }

    std::int64_t integer() {
        constexpr std::int64_t big = 1LL << 53;
        static const std::int64_t values[] = {
            -1, 0, 1, 2, big - 1, big, big + 1, INT64_MAX, INT64_MAX - 1, INT64_MIN};
        return values[below(std::size(values))];
    }

    double real() {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        static const double values[] = {
            -1, -0.0, 0.0, 0.5, 1, 9007199254740992.0, 9223372036854775808.0, infinity, -infinity};
        return values[below(std::size(values))];
    }

    std::mt19937_64 random_;
};

}  // namespace penstock
