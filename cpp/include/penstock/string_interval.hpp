// Intervals of strings in byte order, which for UTF-8 is the order of code points.
//
// Every string has a next one (itself and U+0000), and all extensions of a prefix are neighbours.
#pragma once

#include <string>
#include <string_view>

#include "penstock/interval.hpp"

namespace penstock {

using Strings = IntervalSet<std::string>;

Strings all_strings();
Strings strings_starting_with(const std::string& prefix);

// In front of the first string that is greater than `value`.
Cut<std::string> behind(const std::string& value);
// In front of the first string that is greater than all that start with `prefix`.
Cut<std::string> behind_extensions(std::string_view prefix);

// The longest text that all strings of the interval start with.
std::string common_prefix(const Interval<std::string>& interval);

// How many strings the interval holds; 0 when it is endless. A finite one is from, from + U+0000, ...
std::size_t count_strings(const Interval<std::string>& interval);

}  // namespace penstock
