#include "penstock/check.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "penstock/text_ends.hpp"

namespace penstock {

namespace {

// Types in such an order that those which accept an int, or a float, lie together.
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
        default:
            return 4;
    }
}

Check::Kind kind_of(Check::Kind first, Type type) {
    return static_cast<Check::Kind>(static_cast<std::uint32_t>(first) + type_code(type));
}

// The ends of a string: the first or the last 1, 2, 4, 8 or 16 bytes.
constexpr std::size_t start_levels = 5;
constexpr std::size_t end_levels = 4;

template <class Word>
std::uint64_t load(const char* bytes) {
    Word word = 0;
    std::memcpy(&word, bytes, sizeof(Word));
    return word;
}
std::uint16_t hash_of_bytes(const char* bytes, std::size_t level) {
    std::uint64_t words[2] = {};
    switch (level) {
        case 0:
            words[0] = load<std::uint8_t>(bytes);
            break;
        case 1:
            words[0] = load<std::uint16_t>(bytes);
            break;
        case 2:
            words[0] = load<std::uint32_t>(bytes);
            break;
        case 3:
            words[0] = load<std::uint64_t>(bytes);
            break;
        default:
            words[0] = load<std::uint64_t>(bytes);
            words[1] = load<std::uint64_t>(bytes + 8);
    }
    return static_cast<std::uint16_t>(mix(words[0], words[1]) >> 53U);
}
std::uint16_t hash_of_start(std::string_view text, std::size_t level) {
    return hash_of_bytes(text.data(), level);
}
std::uint16_t hash_of_end(std::string_view text, std::size_t level) {
    return hash_of_bytes(text.data() + text.size() - (std::size_t{1} << level), level);
}
// The longest that the text has. Precondition: it is not empty.
std::size_t level_of(std::string_view text, std::size_t levels) {
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(text.size())), levels) - 1;
}
Check::Kind at_level(Check::Kind first, std::size_t level) {
    return static_cast<Check::Kind>(static_cast<std::size_t>(first) + level);
}

std::uint32_t first_gram(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
    if (text.size() == 1) return Check::gram(byte(0));
    return text.size() == 2 ? Check::gram(byte(0), byte(1)) : Check::gram(byte(0), byte(1), byte(2));
}

}  // namespace

// Of up to sixteen bytes and the length: cheap, and the same in every process.
std::uint32_t Check::hash(std::string_view text) {
    const TextEnds ends(text);
    return static_cast<std::uint32_t>(mix(ends.head, ends.tail + text.size()) >> 53U);
}

Check Check::of(const StoredConstraint& constraint, const ValueStore& values) {
    const NameId name = constraint.name;
    if (name > max_name) return {};
    const bool is_text = constraint.type == Type::string;
    const auto text = [&] { return values.text(constraint.value); };
    const auto hash_of_value = [&] {
        if (constraint.type == Type::bool_) return std::uint32_t{constraint.value};
        return is_text ? hash(text()) : hash(values.number(constraint.value));
    };
    const auto size = [&] { return is_text ? size_of(text()) : size_of(values.number(constraint.value)); };
    switch (constraint.op) {
        case Operator::not_exists:
            return {Kind::absent, name, 0};
        case Operator::eq:
            return {Kind::equal, name, hash_of_value()};
        case Operator::ne:
            return {kind_of(Kind::differ_int, constraint.type), name, hash_of_value()};
        case Operator::lt:
        case Operator::le:
            return {kind_of(Kind::below_int, constraint.type), name, size()};
        case Operator::gt:
        case Operator::ge:  // the other way round, so that the value's own size comes first here, too
            return {kind_of(Kind::above_int, constraint.type), name, codes - 1 - size()};
        case Operator::prefix:
            if (!text().empty()) {
                const std::size_t level = level_of(text(), start_levels);
                return {at_level(Kind::starts_1, level), name, hash_of_start(text(), level)};
            }
            break;
        case Operator::suffix:
            if (!text().empty()) {
                const std::size_t level = level_of(text(), end_levels);
                return {at_level(Kind::ends_1, level), name, hash_of_end(text(), level)};
            }
            break;
        case Operator::substring:
            if (!text().empty()) return {Kind::gram, name, first_gram(text())};
            break;
        default:
            break;
    }
    if (constraint.type == Type::any) return {Kind::present, name, 0};
    return {Kind::typed, name, type_code(constraint.type)};
}

bool Check::can_tell(const StoredConstraint& constraint, const ValueStore& values) {
    if (constraint.name > max_name) return false;
    switch (constraint.op) {
        case Operator::exists:
            return constraint.type == Type::any;
        case Operator::not_exists:
        case Operator::ne:
        case Operator::lt:
        case Operator::le:
        case Operator::gt:
        case Operator::ge:
            return true;
        case Operator::substring:
            return !values.text(constraint.value).empty() &&
                   first_gram(values.text(constraint.value)) < own_grams;
        default:
            return false;
    }
}

std::uint32_t Check::asked() const {
    const auto is_strict = [this](Kind of_int, Kind of_float) {
        return kind() == of_int || kind() == of_float;
    };
    const std::uint32_t type = is_strict(Kind::differ_int, Kind::differ_float) ||
                                       is_strict(Kind::below_int, Kind::below_float) ||
                                       is_strict(Kind::above_int, Kind::above_float)
                                   ? asks_type
                                   : 0;
    if (kind() <= Kind::typed) return 0;
    if (kind() == Kind::equal || asks_for_another()) return asks_hash | type;
    if (kind() == Kind::gram) return asks_grams;
    return kind() < Kind::gram ? asks_ends : asks_size | type;
}

Acceptance::Acceptance() {
    set(Check::Kind::nothing, Answer::all());
    set(Check::Kind::absent, Answer::all());
}

const Acceptance Acceptance::absent;

Acceptance Acceptance::of_type(Type type) {
    Acceptance acceptance;
    acceptance.type_ = type;
    acceptance.set(Check::Kind::absent, {});
    acceptance.set(Check::Kind::present, Answer::all());
    const std::uint32_t first = type_code(type == Type::float_ ? Type::number : type);
    acceptance.set(Check::Kind::typed, {first, is_numeric(type) ? 2U : 1U});
    return acceptance;
}

const std::array<Acceptance, Acceptance::types> Acceptance::of_types = [] {
    std::array<Acceptance, types> acceptances;
    for (const Type type : {Type::string, Type::int_, Type::float_, Type::bool_})
        acceptances[static_cast<std::size_t>(type)] = of_type(type);
    return acceptances;
}();

void Acceptance::set_sizes(Check::Kind below, std::uint32_t size) {
    const auto above = static_cast<Check::Kind>(static_cast<std::uint8_t>(below) + 4U);
    set(below, {size, Check::codes - size});
    set(above, {Check::codes - 1 - size, size + 1});
}

// A NaN is of its type, but neither equal nor unequal to anything.
void Acceptance::set_number(const ValueView& value, std::uint32_t asked) {
    if (value.is_nan()) {
        *this = of_presence(value);
        return;
    }
    const Number number = value.number();
    const bool by_type = (asked & Check::asks_type) != 0;
    if ((asked & Check::asks_hash) != 0) {
        const std::uint32_t hash = Check::hash(number);
        set_hash(hash, Check::Kind::differ_number);
        if (by_type) set_hash(hash, kind_of(Check::Kind::differ_int, value.type));
    }
    if ((asked & Check::asks_size) != 0) {
        const std::uint32_t size = Check::size_of(number);
        set_sizes(Check::Kind::below_number, size);
        if (by_type) set_sizes(kind_of(Check::Kind::below_int, value.type), size);
    }
}

void Acceptance::set_text(std::string_view text, std::uint32_t asked) {
    if ((asked & Check::asks_hash) != 0) set_hash(Check::hash(text), Check::Kind::differ_string);
    if ((asked & Check::asks_size) != 0) set_sizes(Check::Kind::below_string, Check::size_of(text));
    if ((asked & Check::asks_ends) != 0) set_ends(text);
    set(Check::Kind::gram, text.empty() ? Answer() : Answer::all());
}

void Acceptance::set_ends(std::string_view text) {
    const auto answer = [&](std::size_t level, auto hash_of) {
        return std::size_t{1} << level <= text.size() ? Answer(hash_of(text, level), 1) : Answer();
    };
    for (std::size_t level = 0; level < start_levels; ++level)
        set(at_level(Check::Kind::starts_1, level), answer(level, hash_of_start));
    for (std::size_t level = 0; level < end_levels; ++level)
        set(at_level(Check::Kind::ends_1, level), answer(level, hash_of_end));
}

GramSet::GramSet(std::string_view text) {
    const auto note = [&](std::uint32_t gram) { bits_[gram >> 6U] |= std::uint64_t{1} << (gram & 63U); };
    std::uint8_t first = 0;
    std::uint8_t second = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(text[i]);
        note(Check::gram(byte));
        if (i >= 1) note(Check::gram(second, byte));
        if (i >= 2) note(Check::gram(first, second, byte));
        first = std::exchange(second, byte);
    }
}

}  // namespace penstock
