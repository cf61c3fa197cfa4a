#include "penstock/json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "page_end.hpp"
#include "penstock/limits.hpp"

namespace penstock {
namespace {

// Everything that a message says, or the error.
std::string shown(const ValueView& value) {
    switch (value.type) {
        case Type::string:
            return "'" + std::string(value.text) + "'";
        case Type::int_:
            return "int " + std::to_string(value.integer);
        case Type::float_:
            return "float " + std::to_string(value.real);
        default:
            return value.boolean ? "true" : "false";
    }
}

std::string shown(MessageView message) {
    std::string all;
    for (const Attribute& attribute : message)
        all += std::string(attribute.name) + "=" + shown(attribute.value) + " ";
    return all;
}

std::string shown(const MessageError& error) {
    return "error " + error.attribute.value_or("-") + ": " + error.message;
}

std::string read(JsonMessage& reader, std::string_view text, std::size_t readable = 0) {
    try {
        return shown(reader.read(text, readable));
    } catch (const MessageError& error) {
        return shown(error);
    }
}

constexpr std::string_view document =
    R"({"s": "a\u00e9\ud83d\ude00\n", "i": -12, "f": 1.50, "e": 1e2, "b": true, "n": null,)"
    R"( "d": {"x.y": 1, "deep": {"": false}}, "long": "0123456789012345678901234567890123456789"})";
constexpr std::string_view meaning =
    "s='aé😀\n' i=int -12 f=float 1.500000 e=float 100.000000 b=true d.x.y=int 1 d.deep.=false "
    "long='0123456789012345678901234567890123456789' ";

TEST(Json, ReadsEveryKindOfValueAndJoinsNames) {
    JsonMessage reader;
    EXPECT_EQ(read(reader, document), meaning);
    EXPECT_EQ(read(reader, "{}"), "");
    EXPECT_EQ(read(reader, "\xEF\xBB\xBF {\"a\": 0} \n"), "a=int 0 ");
}

TEST(Json, ReadsNothingBehindTheTextUnlessAllowed) {
    PageEnd memory;
    JsonMessage reader;
    for (std::size_t end = 0; end <= document.size(); ++end) {
        const std::string expected = read(reader, std::string(document.substr(0, end)));
        EXPECT_EQ(read(reader, memory.put(document.substr(0, end))), expected);
        const std::size_t gap = JsonMessage::padding();
        EXPECT_EQ(read(reader, memory.put(document.substr(0, end), gap), gap), expected);
        EXPECT_EQ(read(reader, memory.put(document.substr(0, end), gap - 1), gap - 1), expected);
    }
}

TEST(Json, WhatFollowsTheTextDoesNotMatter) {
    PageEnd memory;
    JsonMessage reader;
    const std::size_t gap = JsonMessage::padding();
    for (const std::string_view text : {document, std::string_view("{\"a\":1"), std::string_view("{\"a\":{}"),
                                        std::string_view("{\"a\":\"x"), std::string_view("{\"a\":tru"),
                                        std::string_view("{"), std::string_view("")}) {
        const std::string expected = read(reader, text);
        for (const char filler : {'}', '"', '1', ' ', ',', '\\', 'e', '\0', '\xFF'})
            EXPECT_EQ(read(reader, memory.put(text, gap, filler), gap), expected) << text << filler;
    }
}

TEST(Json, TheTextMayGoOnceItIsRead) {
    JsonMessage reader;
    std::string text(document);
    for (const std::size_t readable : {std::size_t{0}, JsonMessage::padding()}) {
        text.resize(document.size() + readable);
        const MessageView message = reader.read(std::string_view(text).substr(0, document.size()), readable);
        std::ranges::fill(text, '!');
        EXPECT_EQ(shown(message), meaning);
        text = document;
    }
}

TEST(Json, ErrorsNameTheAttributeOrThePlace) {
    JsonMessage reader;
    EXPECT_EQ(read(reader, R"({"a": {"b": [1]}})"),
              "error a.b: is an array: several values for one attribute are not supported yet");
    EXPECT_EQ(read(reader, R"({"a": 1, "a": 2})"), "error a: occurs twice");
    EXPECT_EQ(read(reader, R"({"\u00e9\ud83d\ude00": 1e999})"), "error é😀: is too large for a 64-bit float");
    EXPECT_EQ(read(reader, R"({"a": 1,})"),
              "error -: not valid JSON: expected a name in double quotes at offset 8");
}

// Every text with a few bytes changed is answered, and the reader is as good as new afterwards.
TEST(Json, DamageNeverDoesHarm) {
    std::mt19937 random(7);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    constexpr std::string_view bytes = "{}[]:,\"\\ue019.-+ntf \n\x01\xC3\xED\xF0\xFF";
    JsonMessage reader;
    std::size_t refused = 0;
    for (int round = 0; round < 20000; ++round) {
        std::vector<char> text(document.begin(), document.end());
        for (std::size_t change = 0; change <= below(3); ++change)
            text[below(text.size())] = bytes[below(bytes.size())];
        text.resize(text.size() - below(2) * below(text.size()));
        text.shrink_to_fit();
        refused += read(reader, {text.data(), text.size()}).starts_with("error");
        if (round % 1000 == 0) {
            EXPECT_EQ(read(reader, document), meaning);
        }
    }
    EXPECT_GT(refused, 10000U);
    EXPECT_LT(refused, 20000U);
}

TEST(Json, ManyAttributesAreReadAndRepeatedNamesAmongThemFound) {
    std::string members;
    for (std::size_t n = 0; n < max_attributes; ++n) members += "\"n" + std::to_string(n) + "\":1,";
    members.pop_back();
    JsonMessage reader;
    EXPECT_EQ(reader.read("{" + members + "}").size(), max_attributes);
    EXPECT_EQ(reader.read("{\"d\":{" + members + "}}").size(), max_attributes);
    EXPECT_EQ(read(reader, "{" + members + ",\"n0\":null}"), "error n0: occurs twice");
    EXPECT_EQ(read(reader, "{\"d.n9\":null,\"d\":{" + members + "}}").find("error"), std::string::npos);
    EXPECT_EQ(read(reader, "{\"d.n9\":1,\"d\":{" + members + "}}"),
              "error d.n4095: is one attribute too many; the limit is 4096");
}

TEST(Json, NamesThatJoiningMakesLongCostNothingWhereNothingIsNamed) {
    const std::string prefix(max_string_bytes - 10, 'p');
    std::string members;
    for (int n = 0; n < 20000; ++n)
        members += "\"" + std::to_string(n) + "\":" + (n % 2 == 0 ? "{}," : "null,");
    members.pop_back();
    JsonMessage reader;
    EXPECT_EQ(read(reader, "{\"" + prefix + "\":{" + members + "}}"), "");
}

TEST(Json, ALargeTextIsReadAndASmallOneAfterIt) {
    JsonMessage reader;
    std::string text = "{";
    for (int n = 0; n < 40; ++n) text += "\"" + std::to_string(n) + "\":\"" + std::string(60000, 'x') + "\",";
    text.back() = '}';
    EXPECT_EQ(reader.read(text).size(), 40U);
    EXPECT_EQ(read(reader, document), meaning);
    JsonMessage moved = std::move(reader);
    EXPECT_EQ(read(moved, document), meaning);
}

}  // namespace
}  // namespace penstock
