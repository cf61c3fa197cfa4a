// The second constraint of a filter, condensed to 32 bits: most candidates fail it without a further look.
//
// A check may let a filter pass that does not match, never the other way round.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "penstock/hash.hpp"
#include "penstock/stored_constraint.hpp"

namespace penstock {

class Check {
  public:
    enum class Kind : std::uint8_t {
        sure,     // nothing is left to check: the posting's target is an owner
        none,     // nothing is known
        present,  // the attribute is there, and of a type that is accepted
        absent,
        equal,  // its value has this hash
        below,  // it is of at most this size; if it is of another type, that does not matter
        above,
        letter,  // it is a string that begins, or ends, with this byte
    };
    static constexpr NameId max_name = (1U << 18U) - 1;

    Check() = default;
    static Check sure() { return {Kind::sure, 0, 0}; }
    static Check nothing() { return {Kind::none, 0, 0}; }
    // For exclusions, whose postings come in pairs: the hash of the value that is excluded.
    static Check excluding(std::uint32_t hash) { return {Kind::equal, 0, hash}; }
    static Check of(const StoredConstraint& constraint, const ValueStore& values);

    Kind kind() const { return static_cast<Kind>(word_ & 7U); }
    unsigned relation() const { return word_ >> 3U & 3U; }
    std::uint32_t code() const { return word_ >> 5U & 511U; }
    NameId name() const { return word_ >> 14U; }
    Check with_relation(unsigned relation) const {
        Check check = *this;
        check.word_ = (word_ & ~(3U << 3U)) | relation << 3U;
        return check;
    }

    static std::uint32_t hash(const Number& number) {
        return static_cast<std::uint32_t>(
            mix(std::bit_cast<std::uint64_t>(number.rounded), static_cast<std::uint32_t>(number.residual)) >>
            55U);
    }
    static std::uint32_t hash(std::string_view text) {
        return static_cast<std::uint32_t>(text_hash(text) >> 55U);
    }
    // Monotone: eight steps per power of two from 1/16 to 268 million, on both sides of zero.
    static std::uint32_t size_of(const Number& number) {
        const auto bits = std::bit_cast<std::uint64_t>(number.rounded);
        constexpr std::int64_t least = (1023 - 4) << 3U;
        const std::int64_t steps = static_cast<std::int64_t>(bits << 1U >> 50U) - least;
        const auto size = static_cast<std::uint32_t>(steps < 0 ? 0 : (steps > 255 ? 255 : steps));
        return bits >> 63U != 0 ? 255 - size : 256 + size;
    }
    // The first byte, the second one's upper bit.
    static std::uint32_t size_of(std::string_view text) {
        const auto byte = [&](std::size_t at) {
            return at < text.size() ? static_cast<std::uint32_t>(static_cast<std::uint8_t>(text[at])) : 0U;
        };
        return byte(0) << 1U | byte(1) >> 7U;
    }

  private:
    Check(Kind kind, NameId name, std::uint32_t code)
        : word_(static_cast<std::uint32_t>(kind) | code << 5U | name << 14U) {}
    // Of up to eight bytes and the length: cheap, and the same in every process.
    static std::uint64_t text_hash(std::string_view text) {
        std::uint64_t head = 0;
        if (!text.empty()) std::memcpy(&head, text.data(), text.size() < 8 ? text.size() : 8);
        return mix(head, text.size());
    }

    std::uint32_t word_ = 0;
};

// Which codes an attribute's value lets pass, for each kind of check: a range of them and one more. Asking
// takes no branch, since whether a candidate passes cannot be foretold.
class Acceptance {
  public:
    Acceptance();  // of an attribute that is not there
    explicit Acceptance(const ValueView& value);

    bool passes(Check check) const {
        const Codes& codes = kinds_[static_cast<std::size_t>(check.kind())];
        const auto code = static_cast<std::uint16_t>(check.code());
        return (static_cast<std::uint16_t>(code - codes.first) < codes.count) | (code == codes.other);
    }
    // What the value of an exclusion must not have.
    std::uint32_t hash() const { return kinds_[static_cast<std::size_t>(Check::Kind::equal)].other; }

  private:
    struct Codes {
        std::uint16_t first = 0;
        std::uint16_t count = 0;
        std::uint16_t other = 512;  // no code
    };
    Codes& of(Check::Kind kind) { return kinds_[static_cast<std::size_t>(kind)]; }

    std::array<Codes, 8> kinds_;
};

}  // namespace penstock
