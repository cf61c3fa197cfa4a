#include "penstock/constraint_index.hpp"

namespace penstock {

namespace {

auto name_text(const KeyTable& keys) {
    return [&keys](std::uint32_t name) { return keys.at(name); };
}

}  // namespace

std::uint32_t ConstraintIndex::find(std::string_view name) const {
    return trie_.find(root_, name, name_text(keys_));
}

void ConstraintIndex::match(std::uint32_t at, const ValueView& value, Answer& answer) const {
    const Name& name = names_[at];
    for (std::uint32_t i = name.presence; i < name.presence_end; ++i) {
        const Presence& presence = presences_[i];
        if (accepts(presence.type, value.type)) answer.add(presence.number, presence.number + 1);
    }
    if (value.is_nan()) return;
    switch (value.type) {
        case Type::string:
            if (name.string != none) strings_.match(name.string, value.text, answer);
            break;
        case Type::bool_:
            if (name.boolean != none) {
                const Boolean& family = booleans_[name.boolean];
                const std::uint32_t end = value.boolean ? family.end : family.yes;
                for (std::uint32_t i = value.boolean ? family.yes : family.no; i < end; ++i) {
                    answer.add(boolean_hits_[i], boolean_hits_[i] + 1);
                }
            }
            break;
        default: {
            const Number number = value.number();
            const std::uint32_t strict = name.numeric[value.type == Type::int_ ? 1 : 2];
            if (name.numeric[0] != none) numbers_.match(name.numeric[0], number, answer);
            if (strict != none) numbers_.match(strict, number, answer);
        }
    }
}

ConstraintIndex::Bytes ConstraintIndex::bytes() const {
    return {
        .names = keys_.bytes() + trie_.bytes() + names_.capacity() * sizeof(Name),
        .numbers = numbers_.bytes(),
        .strings = strings_.bytes(),
        .other = booleans_.capacity() * sizeof(Boolean) + boolean_hits_.capacity() * sizeof(std::uint32_t) +
                 presences_.capacity() * sizeof(Presence),
    };
}

}  // namespace penstock
