// What is known of values before messages are matched: what was found for them lately, and codes of strings.
#include <algorithm>
#include <array>

#include "penstock/access_scratch.hpp"

namespace penstock {

void AccessEngine::renew(Scratch& scratch) const {
    try {
        scratch.memo_.follow(version(), catalogue_.filters().names().bound());
    } catch (...) {  // memory ran out halfway
        scratch = Scratch();
        throw;
    }
}

bool AccessEngine::can_resolve(NameId name, Type type) const {
    return is_worth_remembering(about(name)) ||
           (type == Type::string && (about(name).kinds & code_bits) != 0);
}

// Long strings are remembered by their codes.
void AccessEngine::resolve(NameId name, std::span<ValueView* const> values, Scratch& scratch) const {
    const bool remembers = is_worth_remembering(about(name));
    if (remembers) scratch.memo_.recall(name, values);
    if (values.empty() || values[0]->type != Type::string) return;
    std::array<ValueView*, ValueMemo::most_at_once> unknown;
    std::size_t count = 0;
    for (ValueView* const value : values) {
        unknown[count] = value;
        count += value->findings == nullptr && value->coding == ValueView::Coding::unknown ? 1 : 0;
    }
    catalogue_.filters().values().find_codes({unknown.data(), count});
    if (!remembers) return;
    const auto is_short = [](const ValueView* value) { return !ValueSubject::needs_code(*value); };
    const auto others = std::ranges::remove_if(unknown.begin(), unknown.begin() + count, is_short);
    scratch.memo_.recall(name, {unknown.begin(), others.begin()});
}

}  // namespace penstock
