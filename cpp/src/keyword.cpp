// Keyword lookup: one multiplication, one comparison.
#include "penstock/keyword.hpp"

#include <array>
#include <cstddef>

namespace penstock {

namespace {

// Every keyword has at most eight letters, so each is one integer. Setting the bit 0x20 lowers ASCII
// letters and makes a letter of nothing else that can stand in a name.
constexpr std::uint64_t packed(std::string_view word) {
    std::uint64_t bits = 0;
    for (const char c : word) bits = bits << 8U | (static_cast<unsigned char>(c) | 0x20U);
    return bits;
}

struct Entry {
    std::string_view word;
    Keyword keyword;
};

constexpr Entry keywords[] = {
    {"and", Keyword::and_},
    {"or", Keyword::or_},
    {"not", Keyword::not_},
    {"between", Keyword::between},
    {"contains", Keyword::contains},
    {"ends", Keyword::ends},
    {"exists", Keyword::exists},
    {"false", Keyword::false_},
    {"in", Keyword::in},
    {"is", Keyword::is},
    {"like", Keyword::like},
    {"null", Keyword::null},
    {"starts", Keyword::starts},
    {"topic", Keyword::topic},
    {"true", Keyword::true_},
    {"with", Keyword::with},
    {"bool", Keyword::bool_},
    {"float", Keyword::float_},
    {"int", Keyword::int_},
    {"number", Keyword::number},
    {"string", Keyword::string},
    {"inf", Keyword::infinity},
    {"infinity", Keyword::infinity},
    {"nan", Keyword::nan},
};

// A perfect hash table, made by the compiler: the first odd multiplier that sends no two keywords to one
// slot.
struct KeywordTable {
    struct Slot {
        std::uint64_t bits = 0;
        Keyword keyword = Keyword::none;
    };
    std::uint64_t multiplier = 1;
    std::array<Slot, 64> slots{};

    constexpr std::size_t slot_of(std::uint64_t bits) const { return (bits * multiplier) >> 58U; }

    constexpr bool fill() {
        slots = {};
        for (const Entry& entry : keywords) {
            Slot& slot = slots[slot_of(packed(entry.word))];
            if (slot.bits != 0) return false;
            slot = {packed(entry.word), entry.keyword};
        }
        return true;
    }

    constexpr KeywordTable() {
        while (!fill()) multiplier = multiplier * 6364136223846793005U + 1442695040888963408U;
    }
};

constexpr KeywordTable keyword_table;

}  // namespace

Keyword keyword_of(std::string_view word) {
    if (word.size() < 2 || word.size() > 8) return Keyword::none;
    const std::uint64_t bits = packed(word);
    const KeywordTable::Slot& slot = keyword_table.slots[keyword_table.slot_of(bits)];
    return slot.bits == bits ? slot.keyword : Keyword::none;
}

}  // namespace penstock
