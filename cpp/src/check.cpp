#include "penstock/check.hpp"

namespace penstock {

namespace {

constexpr std::uint16_t all_codes = 512;

// Types in such an order that those which accept an int, or a float, lie together, but for `any`.
std::uint32_t type_code(Type asked) {
    switch (asked) {
        case Type::int_:
            return 0;
        case Type::number:
            return 1;
        case Type::float_:
            return 2;
        case Type::string:
            return 3;
        case Type::bool_:
            return 4;
        default:
            return 5;
    }
}

}  // namespace

Check Check::of(const StoredConstraint& constraint, const ValueStore& values) {
    const NameId name = constraint.name;
    if (name > max_name) return {Kind::none, 0, 0};
    const auto text = [&] { return values.text(constraint.value); };
    const auto number = [&] { return values.number(constraint.value); };
    const auto letter = [](char byte, bool last) {
        return static_cast<std::uint32_t>(static_cast<std::uint8_t>(byte)) | (last ? 256U : 0U);
    };
    switch (constraint.op) {
        case Operator::not_exists:
            return {Kind::absent, name, 0};
        case Operator::eq:
            if (constraint.type == Type::bool_) return {Kind::equal, name, constraint.value};
            return {Kind::equal, name, constraint.type == Type::string ? hash(text()) : hash(number())};
        case Operator::lt:
        case Operator::le:
            return {Kind::below, name, constraint.type == Type::string ? size_of(text()) : size_of(number())};
        case Operator::gt:
        case Operator::ge:
            return {Kind::above, name, constraint.type == Type::string ? size_of(text()) : size_of(number())};
        case Operator::prefix:
            if (!text().empty()) return {Kind::letter, name, letter(text().front(), false)};
            break;
        case Operator::suffix:
            if (!text().empty()) return {Kind::letter, name, letter(text().back(), true)};
            break;
        default:
            break;
    }
    return {Kind::present, name, type_code(constraint.type)};
}

Acceptance::Acceptance() {
    of(Check::Kind::none).count = all_codes;
    of(Check::Kind::absent).count = all_codes;
}

Acceptance::Acceptance(const ValueView& value) {
    of(Check::Kind::none).count = all_codes;
    const bool is_number = value.type == Type::int_ || value.type == Type::float_;
    const Type first = value.type == Type::float_ ? Type::number : value.type;
    of(Check::Kind::present) = {static_cast<std::uint16_t>(type_code(first)),
                                static_cast<std::uint16_t>(is_number ? 2 : 1),
                                static_cast<std::uint16_t>(type_code(Type::any))};
    if (value.is_nan()) return;
    const auto set_size = [&](std::uint32_t size) {
        of(Check::Kind::below) = {static_cast<std::uint16_t>(size),
                                  static_cast<std::uint16_t>(all_codes - size), all_codes};
        of(Check::Kind::above) = {0, static_cast<std::uint16_t>(size + 1), all_codes};
    };
    if (value.type == Type::bool_) {
        of(Check::Kind::equal).other = value.boolean ? 1 : 0;
    } else if (is_number) {
        of(Check::Kind::equal).other = static_cast<std::uint16_t>(Check::hash(value.number()));
        set_size(Check::size_of(value.number()));
    } else {
        of(Check::Kind::equal).other = static_cast<std::uint16_t>(Check::hash(value.text));
        set_size(Check::size_of(value.text));
        if (value.text.empty()) return;
        const auto byte = [](char c) { return static_cast<std::uint16_t>(static_cast<std::uint8_t>(c)); };
        of(Check::Kind::letter) = {byte(value.text.front()), 1,
                                   static_cast<std::uint16_t>(256U | byte(value.text.back()))};
    }
}

}  // namespace penstock
