#include "penstock/flat_message.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "penstock/error.hpp"
#include "penstock/hash.hpp"

namespace penstock {

namespace {

// Up to here, a table would cost more than it saves.
constexpr std::size_t few = 16;

// One bit of 64 for a name, from what is at hand: most names of a small message get different ones.
std::uint64_t bit_of(std::string_view name) {
    std::uint64_t seen = name.size();
    if (!name.empty()) {
        for (const std::size_t at : {std::size_t{0}, name.size() / 2, name.size() - 1})
            seen = seen << 8U | static_cast<unsigned char>(name[at]);
    }
    return std::uint64_t{1} << (seen * 0x9E3779B97F4A7C15U >> 58U);
}

std::optional<std::string_view> find_among_few(std::span<const std::string_view> names) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::uint64_t bit = bit_of(names[i]);
        if ((bits & bit) != 0 && std::ranges::find(names.first(i), names[i]) != names.begin() + i)
            return names[i];
        bits |= bit;
    }
    return std::nullopt;
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
    return names.size() <= few ? find_among_few(names) : find_among_many(names);
}

void FlatMessage::clear() {
    attributes_.clear();
    joined_.clear();
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
    std::string& name = joined_.emplace_back();
    name.reserve(size);
    return name.append(path_).append(1, '.').append(key);
}

void FlatMessage::check_size(std::string_view key) const {
    const std::size_t size = key.size() + (outer_.empty() ? 0 : path_.size() + 1);
    if (size <= max_string_bytes) return;
    if (outer_.empty()) throw MessageError(limited("a name has ", size));
    throw MessageError(path_, limited("holds a name of ", size));
}

void FlatMessage::refuse(std::string_view name, const ValueView& value) {
    if (value.text.size() > max_string_bytes)
        throw MessageError(std::string(name), limited("is a string of ", value.text.size()));
    throw MessageError(std::string(name),
                       "is one attribute too many; the limit is " + std::to_string(max_attributes));
}

void FlatMessage::finish() {
    if (joined_.empty() && !doubtful_) return;
    names_.clear();
    for (const Attribute& attribute : attributes_) names_.push_back(attribute.name);
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
