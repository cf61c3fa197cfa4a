// A checksum for files: 64 bits, fast enough to be taken of a whole table whenever one is opened.
//
// Eight lanes take a word each and depend on nothing but themselves, so that their multiplications overlap.
// Unlike the hash of the tables it has no seed, since it is stored. It finds accidents, not forgeries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace penstock
