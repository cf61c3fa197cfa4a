#include "penstock/flat_message.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "penstock/error.hpp"
#include "penstock/hash.hpp"
#include "penstock/text_ends.hpp"

namespace penstock {

namespace {

// Up to here, a table would cost more than it saves.
constexpr std::size_t few = 64;

// A bit for each name: most names of a small message get different ones, and who does not is compared with
// all before it. Nothing when that happens too often.
std::optional<std::optional<std::string_view>> find_among_few(std::span<const std::string_view> names) {
    constexpr std::size_t bits = 1024;
    std::array<std::uint64_t, bits / 64> seen{};
    int patience = 16;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::uint32_t at = TextEnds(names[i]).hash() % bits;
        std::uint64_t& word = seen[at / 64];
        const std::uint64_t bit = std::uint64_t{1} << (at % 64);
        if ((word & bit) != 0) {
            if (std::ranges::find(names.first(i), names[i]) != names.begin() + i) return names[i];
            if (--patience == 0) return std::nullopt;
        }
        word |= bit;
    }
    return std::optional<std::string_view>();
}

std::optional<std::string_view> find_by_sorting(std::span<std::string_view> names) {
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    return found == names.end() ? std::nullopt : std::optional(*found);
}

// A table of positions, counted from 1. Whoever knows the hash can choose names that all fall on one slot,
// so the search gives up for sorting when it meets too many others.
std::optional<std::string_view> find_among_many(std::span<std::string_view> names) {
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * names.size()));
    std::size_t patience = 8 * names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::size_t at = hash_bytes(names[i]) & (slots.size() - 1);
        for (; slots[at] != 0; at = (at + 1) & (slots.size() - 1)) {
            if (names[slots[at] - 1] == names[i]) return names[i];
            if (--patience == 0) return find_by_sorting(names);
        }
        slots[at] = static_cast<std::uint32_t>(i + 1);
    }
    return std::nullopt;
}

std::string limited(const std::string& what, std::size_t size) {
    return what + std::to_string(size) + " bytes; the limit is " + std::to_string(max_string_bytes);
}

}  // namespace

std::optional<std::string_view> find_repeated(std::span<std::string_view> names) {
    if (names.size() <= few) {
        if (const auto answer = find_among_few(names)) return *answer;
    }
    return find_among_many(names);
}

void FlatMessage::clear() {
    size_ = 0;
    if (joined_bytes_ > 0) joined_.clear();
    joined_bytes_ = 0;
    doubtful_ = false;
    path_.clear();
    outer_.clear();
}

void FlatMessage::enter(std::string_view key) {
    check_size(key);
    const std::size_t outer = path_.size();
    if (!outer_.empty()) path_ += '.';
    path_ += key;
    outer_.push_back(outer);
    if (outer_.size() > max_nesting)
        throw MessageError(path_, "is nested deeper than " + std::to_string(max_nesting) + " levels");
}

void FlatMessage::leave() {
    path_.resize(outer_.back());
    outer_.pop_back();
}

std::string_view FlatMessage::join(std::string_view key) {
    check_size(key);
    const std::size_t size = path_.size() + 1 + key.size();
    if ((joined_bytes_ += size) > max_dotted_bytes) {
        throw MessageError(path_,
                           "makes names of more than " + std::to_string(max_dotted_bytes) + " bytes in all");
    }
    char* const name = joined_.allocate(size);
    std::ranges::copy(path_, name);
    name[path_.size()] = '.';
    std::ranges::copy(key, name + path_.size() + 1);
    return {name, size};
}

void FlatMessage::check_size(std::string_view key) const {
    const std::size_t size = key.size() + (outer_.empty() ? 0 : path_.size() + 1);
    if (size <= max_string_bytes) return;
    if (outer_.empty()) throw MessageError(limited("a name has ", size));
    throw MessageError(path_, limited("holds a name of ", size));
}

void FlatMessage::refuse(std::string_view name, std::size_t size) {
    if (size > max_string_bytes) throw MessageError(std::string(name), limited("is a string of ", size));
    throw MessageError(std::string(name),
                       "is one attribute too many; the limit is " + std::to_string(max_attributes));
}

void FlatMessage::finish() {
    if (joined_bytes_ == 0 && !doubtful_) return;
    names_.clear();
    for (const Attribute& attribute : view()) names_.push_back(attribute.name);
    if (const auto repeated = find_repeated(names_))
        throw MessageError(std::string(*repeated), "occurs twice once nested names are joined");
}

void refuse_integer(std::string_view name) {
    throw MessageError(std::string(name), "is an integer outside 64 bits");
}

void refuse_several(std::string_view name, std::string_view container) {
    throw MessageError(std::string(name), "is " + std::string(container) +
                                              ": several values for one attribute are not supported yet");
}

void refuse_surrogate(std::string_view name) {
    throw MessageError(std::string(name), "holds a lone surrogate, which is not a character");
}

}  // namespace penstock
