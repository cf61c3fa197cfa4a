// JSON texts as messages, without a detour: simdjson reads the text, the attributes borrow its strings.
//
// Whatever the text holds, the answer is a message or a MessageError. Numbers keep the type they are written
// in: 1 is an int, 1.0 and 1e2 are floats.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "penstock/error.hpp"
#include "penstock/value.hpp"

namespace penstock {

// A reader that keeps its memory from one text to the next. One thread at a time.
class JsonMessage {
  public:
    JsonMessage();
    ~JsonMessage();
    JsonMessage(JsonMessage&& other) noexcept;
    JsonMessage& operator=(JsonMessage&& other) noexcept;

    // simdjson reads this far beyond the end of a text, whatever may be there.
    static std::size_t padding();

    // The message lasts until the next call; the text may go at once. `readable` is how many bytes behind the
    // text may be read: with padding() of them the text is read in place, otherwise it is copied first.
    // Peeking at the rest of the last page instead would save that copy, which costs next to nothing, and
    // would be seen by other threads and sanitizers for what it is.
    MessageView read(std::string_view text, std::size_t readable = 0);

  private:
    class Reader;
    std::unique_ptr<Reader> reader_;
};

}  // namespace penstock
