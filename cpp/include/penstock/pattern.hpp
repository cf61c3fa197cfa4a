// LIKE and topic patterns: canonical form and matching.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// LIKE: % is any run of characters, _ is one character (code point); there is no escape.
// Canonical: a run of wildcards is all its _ followed by at most one %.
std::string canonical_like(std::string_view pattern);
bool like_matches(std::string_view pattern, std::string_view text);

// The literal that any match must contain, and where: used to index patterns under a plain string.
struct Anchor {
    enum class Place {
        start,
        anywhere
    } place;
    std::string text;  // may be empty: then nothing is known
};
Anchor like_anchor(std::string_view pattern);
Anchor topic_anchor(std::string_view pattern);

// Topic patterns (hierarchical streams): levels separated by '/', a level '*' stands for any one level,
// and every pattern ends in an implicit wildcard for whatever lies below.
// Canonical: trailing wildcards removed. Throws FilterError for an empty level, a wildcard in the
// first level, a control character, or more levels than the limit.
std::string canonical_topic(std::string_view pattern);
bool topic_matches(std::string_view pattern, std::string_view topic);
std::vector<std::string_view> topic_levels(std::string_view topic);

}  // namespace penstock
