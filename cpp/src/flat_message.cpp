#include "penstock/flat_message.hpp"

#include <algorithm>

#include "penstock/error.hpp"
#include "penstock/limits.hpp"

namespace penstock {

namespace {

// Up to here, comparing each with each is faster than sorting.
constexpr std::size_t few = 16;

std::string limited(const std::string& what, std::size_t size) {
    return what + std::to_string(size) + " bytes; the limit is " + std::to_string(max_string_bytes);
}

}  // namespace

std::optional<std::string_view> find_repeated(std::span<std::string_view> names) {
    if (names.size() <= few) {
        for (std::size_t i = 1; i < names.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (names[i] == names[j]) return names[i];
            }
        }
        return std::nullopt;
    }
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names);
    return found == names.end() ? std::nullopt : std::optional(*found);
}

void FlatMessage::clear() {
    attributes_.clear();
    joined_.clear();
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

std::string_view FlatMessage::name_of(std::string_view key) {
    check_size(key);
    if (outer_.empty()) return key;
    std::string& name = joined_.emplace_back();
    name.reserve(path_.size() + 1 + key.size());
    return name.append(path_).append(1, '.').append(key);
}

void FlatMessage::check_size(std::string_view key) const {
    const std::size_t size = key.size() + (outer_.empty() ? 0 : path_.size() + 1);
    if (size <= max_string_bytes) return;
    if (outer_.empty()) throw MessageError(limited("a name has ", size));
    throw MessageError(path_, limited("holds a name of ", size));
}

void FlatMessage::add(std::string_view name, const ValueView& value) {
    if (value.text.size() > max_string_bytes) {
        throw MessageError(std::string(name), limited("is a string of ", value.text.size()));
    }
    if (attributes_.size() == max_attributes) {
        throw MessageError(std::string(name),
                           "is one attribute too many; the limit is " + std::to_string(max_attributes));
    }
    attributes_.push_back({name, value});
}

void FlatMessage::finish() const {
    if (joined_.empty()) return;
    std::vector<std::string_view> names;
    names.reserve(attributes_.size());
    for (const Attribute& attribute : attributes_) names.push_back(attribute.name);
    if (const auto repeated = find_repeated(names))
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
