// Which filters go on sheets, and when.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "penstock/access.hpp"

namespace penstock {

namespace {

// What a filter asks of an axis: the tightest of its bounds, and the values in between that it does not want.
class OnAxis {
  public:
    static constexpr std::ptrdiff_t most_exclusions = (Turns::most - 2) / 2;

    SheetIndex::Axis axis = 0;

    // The value's places: behind the first it is reached, behind the last it is passed.
    void add(Operator op, const AxisKey& first, const AxisKey& last) {
        switch (op) {
            case Operator::ne:
                exclusions_[count_++] = {first, last};
                return;
            case Operator::eq:
                raise_lower(first);
                return lower_upper(last);
            case Operator::lt:
                return lower_upper(first);
            case Operator::le:
                return lower_upper(last);
            case Operator::ge:
                return raise_lower(first);
            default:
                return raise_lower(last);
        }
    }
    SheetIndex::Condition condition() {
        Turns turns;
        if (lower_ && upper_ && !is_before(*lower_, *upper_)) return {axis, turns};
        turns.starts_satisfied = !lower_;
        if (lower_) turns.add(lower_->brief);
        for (const Exclusion& exclusion : std::span(exclusions_).first(count_)) {
            if ((lower_ && is_before(exclusion.first, *lower_)) ||
                (upper_ && is_before(*upper_, exclusion.last)))
                continue;
            turns.add(exclusion.first.brief);
            turns.add(exclusion.last.brief);
        }
        if (upper_) turns.add(upper_->brief);
        return {axis, turns};
    }

  private:
    struct Exclusion {
        AxisKey first, last;
    };
    static bool is_before(const AxisKey& a, const AxisKey& b) {
        return a.major != b.major ? a.major < b.major : a.minor < b.minor;
    }
    void raise_lower(const AxisKey& key) {
        if (!lower_ || is_before(*lower_, key)) lower_ = key;
    }
    void lower_upper(const AxisKey& key) {
        if (!upper_ || is_before(key, *upper_)) upper_ = key;
    }

    std::optional<AxisKey> lower_, upper_;
    std::array<Exclusion, most_exclusions> exclusions_{};
    std::size_t count_ = 0;
};

// What it takes to look at a candidate of the index once, in thousandths; to read a filter takes ten times as
// much, and a filter on a sheet an eleventh, whether or not it matches.
constexpr double look = 1000;
constexpr double reading = 10 * look;
constexpr std::uint32_t of_sheet = 90;
constexpr std::uint64_t of_empty_sheet = 80'000;

}  // namespace

// What a sheet can tell, on several axes. Precondition: the filter has been read.
bool AccessEngine::suits_sheets() const {
    struct Asked {
        SheetIndex::Axis axis = 0;
        std::size_t exclusions = 0;
    };
    std::array<Asked, SheetIndex::most_conditions> axes{};
    std::size_t size = 0;
    for (const StoredConstraint& constraint : constraints_) {
        const Operator op = constraint.op;
        const bool is_told = op == Operator::eq || op == Operator::ne
                                 ? is_numeric(constraint.type) || constraint.value < no_code
                                 : is_order(op) && is_numeric(constraint.type);
        if (!is_told) return false;
        const SheetIndex::Axis axis = sheet_axis(constraint.name, constraint.type);
        const auto known = std::span(axes).first(size);
        auto asked = std::ranges::find(known, axis, &Asked::axis);
        if (asked == known.end()) {
            if (size == axes.size()) return false;
            asked->axis = axis;
            ++size;
        }
        if (op == Operator::ne && ++asked->exclusions > OnAxis::most_exclusions) return false;
    }
    return size > 1;
}

// A name that few filters ask for would take a place of its own on every sheet.
bool AccessEngine::is_common(NameId name) const {
    constexpr std::size_t least = 128;
    constexpr std::size_t share = 64;
    const FilterStore& filters = catalogue_.filters();
    return filters.names().references(name) >= std::max(least, filters.size() / share);
}

// What the filter adds to a match where it was chosen to stand: a look whenever its access holds, and a
// reading if its checks hold, too, unless they are all that is left.
std::uint32_t AccessEngine::effort() const {
    constexpr std::size_t checks = 3;
    if (constraints_.size() <= checks + 1) return static_cast<std::uint32_t>(least_ * look);
    // What is least likely: about the access and its checks.
    std::array<double, checks + 1> best{1, 1, 1, 1};
    for (double next : likelihoods_) {
        for (double& each : best) {
            if (next < each) std::swap(next, each);
        }
    }
    return static_cast<std::uint32_t>(least_ * (look + reading * best[1] * best[2] * best[3]));
}

// So that a sheet is the better place for it. Precondition: the filter has been chosen for.
bool AccessEngine::is_wide() const {
    const auto is_on_common = [&](const StoredConstraint& constraint) { return is_common(constraint.name); };
    return suits_sheets() && effort() > of_sheet && std::ranges::all_of(constraints_, is_on_common);
}

bool AccessEngine::are_sheets_worthwhile() const {
    return sheets_.size() > 0 || wide_effort_ > of_empty_sheet;
}

// The only interface, or none where there are several.
Owner AccessEngine::sole_owner(FilterId filter) const {
    const Owner owner = catalogue_.filters().owner(filter);
    const std::span<const InterfaceId> members = catalogue_.groups().members(owner);
    return members.size() == 1 ? members[0] : no_owner;
}

// What a wide filter asks of each axis. Precondition: it has been read.
std::span<const SheetIndex::Condition> AccessEngine::conditions() {
    std::array<OnAxis, SheetIndex::most_conditions> axes{};
    std::size_t size = 0;
    for (const StoredConstraint& constraint : constraints_) {
        const SheetIndex::Axis axis = sheet_axis(constraint.name, constraint.type);
        const auto known = std::span(axes).first(size);
        const auto on_axis = std::ranges::find(known, axis, &OnAxis::axis);
        if (on_axis == known.end()) axes[size++].axis = axis;
        if (is_numeric(constraint.type)) {
            const Number number = catalogue_.filters().values().number(constraint.value);
            on_axis->add(constraint.op, AxisKey::of(number, false), AxisKey::of(number, true));
        } else {
            on_axis->add(constraint.op, key_of(constraint.value, false), key_of(constraint.value, true));
        }
    }
    for (std::size_t i = 0; i < size; ++i) conditions_[i] = axes[i].condition();
    // The name that most filters ask for leads: sheets are full then.
    const auto all = std::span(conditions_).first(size);
    const auto references = [&](const SheetIndex::Condition& condition) {
        return catalogue_.filters().names().references(name_of(condition.axis));
    };
    std::swap(all.front(), *std::ranges::max_element(all, {}, references));
    return all;
}

// Precondition: it has been chosen for, and there is room.
void AccessEngine::note_as_wide(FilterId filter) {
    wide_.push_back({filter, effort()});
    wide_effort_ += wide_.back().effort;
}

// If it is known. Precondition: it has been read.
void AccessEngine::forget_as_wide(FilterId filter) noexcept {
    if (wide_.empty() || !suits_sheets()) return;
    Wide* const found = std::ranges::find(wide_, filter, &Wide::filter);
    if (found == wide_.end()) return;
    wide_effort_ -= found->effort;
    *found = wide_.back();
    wide_.pop_back();
}

void AccessEngine::take_from_sheet(FilterId filter) noexcept {
    std::optional<FilterId> straggler = sheets_.remove(filter, conditions());
    try {
        if (!straggler) return;
        read(*straggler);
        sheets_.move(*straggler, conditions());
    } catch (...) {  // then it stays where it is
    }
    read(filter);
}

// A few of those that were there before sheets were worthwhile, so that no change takes long; or all of them.
void AccessEngine::gather(std::size_t most) noexcept {
    try {
        for (std::size_t i = 0; i < most && !wide_.empty() && are_sheets_worthwhile(); ++i) {
            const FilterId filter = wide_.back().filter;
            read(filter);
            move(filter, on_sheet, {});
            forget_as_wide(filter);
        }
    } catch (...) {  // then they stay where they are
    }
}

}  // namespace penstock
