// How a table lies in a file: a header, the sections one after the other, and at the end their list.
//
//     header 64 | section | … | section | list of sections
//
// Numbers and records are as the machine has them, so that they can be used where they lie; a byte-order mark
// keeps other machines out. Sections start at multiples of 64, large ones at pages; the gaps are zero. What
// comes first in the header (magic, byte order, version) stays there in every future version.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace penstock {

// A new number for each change of this layout, or of what the table's structures keep in it.
inline constexpr std::uint32_t file_version = 7;
inline constexpr std::uint32_t file_byte_order = 0x01020304;
inline constexpr std::array<char, 8> file_magic = {'p', 'e', 'n', 's', 't', 'o', 'c', 'k'};

struct FileHeader {
    std::array<char, 8> magic = file_magic;
    std::uint32_t byte_order = file_byte_order;
    std::uint32_t version = file_version;
    std::uint64_t file_size = 0;
    std::uint64_t list_at = 0;  // where the list of sections starts; it reaches to the end of the file
    std::uint64_t sections = 0;
    std::uint64_t list_checksum = 0;
    std::uint64_t unused = 0;
    std::uint64_t checksum = 0;  // of all before it
};
static_assert(sizeof(FileHeader) == 64);

struct FileSection {
    enum class Kind : std::uint32_t {
        column,
        value,
        text
    };

    std::uint64_t at = 0;
    std::uint64_t count = 0;
    std::uint64_t checksum = 0;  // of the records; the gap before them is zero
    std::uint32_t record_size = 0;
    Kind kind = Kind::column;

    std::uint64_t bytes() const { return count * record_size; }
};
static_assert(sizeof(FileSection) == 32);

inline constexpr std::size_t file_line = 64;
inline constexpr std::size_t file_page = 4096;

constexpr std::size_t file_alignment(std::size_t bytes) {
    return bytes >= file_page ? file_page : file_line;
}

}  // namespace penstock
