// The words of the text language that mean something.
#pragma once

#include <cstdint>
#include <string_view>

namespace penstock {

// Words with a meaning, in any case. Only the reserved ones cannot be used as plain names.
enum class Keyword : std::uint8_t {
    none,
    and_,
    or_,
    not_,
    between,
    exists,
    false_,
    in,
    is,
    null,
    true_,  // the last reserved word
    contains,
    ends,
    like,
    starts,
    topic,
    with,  // the last word of an operator
    bool_,
    float_,
    int_,
    number,
    string,  // the last type word
    infinity,
    nan,
};

Keyword keyword_of(std::string_view word);

constexpr bool is_reserved(Keyword word) {
    return word != Keyword::none && word <= Keyword::true_;
}

// Words that are operators after a name, and may be names themselves: `topic TOPIC 'a/b'`.
constexpr bool is_operator_word(Keyword word) {
    return word >= Keyword::contains && word <= Keyword::with;
}

constexpr bool is_type_word(Keyword word) {
    return word >= Keyword::bool_ && word <= Keyword::string;
}

}  // namespace penstock
