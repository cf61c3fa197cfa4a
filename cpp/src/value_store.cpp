#include "penstock/value_store.hpp"

#include <algorithm>
#include <array>

namespace penstock {

ValueCode ValueStore::acquire(const Scalar& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return strings_.acquire(*text);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
    return numbers_.acquire(ValueView::of(value));
}

void ValueStore::release(Type type, ValueCode code) {
    if (type == Type::string) strings_.release(code);
    if (is_numeric(type)) numbers_.release(code);
}

std::optional<ValueCode> ValueStore::find(const ValueView& value) const {
    switch (value.type) {
        case Type::string: {
            const StringPool::Id id = strings_.find(value.text);
            return id == StringPool::none ? std::nullopt : std::optional(id);
        }
        case Type::bool_:
            return value.boolean ? 1 : 0;
        default:
            return value.is_nan() ? std::nullopt : numbers_.find(value);
    }
}

void ValueStore::find_codes(std::span<ValueView* const> texts) const {
    constexpr std::size_t most = StringPool::most_at_once;
    std::array<std::string_view, most> sought;
    std::array<StringPool::Id, most> ids;
    for (; !texts.empty(); texts = texts.subspan(std::min(most, texts.size()))) {
        const std::size_t count = std::min(most, texts.size());
        for (std::size_t i = 0; i < count; ++i) sought[i] = texts[i]->text;
        strings_.find({sought.data(), count}, {ids.data(), count});
        for (std::size_t i = 0; i < count; ++i) {
            texts[i]->coding =
                ids[i] == StringPool::none ? ValueView::Coding::none : ValueView::Coding::known;
            texts[i]->code = ids[i];
        }
    }
}

Scalar ValueStore::scalar(Type type, ValueCode code) const {
    switch (type) {
        case Type::string:
            return std::string(strings_.at(code));
        case Type::bool_:
            return code != 0;
        case Type::float_:
            return numbers_.at(code).rounded;
        default:
            return numbers_.scalar(code);
    }
}

}  // namespace penstock
