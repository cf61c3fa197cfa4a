// Which filters go on sheets, and when.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "penstock/access.hpp"

namespace penstock {

namespace {

// What it takes to look at a candidate of the index once, in thousandths; to read a filter takes ten times as
// much, and a filter on a sheet an eleventh, whether or not it matches.
constexpr double look = 1000;
constexpr double reading = 10 * look;
constexpr std::uint32_t of_sheet = 90;
constexpr std::uint64_t of_empty_sheet = 80'000;

}  // namespace

// On several axes of numbers. Precondition: the filter has been read.
bool AccessEngine::has_only_bounds() const {
    std::size_t axes = 0;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
        const StoredConstraint& constraint = constraints_[i];
        if (!is_order(constraint.op) || !is_numeric(constraint.type)) return false;
        const auto is_on_axis = [&](const StoredConstraint& other) {
            return other.name == constraint.name && other.type == constraint.type;
        };
        if (std::ranges::none_of(std::span(constraints_).first(i), is_on_axis)) ++axes;
    }
    return axes > 1 && axes <= SheetIndex::most_conditions;
}

// What the filter adds to a match where it was chosen to stand: a look whenever its access holds, and a
// reading if its checks hold, too, unless they are all that is left.
std::uint32_t AccessEngine::effort() const {
    constexpr std::size_t checks = 3;
    if (constraints_.size() <= checks + 1) return static_cast<std::uint32_t>(least_ * look);
    std::array<double, checks + 1> best{1, 1, 1,
                                        1};  // what is least likely: about the access and three checks
    for (double next : likelihoods_) {
        for (double& each : best) {
            if (next < each) std::swap(next, each);
        }
    }
    return static_cast<std::uint32_t>(least_ * (look + reading * best[1] * best[2] * best[3]));
}

// So that a sheet is the better place for it. Precondition: the filter has been chosen for.
bool AccessEngine::is_wide() const {
    return has_only_bounds() && effort() > of_sheet;
}

bool AccessEngine::are_sheets_worthwhile() const {
    return sheets_.size() > 0 || wide_effort_ > of_empty_sheet;
}

namespace {

// The tightest bounds on an axis.
struct Tightest {
    SheetIndex::Axis axis = 0;
    std::optional<AxisKey> lower, upper;

    static bool is_before(const AxisKey& a, const AxisKey& b) {
        return a.major != b.major ? a.major < b.major : a.minor < b.minor;
    }
    void add(AxisIndex::Side side, const AxisKey& key) {
        if (side == AxisIndex::Side::lower) {
            if (!lower || is_before(*lower, key)) lower = key;
        } else {
            if (!upper || is_before(key, *upper)) upper = key;
        }
    }
    SheetIndex::Condition condition() const {
        const auto brief = [](const std::optional<AxisKey>& key) {
            return key ? std::optional(key->brief) : std::nullopt;
        };
        return {axis, {brief(lower), brief(upper)}, !lower || !upper || is_before(*lower, *upper)};
    }
};

}  // namespace

// What a wide filter asks of each axis. Precondition: it has been read.
std::span<const SheetIndex::Condition> AccessEngine::conditions() {
    std::array<Tightest, SheetIndex::most_conditions> axes{};
    std::size_t size = 0;
    for (const StoredConstraint& constraint : constraints_) {
        const SheetIndex::Axis axis = sheet_axis(constraint.name, axis_kind(constraint.type));
        auto* const end = axes.begin() + size;
        auto* const found =
            std::find_if(axes.begin(), end, [&](const Tightest& each) { return each.axis == axis; });
        if (found == end) axes[size++].axis = axis;
        found->add(side_of(constraint.op), point_of(constraint, catalogue_.filters().values()).key());
    }
    for (std::size_t i = 0; i < size; ++i) conditions_[i] = axes[i].condition();
    return {conditions_.data(), size};
}

// Precondition: it has been chosen for, and there is room.
void AccessEngine::note_as_wide(FilterId filter) {
    wide_.push_back({filter, effort()});
    wide_effort_ += wide_.back().effort;
}

// If it is known. Precondition: it has been read.
void AccessEngine::forget_as_wide(FilterId filter) noexcept {
    if (wide_.empty() || !has_only_bounds()) return;
    Wide* const found = std::ranges::find(wide_, filter, &Wide::filter);
    if (found == wide_.end()) return;
    wide_effort_ -= found->effort;
    *found = wide_.back();
    wide_.pop_back();
}

// A few of those that were there before sheets were worthwhile, so that no change takes long.
void AccessEngine::gather() noexcept {
    constexpr int at_once = 2;
    try {
        for (int i = 0; i < at_once && !wide_.empty(); ++i) {
            const FilterId filter = wide_.back().filter;
            read(filter);
            move(filter, on_sheet, {});
            forget_as_wide(filter);
        }
    } catch (...) {  // then they stay where they are
    }
}

}  // namespace penstock
