// Sorted arrays for numbers: equality by bisection, order by bisection and a walk from the bound.
//
// One index holds the arrays of all names, each name's (and type's) as a stretch of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/number.hpp"
#include "penstock/run.hpp"

namespace penstock {

class NumberIndex {
  public:
    struct Hit {
        Number key;
        std::uint32_t number;
    };
    struct Bound {
        Number key;
        bool strict;
    };

    // `hits` sorted by key; `uppers` and `lowers` in the order of their numbers. Returns the family's number.
    std::uint32_t add(const Layout& layout, std::span<const Hit> hits, std::span<const Bound> uppers,
                      std::span<const Bound> lowers);
    void end();

    void match(std::uint32_t family, const Number& value, Answer& answer) const;

    std::size_t bytes() const;

  private:
    // Flat, so that the spare bytes of a Number are put to use.
    struct Entry {
        double rounded;
        std::int32_t residual;
        std::uint32_t hits;  // first of its hits; they end where the next entry's begin
    };
    struct Limit {
        double rounded;
        std::int32_t residual;
        bool strict;
    };
    struct Family {
        Layout layout;
        std::uint32_t entries, entries_end;
        std::uint32_t uppers, lowers, limits_end;  // stretches of limits_
    };
    static bool holds_above(const Limit& limit, const Number& value);
    static bool holds_below(const Limit& limit, const Number& value);

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> hits_;
    std::vector<Limit> limits_;
    std::vector<Family> families_;
};

}  // namespace penstock
