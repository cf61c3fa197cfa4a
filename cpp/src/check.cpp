#include "penstock/check.hpp"

namespace penstock {

namespace {

constexpr std::uint32_t no_hash = 512;
constexpr std::uint16_t no_byte = 512;

std::uint32_t accepted_types(Type type) {
    switch (type) {
        case Type::any:
            return 511;
        case Type::number:
            return Check::type_bit(Type::int_) | Check::type_bit(Type::float_);
        default:
            return Check::type_bit(type);
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
    return {Kind::present, name, accepted_types(constraint.type)};
}

Features::Features(const ValueView& value)
    : type(Check::type_bit(value.type)),
      hash(no_hash),
      size(0),
      first(no_byte),
      last(no_byte),
      has_size(false) {
    switch (value.type) {
        case Type::string:
            hash = Check::hash(value.text);
            has_size = true;
            size = Check::size_of(value.text);
            if (value.text.empty()) break;
            first = static_cast<std::uint8_t>(value.text.front());
            last = static_cast<std::uint16_t>(256U | static_cast<std::uint8_t>(value.text.back()));
            break;
        case Type::bool_:
            hash = value.boolean ? 1 : 0;
            break;
        default:
            if (value.is_nan()) break;
            has_size = true;
            hash = Check::hash(value.number());
            size = Check::size_of(value.number());
    }
}

}  // namespace penstock
