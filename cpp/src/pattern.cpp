// LIKE and topic patterns. Both matchers are iterative and run in time proportional to pattern times text.
#include "penstock/pattern.hpp"

#include <algorithm>

#include "penstock/error.hpp"
#include "penstock/limits.hpp"
#include "penstock/topic_fault.hpp"
#include "penstock/utf8.hpp"

namespace penstock {

namespace {

constexpr std::string_view like_wildcards = "%_";

// Splits off the first level; `rest` is null when that was the last one.
std::string_view next_level(std::string_view& rest) {
    const auto slash = rest.find('/');
    const auto level = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    return level;
}

}  // namespace

std::string canonical_like(std::string_view pattern) {
    std::string result;
    result.reserve(pattern.size());
    for (std::size_t at = 0; at < pattern.size();) {
        const auto literal_end = std::min(pattern.find_first_of(like_wildcards, at), pattern.size());
        result += pattern.substr(at, literal_end - at);
        at = std::min(pattern.find_first_not_of(like_wildcards, literal_end), pattern.size());
        const auto run = pattern.substr(literal_end, at - literal_end);
        result.append(static_cast<std::size_t>(std::count(run.begin(), run.end(), '_')), '_');
        if (run.find('%') != std::string_view::npos) result += '%';
    }
    return result;
}

// Greedy with one point of return: when a later piece fails, only the last % needs to take one
// character more, since an earlier % taking more could not help.
bool like_matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t after_percent = std::string_view::npos;
    std::size_t retry_from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '%') {
            after_percent = ++p;
            retry_from = t;
        } else if (p < pattern.size() && pattern[p] == '_') {
            ++p;
            t += character_size(text, t);
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (after_percent != std::string_view::npos) {
            p = after_percent;
            retry_from += character_size(text, retry_from);
            t = retry_from;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('%', p) == std::string_view::npos;
}

Anchor like_anchor(std::string_view pattern) {
    const auto head = pattern.substr(0, pattern.find_first_of(like_wildcards));
    if (!head.empty()) return {Anchor::Place::start, std::string(head)};
    std::string_view longest;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const auto end = std::min(pattern.find_first_of(like_wildcards, at), pattern.size());
        if (end - at > longest.size()) longest = pattern.substr(at, end - at);
        at = end;
    }
    return {Anchor::Place::anywhere, std::string(longest)};
}

Anchor topic_anchor(std::string_view pattern) {
    std::size_t end = 0;
    while (end < pattern.size()) {
        const auto slash = std::min(pattern.find('/', end), pattern.size());
        if (pattern.substr(end, slash - end) == "*") break;
        end = std::min(slash + 1, pattern.size());
    }
    return {Anchor::Place::start, std::string(pattern.substr(0, end))};
}

std::string canonical_topic(std::string_view pattern) {
    if (const auto fault = topic_fault(pattern, TopicKind::pattern, max_topic_levels))
        throw FilterError(fault->code, fault->message, fault->hint, fault->at);
    // The first level is no wildcard, so something always remains.
    while (pattern.ends_with("/*")) pattern.remove_suffix(2);
    return std::string(pattern);
}

bool topic_matches(std::string_view pattern, std::string_view topic) {
    while (true) {
        const auto wanted = next_level(pattern);
        const auto level = next_level(topic);
        if (wanted != "*" && wanted != level) return false;
        // Null, and not merely empty, is the end: 'a/' has a second, empty level.
        if (pattern.data() == nullptr) return true;
        if (topic.data() == nullptr) return false;
    }
}

std::vector<std::string_view> topic_levels(std::string_view topic) {
    std::vector<std::string_view> levels;
    for (bool more = true; more; more = topic.data() != nullptr) levels.push_back(next_level(topic));
    return levels;
}

}  // namespace penstock
