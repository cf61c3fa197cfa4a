// Patterns of characters and wildcards compared with one another, not with texts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace penstock {

// A character, packed as its UTF-8 bytes, or one of two wildcards that no character is equal to.
using Symbol = std::uint32_t;
using Symbols = std::vector<Symbol>;
inline constexpr Symbol any_one = 0xFFFFFFFEU;
inline constexpr Symbol any_run = 0xFFFFFFFFU;

void append_text(Symbols& symbols, std::string_view text);
void append_like(Symbols& symbols, std::string_view pattern);

// Does the outer pattern match every text that the inner one matches? A yes is a proof; a no is one too
// unless both patterns are long.
bool encloses(const Symbols& outer, const Symbols& inner);

// Is there no text that both match? A yes is a proof; a no is one too unless both patterns are long.
bool disjoint(const Symbols& a, const Symbols& b);

}  // namespace penstock
