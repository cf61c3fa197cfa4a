// Intervals of numbers as keys: a narrow interval is found through the one or two cells that it lies in.
//
// The number axis is divided into cells at ten levels, each four times as coarse as the one below; cells are
// of equal width where numbers share an exponent. An interval stands at the first level where a cell is as
// wide as it is; a value looks into one cell of each level that is in use under its name.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "penstock/axis.hpp"
#include "penstock/entry.hpp"
#include "penstock/key_index.hpp"

namespace penstock {

class CellRange {
  public:
    static constexpr unsigned levels = 10;
    static constexpr unsigned finest = 42;  // bits: a thousandth of what one exponent spans

    CellRange(const Number& low, const Number& high)
        : low_(AxisKey::head(low)),
          width_(std::max(low_, AxisKey::head(high)) - low_),
          level_(width_ >> finest == 0 ? 0
                                       : (static_cast<unsigned>(std::bit_width(width_)) - finest + 1) / 2) {}

    bool is_narrow() const { return level_ < levels; }
    unsigned level() const { return level_; }  // precondition for what follows: it is narrow
    // In units of what one exponent spans: from 2 to 3 that is 1/2.
    double width() const {
        return static_cast<double>(width_) / static_cast<double>(std::uint64_t{1} << 52U);
    }

    // Calls visit(key) for each cell.
    template <class Visit>
    void for_each(NameId name, AxisKind kind, Visit&& visit) const {
        const std::uint64_t first = low_ >> shift(level_);
        const std::uint64_t last = (low_ + width_) >> shift(level_);
        for (std::uint64_t cell = first; cell <= last; ++cell) visit(key(name, kind, level_, cell));
    }
    static Key key_at(NameId name, AxisKind kind, unsigned level, const Number& value) {
        return key(name, kind, level, AxisKey::head(value) >> shift(level));
    }

  private:
    static unsigned shift(unsigned level) { return finest + 2 * level; }
    // A hash of the cell will do: filters are judged anyway.
    static Key key(NameId name, AxisKind kind, unsigned level, std::uint64_t cell) {
        const std::uint64_t number = mix(cell, level << 8U | static_cast<unsigned>(kind));
        return {name, Key::Kind::cell, static_cast<ValueCode>(number >> 32U)};
    }

    std::uint64_t low_;
    std::uint64_t width_;
    unsigned level_;
};

}  // namespace penstock
