#include "penstock/json_fault.hpp"

#include <simdjson.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "penstock/error.hpp"
#include "penstock/flat_message.hpp"
#include "penstock/utf8.hpp"

namespace penstock {

namespace {

// Reads as far as the first fault; returns only if there is none.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text), at_(text.size() - without_mark(text).size()) {}

    void run() {
        check_encoding();
        skip_blanks();
        if (at_ == text_.size())
            throw MessageError(R"(empty: expected a JSON object, such as {"price": 420})");
        if (next() != '{') throw MessageError(R"(expected a JSON object, such as {"price": 420})");
        scan_object();
        skip_blanks();
        if (at_ != text_.size()) fail("the object has ended, but more follows");
    }

  private:
    char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool next_is_digit() const { return next() >= '0' && next() <= '9'; }

    bool take(std::string_view wanted) {
        if (!text_.substr(at_).starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }

    void skip_blanks() {
        while (take(" ") || take("\t") || take("\n") || take("\r")) continue;
    }

    [[noreturn]] void fail(const std::string& what) const {
        const std::string end = at_ == text_.size() ? ", where the text ends" : "";
        throw MessageError("not valid JSON: " + what + " at offset " + std::to_string(at_) + end);
    }

    void check_encoding() const {
        if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))
            throw MessageError("this looks like UTF-16; messages are UTF-8");
        std::size_t at = 0;
        while (const std::size_t size = at < text_.size() ? valid_character_size(text_, at) : 0) at += size;
        if (at == text_.size()) return;
        char byte[3];
        std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(text_[at]));
        throw MessageError("not valid UTF-8: byte 0x" + std::string(byte) + " at offset " +
                           std::to_string(at));
    }

    void scan_object() {
        take("{");
        skip_blanks();
        if (take("}")) return;
        do {
            skip_blanks();
            if (next() != '"') fail("expected a name in double quotes");
            const std::optional<std::string> key = scan_string();
            if (!key) throw MessageError("a name holds a lone surrogate, which is not a character");
            skip_blanks();
            if (!take(":")) fail("expected ':' after a name");
            skip_blanks();
            scan_value(*key);
            skip_blanks();
        } while (take(","));
        if (!take("}")) fail("expected ',' or '}'");
    }

    void scan_value(std::string_view key) {
        if (next() == '{') {
            path_.enter(key);
            scan_object();
            path_.leave();
        } else if (next() == '[') {
            refuse_several(path_.name_of(key), "an array");
        } else if (next() == '"') {
            if (!scan_string()) refuse_surrogate(path_.name_of(key));
        } else if (take("NaN") || take("Infinity") || take("-Infinity")) {
            throw MessageError(std::string(path_.name_of(key)),
                               "is NaN or Infinity, which JSON does not have");
        } else if (next() == '-' || next_is_digit()) {
            scan_number(key);
        } else if (!take("true") && !take("false") && !take("null")) {
            fail("expected a value");
        }
    }

    // Nothing if the string holds a lone surrogate: then it is the last thing that is read.
    std::optional<std::string> scan_string() {
        std::string read;
        for (take("\""); !take("\"");) {
            if (at_ == text_.size()) fail("a string is not closed");
            if (static_cast<unsigned char>(next()) < 0x20) fail("a control character must be escaped");
            if (!take("\\")) {
                read += text_[at_++];
            } else if (take("u")) {
                const std::optional<std::uint32_t> character = scan_character();
                if (!character) return std::nullopt;
                append_character(read, *character);
            } else {
                constexpr std::string_view letters = "\"\\/bfnrt";
                const std::size_t which = letters.find(next());
                if (which == std::string_view::npos) fail("a backslash stands before none of \"\\/bfnrtu");
                read += "\"\\/\b\f\n\r\t"[which];
                ++at_;
            }
        }
        return read;
    }

    // Behind `\u`: one code unit, or the two of a character that UTF-16 splits; nothing for half of one.
    std::optional<std::uint32_t> scan_character() {
        const std::uint32_t high = scan_unit();
        if (high < 0xD800 || high > 0xDFFF) return high;
        if (high > 0xDBFF || !take("\\u")) return std::nullopt;
        const std::uint32_t low = scan_unit();
        if (low < 0xDC00 || low > 0xDFFF) return std::nullopt;
        return 0x10000 + ((high - 0xD800) << 10U) + (low - 0xDC00);
    }

    std::uint32_t scan_unit() {
        std::uint32_t unit = 0;
        for (int digit = 0; digit < 4; ++digit, ++at_) {
            constexpr std::string_view digits = "0123456789abcdef0123456789ABCDEF";
            const std::size_t value = digits.find(next());
            if (value == std::string_view::npos) fail("expected four hexadecimal digits after \\u");
            unit = unit * 16 + static_cast<std::uint32_t>(value % 16);
        }
        return unit;
    }

    void scan_number(std::string_view key) {
        const std::size_t start = at_;
        take("-");
        if (!take("0")) scan_digits();
        const std::size_t whole = at_;
        if (take(".")) scan_digits();
        if (take("e") || take("E")) {
            if (!take("+")) take("-");
            scan_digits();
        }
        // The grammar is satisfied, so if simdjson is not, it is about the size.
        simdjson::dom::element number;
        if (parser_.parse(text_.data() + start, at_ - start).get(number) != simdjson::SUCCESS) {
            if (at_ == whole) refuse_integer(path_.name_of(key));
            throw MessageError(std::string(path_.name_of(key)), "is too large for a 64-bit float");
        }
        if (number.is_uint64() && !number.is_int64()) refuse_integer(path_.name_of(key));
    }

    void scan_digits() {
        if (!next_is_digit()) fail("expected a digit");
        while (next_is_digit()) ++at_;
    }

    std::string_view text_;
    std::size_t at_;
    FlatMessage path_;
    simdjson::dom::parser parser_;
};

}  // namespace

void refuse_json(std::string_view text) {
    Scanner(text).run();
    throw MessageError("cannot be read as JSON");  // our grammar and simdjson's differ
}

}  // namespace penstock
