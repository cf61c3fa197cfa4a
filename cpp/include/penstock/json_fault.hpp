// Why a text is no message: simdjson says that a text is wrong, not where, so a plain scanner looks again.
#pragma once

#include <string_view>

namespace penstock {

// For a text that simdjson refused, or that is not an object. Throws MessageError for the first fault, with
// the attribute where there is one, and with the byte where it is one of grammar.
[[noreturn]] void refuse_json(std::string_view text);

}  // namespace penstock
