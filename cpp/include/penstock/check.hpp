// Further constraints of a filter, condensed to 32 bits each: most candidates fail one without a further
// look.
//
// A check answers no, perhaps or surely: it may let a filter pass that does not match, never the other way
// round. A posting has three of them. If these are all that is left of the filter, and all answer surely,
// then it matches and need not be read.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "penstock/hash.hpp"
#include "penstock/stored_constraint.hpp"

namespace penstock {

class Check {
  public:
    enum class Kind : std::uint8_t {
        nothing,   // is asked
        sure,      // nothing is left to check: the posting's target is an owner
        absent,    // the attribute is not there
        present,   // it is, whatever its type
        typed,     // it is, and of a type that is accepted
        equal,     // its value has this hash, whatever its type
        starts_1,  // it is a string whose first byte has this hash
        starts_2,  // its first two
        starts_4,
        starts_8,
        starts_16,
        ends_1,  // it is a string whose last byte has this hash
        ends_2,
        ends_4,
        ends_8,
        gram,        // it is a string that contains these bytes, or some with this hash
        differ_int,  // it is of a type that is accepted; surely another value if it has another hash
        differ_number,
        differ_float,
        differ_string,
        differ_bool,
        below_int,  // it is of at most this size
        below_number,
        below_float,
        below_string,
        above_int,  // of at least this size
        above_number,
        above_float,
        above_string,
    };
    static constexpr std::size_t kinds = 29;
    static constexpr NameId max_name = (1U << 14U) - 1;
    static constexpr std::uint32_t codes = 2048;

    Check() = default;
    static Check sure() { return {Kind::sure, 0, 0}; }
    // What a posting has in place of a check, where it needs none.
    static Check of_code(std::uint32_t code) { return {Kind::nothing, 0, code}; }
    explicit Check(std::uint32_t word) : word_(word) {}
    std::uint32_t word() const { return word_; }
    static Check of(const StoredConstraint& constraint, const ValueStore& values);
    // Whether it can ever be sure of the constraint.
    static bool can_tell(const StoredConstraint& constraint, const ValueStore& values);

    Kind kind() const { return static_cast<Kind>(word_ & 31U); }
    NameId name() const { return word_ >> 5U & max_name; }
    std::uint32_t code() const { return word_ >> code_shift; }
    // What has to be known of a value to answer: nothing but its type, or some of these.
    static constexpr std::uint32_t asks_hash = 1;
    static constexpr std::uint32_t asks_size = 2;
    static constexpr std::uint32_t asks_ends = 4;
    static constexpr std::uint32_t asks_grams = 8;
    static constexpr std::uint32_t asks_type = 16;  // the very one of a number
    static constexpr std::uint32_t asks_all = 31;
    std::uint32_t asked() const;
    // Checks in this order have those of one kind of question about one name together, and in these their
    // codes in order, so that those which a value lets pass lie together. Of another value all codes pass, so
    // there they are all alike.
    std::uint32_t question() const { return word_ & (questions - 1); }
    std::uint32_t order() const { return question() * codes | (asks_for_another() ? 0 : code()); }
    bool asks_for_another() const { return kind() >= Kind::differ_int && kind() <= Kind::differ_bool; }
    // Two bits for the posting's own use.
    unsigned mark() const { return word_ >> mark_shift & 3U; }
    Check with_mark(unsigned mark) const {
        Check check = *this;
        check.word_ = (word_ & ~(3U << mark_shift)) | mark << mark_shift;
        return check;
    }

    static std::uint32_t hash(const Number& number) {
        return static_cast<std::uint32_t>(
            mix(std::bit_cast<std::uint64_t>(number.rounded), static_cast<std::uint32_t>(number.residual)) >>
            53U);
    }
    static std::uint32_t hash(std::string_view text);
    // Grams: a byte and two letters have a code of their own, so that whoever has it contains them; other
    // pairs and three bytes share theirs.
    static constexpr std::uint32_t own_grams = 256 + 26 * 26;
    static std::uint32_t gram(std::uint8_t only) { return only; }
    static std::uint32_t gram(std::uint8_t first, std::uint8_t second) {
        const std::uint32_t high = first - std::uint32_t{'a'};
        const std::uint32_t low = second - std::uint32_t{'a'};
        return high < 26 && low < 26 ? 256 + 26 * high + low
                                     : shared_gram(first | std::uint32_t{second} << 8U | 1U << 24U);
    }
    static std::uint32_t gram(std::uint8_t first, std::uint8_t second, std::uint8_t third) {
        return shared_gram(first | std::uint32_t{second} << 8U | std::uint32_t{third} << 16U);
    }
    // Monotone: 32 steps per power of two from 1/16 to 268 million, on both sides of zero.
    static std::uint32_t size_of(const Number& number) {
        const auto bits = std::bit_cast<std::uint64_t>(number.rounded);
        constexpr std::int64_t least = (1023 - 4) << 5U;
        const std::int64_t steps = static_cast<std::int64_t>(bits << 1U >> 48U) - least;
        const auto size = static_cast<std::uint32_t>(steps < 0 ? 0 : (steps > 1023 ? 1023 : steps));
        return bits >> 63U != 0 ? 1023 - size : 1024 + size;
    }
    // The first byte, the second one's upper bits.
    static std::uint32_t size_of(std::string_view text) {
        const auto byte = [&](std::size_t at) {
            return at < text.size() ? static_cast<std::uint32_t>(static_cast<std::uint8_t>(text[at])) : 0U;
        };
        return byte(0) << 3U | byte(1) >> 5U;
    }

  private:
    friend class Acceptance;

    // A word: the kind, the name, the mark, the code. With the code on top, codes are compared as words are.
    static constexpr std::uint32_t questions = (max_name + 1) << 5U;
    static constexpr unsigned mark_shift = 19;
    static constexpr unsigned code_shift = 21;

    Check(Kind kind, NameId name, std::uint32_t code)
        : word_(static_cast<std::uint32_t>(kind) | name << 5U | code << code_shift) {}

    static std::uint32_t shared_gram(std::uint32_t bytes) {
        constexpr std::uint32_t shared = codes - own_grams;
        return own_grams + ((bytes * 0x9E3779B1U >> 16U) * shared >> 16U);
    }

    std::uint32_t word_ = 0;
};

// Codes of checks, one after the other.
struct CodeRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

// Which codes an attribute's value lets pass, for each kind of check. A text lets all grams pass: whether it
// has them, its GramSet says.
class alignas(64) Acceptance {
  public:
    Acceptance();  // of an attribute that is not there
    // Of a value, as far as checks ask for it: see Check::asked().
    explicit Acceptance(const ValueView& value, std::uint32_t asked = Check::asks_all) : Acceptance() {
        set(value, asked);
    }
    // That of another value from now on. What nobody asks for may be left as it was.
    void set(const ValueView& value, std::uint32_t asked) {
        if (type_ != value.type) *this = of_presence(value);
        if (value.type == Type::string) {
            set_text(value.text, asked);
        } else if (value.type == Type::bool_) {
            set_hash(value.boolean ? 1 : 0, Check::Kind::differ_bool);
        } else {
            set_number(value, asked);
        }
    }
    // Enough for checks that do not ask for the value.
    static const Acceptance& of_presence(const ValueView& value) {
        return of_types[static_cast<std::size_t>(value.type)];
    }
    static const Acceptance absent;

    // Asking takes no branch, since whether a candidate passes cannot be foretold.
    bool passes(Check check) const { return answer(check).passes(check); }
    // Precondition: it passes, and is of a constraint that checks can tell.
    bool is_sure(Check check) const { return answer(check).is_sure(check); }
    // Of the value, if it has one.
    std::uint32_t hash() const { return hash_; }

    // Codes from a first one on, so many; after the last comes the first. The value is sure of all but the
    // first: a bound of about its own size, or what has its hash, may be its own.
    class Answer {
      public:
        Answer() = default;  // none
        Answer(std::uint32_t first, std::uint32_t count)
            : word_(std::uint64_t{count == Check::codes ? UINT32_MAX : count << Check::code_shift} << 32U |
                    first << Check::code_shift) {}
        static Answer all() { return {Check::codes - 1, Check::codes}; }

        bool passes(Check check) const { return check.word() - first() < count(); }
        bool is_sure(Check check) const { return check.word() - first() >= 1U << Check::code_shift; }
        CodeRange passing() const {
            if (count() == UINT32_MAX) return {0, Check::codes};
            return {first() >> Check::code_shift, count() >> Check::code_shift};
        }

      private:
        // Both are compared with the words of checks; none of these is above the count of all codes.
        std::uint32_t first() const { return static_cast<std::uint32_t>(word_); }
        std::uint32_t count() const { return static_cast<std::uint32_t>(word_ >> 32U); }

        // In one: a processor that has just written two halves, or reads two of a whole, waits for them.
        std::uint64_t word_ = 0;
    };
    const Answer& answer(Check check) const { return answers_[static_cast<std::size_t>(check.kind())]; }

  private:
    static constexpr std::size_t types = static_cast<std::size_t>(Type::bool_) + 1;
    static const std::array<Acceptance, types> of_types;

    static Acceptance of_type(Type type);
    void set(Check::Kind kind, Answer answer) { answers_[static_cast<std::size_t>(kind)] = answer; }
    void set_hash(std::uint32_t hash, Check::Kind differ) {
        hash_ = hash;
        set(Check::Kind::equal, {hash, 1});
        set(differ, {hash, Check::codes});
    }
    void set_sizes(Check::Kind below, std::uint32_t size);
    void set_number(const ValueView& value, std::uint32_t asked);
    void set_text(std::string_view text, std::uint32_t asked);
    void set_ends(std::string_view text);

    std::array<Answer, Check::kinds> answers_{};
    std::uint32_t hash_ = Check::codes;
    Type type_ = Type::any;  // of the value before
};

// The grams of a text.
class GramSet {
  public:
    GramSet() = default;  // none
    explicit GramSet(std::string_view text);
    bool has(Check check) const { return (bits_[check.code() >> 6U] >> (check.code() & 63U) & 1U) != 0; }

  private:
    std::array<std::uint64_t, Check::codes / 64> bits_{};
};

}  // namespace penstock
