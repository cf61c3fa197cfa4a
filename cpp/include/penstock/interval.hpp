// Sets of values as sorted, disjoint, half-open intervals [from, to).
//
// Where every value has a next one, finite unions of intervals are closed under intersection and complement,
// so that containment of two such sets can be decided exactly. Used by covering.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace penstock {

// A place between values: in front of *cut, or, when there is no such value, behind everything.
template <typename T>
using Cut = std::optional<T>;

template <typename T>
bool before(const Cut<T>& a, const Cut<T>& b) {
    return a.has_value() && (!b.has_value() || *a < *b);
}

template <typename T>
struct Interval {
    T from;
    Cut<T> to;
};

template <typename T>
class IntervalSet {
  public:
    using const_iterator = typename std::vector<Interval<T>>::const_iterator;

    IntervalSet() = default;
    IntervalSet(const Cut<T>& from, const Cut<T>& to) { append(from, to); }

    // Adds [from, to), which may be empty and must not start before the end of the set; neighbours melt
    // together, so that one value more or less never hides in a seam.
    void append(const Cut<T>& from, const Cut<T>& to) {
        if (!before(from, to)) return;
        if (!intervals_.empty() && intervals_.back().to == from) {
            intervals_.back().to = to;
        } else {
            intervals_.push_back({*from, to});
        }
    }

    bool empty() const { return intervals_.empty(); }
    std::size_t size() const { return intervals_.size(); }
    const_iterator begin() const { return intervals_.begin(); }
    const_iterator end() const { return intervals_.end(); }

    // All values from `least` on that are not in the set.
    IntervalSet complement(const T& least) const {
        IntervalSet result;
        Cut<T> from = least;
        for (const Interval<T>& interval : intervals_) {
            result.append(from, interval.from);
            from = interval.to;
        }
        result.append(from, std::nullopt);
        return result;
    }

    friend IntervalSet intersect(const IntervalSet& a, const IntervalSet& b) {
        IntervalSet result;
        auto x = a.begin();
        auto y = b.begin();
        while (x != a.end() && y != b.end()) {
            const T& from = x->from < y->from ? y->from : x->from;
            const bool x_ends_first = before(x->to, y->to);
            result.append(from, x_ends_first ? x->to : y->to);
            x_ends_first ? ++x : ++y;
        }
        return result;
    }

  private:
    std::vector<Interval<T>> intervals_;
};

}  // namespace penstock
