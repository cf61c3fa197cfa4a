// A message while it is being read: nested objects become dotted names, and a message's bounds are kept.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/limits.hpp"
#include "penstock/text_store.hpp"
#include "penstock/value.hpp"

namespace penstock {

// A name that occurs twice, if one does; may reorder the names. Never more than n log n comparisons, even if
// the names were chosen to cost as much as they can.
std::optional<std::string_view> find_repeated(std::span<std::string_view> names);

// Borrows the names and strings that it is given; the dotted names are its own. Everything that a message
// may not be is a MessageError.
class FlatMessage {
  public:
    void clear();

    // What is named from here on lies inside the object `key`, until it is left.
    void enter(std::string_view key);
    void leave();
    // The name of an attribute, with those of the objects around it.
    std::string_view name_of(std::string_view key) {
        return outer_.empty() && key.size() <= max_string_bytes ? key : join(key);
    }
    void add(std::string_view name, const ValueView& value) {
        if (value.text.size() > max_string_bytes || size_ == max_attributes) refuse(name, value.text.size());
        if (size_ == attributes_.size()) attributes_.resize(size_ + size_ / 2 + 16);
        Attribute& attribute = attributes_[size_++];
        attribute.name = name;
        attribute.value = value;
    }
    // Names may repeat even if none is joined.
    void doubt_names() { doubtful_ = true; }
    // Call it when all is added: joining can make two names equal, as in {"a.b": 1, "a": {"b": 2}}.
    void finish();

    MessageView view() const { return {attributes_.data(), size_}; }

  private:
    std::string_view join(std::string_view key);
    void check_size(std::string_view key) const;
    [[noreturn]] static void refuse(std::string_view name, std::size_t size);

    // Each is written, piece by piece, where it stays: put together elsewhere it would be copied as a whole,
    // and the processor waits for pieces that it has only just written.
    std::vector<Attribute> attributes_;
    std::size_t size_ = 0;
    // Names of attributes only: objects may be empty, and there may be as many as you like.
    TextStore joined_;
    std::size_t joined_bytes_ = 0;
    std::vector<std::string_view> names_;  // all of them, when they must be compared
    bool doubtful_ = false;
    std::string path_;                // the objects around
    std::vector<std::size_t> outer_;  // how long the path is without the innermost, the next one, …
};

// What readers refuse in the same words, wherever the message comes from.
[[noreturn]] void refuse_integer(std::string_view name);                              // outside 64 bits
[[noreturn]] void refuse_several(std::string_view name, std::string_view container);  // "an array"
[[noreturn]] void refuse_surrogate(std::string_view name);

}  // namespace penstock
