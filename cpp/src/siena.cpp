// Reading Siena's notation: flat, so a loop over filters and constraints is all there is.
#include "penstock/siena.hpp"

#include <limits>
#include <string>
#include <utility>

#include "penstock/error.hpp"
#include "penstock/language.hpp"
#include "penstock/lexer.hpp"
#include "penstock/literal.hpp"
#include "penstock/parser.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

constexpr const char* type_words = "string, int, float, bool or number";

// A name or a type, and where it stands.
struct Word {
    std::string content;
    std::uint32_t at = 0;
    bool quoted = false;
};

[[noreturn]] void refuse_misfit(Type type, std::string_view value, std::uint32_t at) {
    const std::string wanted(value_wanted_by(type));
    throw FilterError(Code::type, std::string(name_of(type)) + " needs " + wanted + ", got " + excerpt(value),
                      {}, at, wanted);
}

Scalar read_boolean(std::string_view bare, std::uint32_t at) {
    if (bare == "true" || bare == "false") return bare == "true";
    refuse_misfit(Type::bool_, bare, at);
}

Scalar read_number(Type type, std::string_view bare, std::uint32_t at) {
    const bool sign = bare.front() == '-' || bare.front() == '+';
    const std::string_view magnitude = bare.substr(sign ? 1 : 0);
    const Keyword keyword = keyword_of(magnitude);
    if (keyword == Keyword::infinity) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return bare.front() == '-' ? -infinity : infinity;
    }
    if (keyword == Keyword::nan) {
        throw FilterError(Code::type, "NaN is not a value that a filter can ask for", {}, at, "a value");
    }
    bool real = false;
    const std::size_t size = number_size(magnitude, 0, real);
    if (size == 0 || size != magnitude.size()) refuse_misfit(type, bare, at);
    return real ? read_real(bare, at) : read_integer(bare, at);
}

class SienaReader {
  public:
    SienaReader(std::string_view text, const Limits& limits) : scanner_(text), limits_(limits) {}

    Predicate read() {
        std::vector<FilterPtr> filters;
        do {
            check_limit("filters", filters.size() + 1, limits_.filters);
            filters.push_back(filter());
        } while (separator());
        return make_predicate(std::move(filters), limits_);
    }

  private:
    bool separator() {
        scanner_.skip_blanks();
        if (scanner_.at_end()) return false;
        const std::uint32_t start = scanner_.at();
        if (scanner_.take('|') || scanner_.bare_word() == "or") return true;
        scanner_.back_to(start);
        scanner_.refuse("'|' or the end");
    }

    FilterPtr filter() {
        scanner_.skip_blanks();
        const std::uint32_t open = scanner_.at();
        if (!scanner_.take('[')) scanner_.refuse("'['", "[] is the filter that matches every message");
        std::vector<ConstraintPtr> constraints;
        while (scanner_.skip_blanks(), !scanner_.take(']')) {
            if (scanner_.at_end()) throw FilterError(Code::syntax, "'[' is never closed", {}, open, "']'");
            check_limit("constraints in a filter", constraints.size() + 1, limits_.constraints);
            constraints.push_back(constraint());
            scanner_.skip_blanks();
            if (!scanner_.take(';') && scanner_.peek() != ']' && !scanner_.at_end())
                scanner_.refuse("';' or ']'");
        }
        return make_filter(std::move(constraints), limits_);
    }

    ConstraintPtr constraint() {
        Word name = word("a constraint");
        Word type_word;
        Type type = name.quoted ? Type::any : siena::type_named(name.content);
        if (type != Type::any && name_follows()) {
            type_word = std::exchange(name, word("a name"));
        } else {
            type = Type::any;
        }
        if (take_any()) return make(std::move(name), type, Operator::exists, {}, name.at);
        const std::uint32_t at = scanner_.at();
        const std::string_view symbol = scanner_.operator_symbol();
        const Operator op = siena::operator_named(symbol);
        if (op == Operator::not_exists) refuse_operator(name, type, symbol, at);
        if (type == Type::any) {
            throw FilterError(Code::syntax, "expected a type before " + excerpt(name.content),
                              "write " + std::string(type_words) + " in front of it", name.at, type_words);
        }
        if (is_textual(op) && type != Type::string) {
            throw FilterError(Code::type, std::string(symbol) + " needs a string, not " + type_word.content,
                              {}, type_word.at, "string");
        }
        Literal value = literal(type, symbol);
        fit({op, symbol, at, type, type_word.at}, {&value, 1});
        return make(std::move(name), type, op, {std::move(value.value)}, value.at);
    }

    Word word(const std::string& expected) {
        scanner_.skip_blanks();
        Word word{{}, scanner_.at(), scanner_.peek() == '"'};
        word.content = word.quoted ? scanner_.quoted() : std::string(scanner_.bare_word());
        if (scanner_.at() == word.at) scanner_.refuse(expected);
        if (word.content.empty()) throw FilterError(Code::syntax, "the name is empty", {}, word.at, "a name");
        return word;
    }

    // `int any` alone constrains the attribute `int`.
    bool name_follows() {
        const std::uint32_t start = scanner_.at();
        const bool any = take_any();
        scanner_.skip_blanks();
        const char next = scanner_.peek();
        const bool complete = any && (scanner_.at_end() || next == ';' || next == ']');
        scanner_.back_to(start);
        return any ? !complete : siena::is_bare(next) || next == '"';
    }

    // Stops before whatever else stands there.
    bool take_any() {
        scanner_.skip_blanks();
        const std::uint32_t start = scanner_.at();
        if (scanner_.bare_word() == "any") return true;
        scanner_.back_to(start);
        return false;
    }

    [[noreturn]] void refuse_operator(const Word& name, Type type, std::string_view symbol,
                                      std::uint32_t at) {
        if (!symbol.empty()) {
            throw FilterError(Code::syntax, "unknown operator '" + excerpt(symbol) + "'",
                              "the operators are = != < > <= >= >* *< * any", at, "an operator");
        }
        if (type == Type::any && name_follows()) {
            throw FilterError(Code::syntax, excerpt(name.content) + " is not a type", {}, name.at,
                              type_words);
        }
        throw FilterError(Code::syntax, "expected an operator after " + excerpt(name.content), {}, at,
                          "an operator");
    }

    Literal literal(Type type, std::string_view symbol) {
        scanner_.skip_blanks();
        const std::uint32_t at = scanner_.at();
        if (scanner_.peek() == '"') return {scanner_.quoted(), at};
        const std::string_view bare = scanner_.bare_value();
        if (bare.empty()) {
            throw FilterError(Code::syntax, "expected a value after '" + std::string(symbol) + "'",
                              type == Type::string ? "the empty string is \"\"" : "", at, "a value");
        }
        if (type == Type::string) return {std::string(bare), at};
        return {type == Type::bool_ ? read_boolean(bare, at) : read_number(type, bare, at), at};
    }

    ConstraintPtr make(Word name, Type type, Operator op, std::vector<Scalar> values,
                       std::uint32_t at) const {
        try {
            return make_constraint(std::move(name.content), type, op, std::move(values), limits_);
        } catch (FilterError& error) {
            error.at = at;
            throw;
        }
    }

    void check_limit(const std::string& what, std::size_t count, std::size_t limit) const {
        if (count <= limit) return;
        throw FilterError(Code::limit,
                          "at least " + grouped(count) + " " + what + " (limit " + grouped(limit) + ")", {},
                          scanner_.at());
    }

    siena::Scanner scanner_;
    const Limits& limits_;
};

}  // namespace

Predicate parse_siena(std::string_view text, const Limits& limits) {
    check_text(text, limits);
    return SienaReader(text, limits).read();
}

}  // namespace penstock
