#include "penstock/likelihood.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "penstock/entry.hpp"

namespace penstock {

namespace {

// Of a pattern that long; beyond three bytes each makes it somewhat rarer.
double by_length(std::size_t length, double one, double two, double three) {
    if (length == 0) return 0.99;
    if (length <= 2) return length == 1 ? one : two;
    return three * std::exp2(-0.5 * static_cast<double>(std::min<std::size_t>(length - 3, 12)));
}

}  // namespace

void Likelihood::note(const StoredConstraint& constraint) {
    if (constraint.op != Operator::eq || constraint.type == Type::bool_) return;
    if (asked_.size() <= constraint.name) asked_.resize(constraint.name + 1);
    const std::uint64_t hash = mix(constraint.value, constraint.name);
    asked_[constraint.name][kind_of(constraint)] |= std::uint64_t{1} << (hash >> 58U);
}

// Where values are asked for again and again, and not too many are, those are all that there are. (Keys tell
// less: filters stand under other names, just because these have few values.)
double Likelihood::different_values(const StoredConstraint& constraint, const FilterStore& filters,
                                    const Known& known) const {
    constexpr std::uint32_t enough = 8;  // keys to go by
    constexpr int most = 56;             // bits of 64 that tell a number
    const double by_keys = known.values < enough ? 127 : known.values;
    if (constraint.name >= asked_.size()) return by_keys;
    const int bits = std::popcount(asked_[constraint.name][kind_of(constraint)]);
    if (bits == 0 || bits > most) return by_keys;
    const double values = -64 * std::log1p(-bits / 64.0);
    const bool repeats = 4 * values <= filters.names().references(constraint.name);
    return repeats ? std::max<double>(values, known.values) : by_keys;
}

// Of a pattern whose length says that much: those that few filters ask for are rarer in texts, too, and short
// ones that many ask for are more common.
double Likelihood::as_asked_for(const StoredConstraint& pattern, double by_length,
                                const FilterStore& filters) {
    constexpr std::uint32_t enough = 64;  // constraints to go by
    constexpr double of_text = 64;        // places in a text where a pattern may lie
    const std::uint32_t all = filters.names().references(pattern.name);
    if (all < enough) return by_length;
    const double share = static_cast<double>(filters.values().strings().references(pattern.value)) / all;
    const double most = filters.values().text(pattern.value).size() > 2 ? by_length : 0.99;
    return std::sqrt(by_length * std::clamp(1 - std::exp(-of_text * share), 0.001, most));
}

// How often the operator holds for a value of the right type.
double Likelihood::usual(const StoredConstraint& constraint, const FilterStore& filters,
                         const Known& known) const {
    const ValueStore& values = filters.values();
    const double equal = 1.0 / (different_values(constraint, filters, known) + 1);
    const auto length = [&] { return values.text(constraint.value).size(); };
    switch (constraint.op) {
        case Operator::eq:
            return constraint.type == Type::bool_ ? 0.5 : equal;
        case Operator::in:
            return std::min(0.5, equal * constraint.set.size());
        case Operator::lt:
        case Operator::le:
        case Operator::gt:
        case Operator::ge:
            return std::clamp(known.fitting, 0.02, 0.98) * 0.8;
        case Operator::prefix:
        case Operator::suffix:
            return by_length(length(), 0.06, 0.02, 0.01);
        case Operator::substring:
            return as_asked_for(constraint, by_length(length(), 0.4, 0.1, 0.02), filters);
        case Operator::like:
        case Operator::topic:
            return by_length(anchor_of(constraint, values).text.size(), 0.4, 0.1, 0.02);
        case Operator::exists:
            return 1.0;
        default:
            return 0.97;
    }
}

std::uint64_t Likelihood::next_random() {
    random_ = mix(random_, messages_);
    return random_;
}

void Likelihood::observe(MessageView message, const FilterStore& filters) {
    if (samples_.size() < filters.names().bound())
        samples_.resize(filters.names().bound(), {.before = messages_, .seen = 0, .values = {}});
    ++messages_;
    for (const Attribute& attribute : message) {
        const NameId name = filters.names().find(attribute.name);
        if (name == StringPool::none) continue;
        Sample& sample = samples_[name];
        ++sample.seen;
        // Every value has the same chance to stay.
        if (sample.values.size() < sample_size) {
            sample.values.push_back(copy_of(attribute.value));
        } else if (const std::uint64_t at = next_random() % sample.seen; at < sample_size) {
            sample.values[at] = copy_of(attribute.value);
        }
    }
}

// Of a name that filters ask for in this way. That few do does not make it rare in messages where they take
// what they get: `EXISTS price` says less than `price = 17`.
double Likelihood::presence(NameId name, const FilterStore& filters, double fits) const {
    const double share = (filters.names().references(name) + 0.5) / (static_cast<double>(filters.size()) + 1);
    const double guess = std::clamp(share, fits > 0.9 ? 0.1 : 0.0, 1.0);
    if (name >= samples_.size()) return guess;
    constexpr double weight = 16;  // of the guess, in messages
    const Sample& sample = samples_[name];
    return (static_cast<double>(sample.seen) + guess * weight) /
           (static_cast<double>(messages_ - sample.before) + weight);
}

double Likelihood::of(const StoredConstraint& constraint, const FilterStore& filters, const KeyIndex& keys,
                      const Known& known) const {
    double fits = usual(constraint, filters, known);
    if (constraint.op == Operator::eq || constraint.op == Operator::prefix ||
        constraint.op == Operator::suffix) {
        // What many filters ask for is likely to be sent often, too.
        const std::size_t asked = keys.count(equality_key(constraint));
        const double share = static_cast<double>(asked) / filters.names().references(constraint.name);
        if (asked >= 64) fits = std::max(fits, std::min(share, 1.0));  // who share a filter count each
    }
    const StoredConstraint* const all[] = {&constraint};
    return presence(constraint.name, filters, fits) * refine(fits, constraint.name, filters, all);
}

double Likelihood::of_interval(const StoredConstraint& lower, const StoredConstraint& upper, double width,
                               const FilterStore& filters) const {
    const StoredConstraint* const all[] = {&lower, &upper};
    // Values have some exponents more often than others, and cells are wider than what lies in them.
    const double usual = std::min(width, 0.4);
    return presence(lower.name, filters) * refine(usual, lower.name, filters, all);
}

// What is usual, as far as the values seen under that name bear it out.
double Likelihood::refine(double usual, NameId name, const FilterStore& filters,
                          std::span<const StoredConstraint* const> constraints) const {
    if (name >= samples_.size()) return usual;
    const Sample& sample = samples_[name];
    std::size_t held = 0;
    for (const Scalar& scalar : sample.values) {
        const ValueView view = ValueView::of(scalar);
        KnownValue value(view);
        value.find_code(filters.values());
        held += std::ranges::all_of(constraints,
                                    [&](const StoredConstraint* constraint) {
                                        return holds(*constraint, &value, filters.values());
                                    })
                    ? 1
                    : 0;
    }
    constexpr double weight = 4;  // of what is usual, in values
    return (static_cast<double>(held) + usual * weight) /
           (static_cast<double>(sample.values.size()) + weight);
}

double Likelihood::of_check(const StoredConstraint& constraint, double holds,
                            const FilterStore& filters) const {
    const double present = presence(constraint.name, filters);
    switch (constraint.op) {
        case Operator::not_exists:
            return 1 - present;
        case Operator::eq:
            return holds + present / Check::codes;
        case Operator::prefix:
        case Operator::suffix:
            // Of most, only a part is checked, which others may have in common.
            return std::max(holds, present * 0.02);
        case Operator::ne:
        case Operator::lt:
        case Operator::le:
        case Operator::gt:
        case Operator::ge:
            return holds;
        case Operator::substring:
            return std::max(holds, present * 0.05);
        default:
            return present;
    }
}

std::size_t Likelihood::bytes() const {
    std::size_t total = samples_.capacity() * sizeof(Sample) + asked_.capacity() * sizeof(Asked);
    for (const Sample& sample : samples_) {
        total += sample.values.capacity() * sizeof(Scalar);
        for (const Scalar& value : sample.values) {
            const auto* text = std::get_if<std::string>(&value);
            if (text != nullptr && text->capacity() > std::string().capacity()) total += text->capacity() + 1;
        }
    }
    return total;
}

}  // namespace penstock
