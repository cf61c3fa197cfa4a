// Whether bytes are UTF-8, for intake that nobody has checked before.
#pragma once

#include <cstddef>
#include <string_view>

namespace penstock {

bool is_ascii(std::string_view bytes);

// Where the first malformed character starts, or bytes.size(): overlong forms, surrogates, code points above
// U+10FFFF and cut-off characters are malformed.
std::size_t valid_utf8_prefix(std::string_view bytes);

inline bool is_utf8(std::string_view bytes) {
    return valid_utf8_prefix(bytes) == bytes.size();
}

}  // namespace penstock
