// Intervals of strings: what comes next in the order of code points.
#include "penstock/string_interval.hpp"

#include <algorithm>

#include "penstock/utf8.hpp"

namespace penstock {

namespace {

constexpr std::string_view last_of_all = "\xF4\x8F\xBF\xBF";  // U+10FFFF

// The next character in UTF-8; empty behind the last one.
std::string next_character(std::string_view character) {
    if (character == "\x7F") return "\xC2\x80";
    if (character == "\xDF\xBF") return "\xE0\xA0\x80";
    if (character == "\xED\x9F\xBF") return "\xEE\x80\x80";  // surrogates are no characters
    if (character == "\xEF\xBF\xBF") return "\xF0\x90\x80\x80";
    if (character == last_of_all) return {};
    // Otherwise the length stays the same: carry over full continuation bytes.
    std::string bytes(character);
    std::size_t at = bytes.size() - 1;
    for (; at > 0 && bytes[at] == '\xBF'; --at) bytes[at] = '\x80';
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) + 1U);
    return bytes;
}

std::size_t last_character(std::string_view text) {
    std::size_t start = text.size() - 1;
    while (start > 0 && is_continuation(text[start])) --start;
    return start;
}

// Length of the longest common start that does not cut a character in two.
std::size_t shared_size(std::string_view a, std::string_view b) {
    const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    auto size = static_cast<std::size_t>(differ.first - a.begin());
    const auto inside = [&](std::string_view text) {
        return size < text.size() && is_continuation(text[size]);
    };
    while (size > 0 && (inside(a) || inside(b))) --size;
    return size;
}

}  // namespace

Strings all_strings() {
    return {std::string(), std::nullopt};
}

Strings strings_starting_with(const std::string& prefix) {
    return {prefix, behind_extensions(prefix)};
}

Cut<std::string> behind(const std::string& value) {
    return value + '\0';
}

Cut<std::string> behind_extensions(std::string_view prefix) {
    while (!prefix.empty()) {
        const std::size_t start = last_character(prefix);
        const std::string next = next_character(prefix.substr(start));
        prefix = prefix.substr(0, start);
        if (!next.empty()) return std::string(prefix) + next;
    }
    return std::nullopt;
}

std::string common_prefix(const Interval<std::string>& interval) {
    const std::string_view from = interval.from;
    std::size_t size = interval.to ? shared_size(from, *interval.to) : 0;
    // A character more will do when the interval ends where its extensions end: ['ab', 'ac') is all of 'ab…'.
    while (size < from.size()) {
        const std::size_t longer = size + character_size(from, size);
        // The last character of all ends where the text before it ends; no need to look.
        const bool same_end = from.substr(size, longer - size) == last_of_all;
        if (!same_end && before(behind_extensions(from.substr(0, longer)), interval.to)) break;
        size = longer;
    }
    return interval.from.substr(0, size);
}

std::size_t count_strings(const Interval<std::string>& interval) {
    if (!interval.to || !interval.to->starts_with(interval.from)) return 0;
    const bool chain = interval.to->find_first_not_of('\0', interval.from.size()) == std::string::npos;
    return chain ? interval.to->size() - interval.from.size() : 0;
}

}  // namespace penstock
