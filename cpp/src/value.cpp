// Scalars: their type, their place on the axis of numbers, their total order.
#include "penstock/value.hpp"

namespace penstock {

namespace {

// Values of different rank are never equal: bool < number < string.
int rank(const Scalar& scalar) {
    switch (type_of(scalar)) {
        case Type::bool_:
            return 0;
        case Type::string:
            return 2;
        default:
            return 1;
    }
}

template <typename T>
int three_way(const T& a, const T& b) {
    if (a < b) return -1;
    return b < a ? 1 : 0;
}

}  // namespace

Type type_of(const Scalar& scalar) {
    // In the order of the alternatives.
    static constexpr Type types[] = {Type::bool_, Type::int_, Type::float_, Type::string};
    return types[scalar.index()];
}

Number number_of(const Scalar& scalar) {
    if (const auto* integer = std::get_if<std::int64_t>(&scalar)) return Number::from_int(*integer);
    return Number::from_double(std::get<double>(scalar));
}

int compare(const Scalar& a, const Scalar& b) {
    const int rank_a = rank(a);
    const int rank_b = rank(b);
    if (rank_a != rank_b) return rank_a < rank_b ? -1 : 1;
    if (rank_a == 0) return three_way(std::get<bool>(a), std::get<bool>(b));
    if (rank_a == 1) return three_way(number_of(a), number_of(b));
    return three_way(std::get<std::string>(a), std::get<std::string>(b));
}

ValueView ValueView::of(const Scalar& scalar) {
    return std::visit(
        [](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
                return of(std::string_view(value));
            } else {
                return of(value);
            }
        },
        scalar);
}

Scalar copy_of(const ValueView& value) {
    switch (value.type) {
        case Type::string:
            return std::string(value.text);
        case Type::int_:
            return value.integer;
        case Type::float_:
            return value.real;
        default:
            return value.boolean;
    }
}

}  // namespace penstock
