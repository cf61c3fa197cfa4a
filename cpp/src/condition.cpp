// Reading one condition: subject, operator, values, and whether they fit.
#include "penstock/condition.hpp"

#include <limits>
#include <string>
#include <utility>

#include "penstock/error.hpp"
#include "penstock/literal.hpp"
#include "penstock/refusal.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

Type type_named(Keyword word) {
    switch (word) {
        case Keyword::bool_:
            return Type::bool_;
        case Keyword::float_:
            return Type::float_;
        case Keyword::int_:
            return Type::int_;
        case Keyword::number:
            return Type::number;
        default:
            return Type::string;
    }
}

class ConditionReader {
  public:
    ConditionReader(Lexer& lexer, const Limits& limits)
        : lexer_(lexer), limits_(limits), at_(lexer.token().at) {}

    Condition read() {
        if (lexer_.token().is(Keyword::exists)) return existence();
        subject_ = subject();
        const Token token = lexer_.token();
        if (token.kind == TokenKind::comparison) {
            lexer_.advance();
            return apply(token.op, token.text, token);
        }
        if (token.is(Keyword::is)) return nullness(token);
        const bool negative = token.is(Keyword::not_);
        if (negative) lexer_.advance();
        return worded(negative, token);
    }

  private:
    // A type word is one only in front of a name; else it is itself the name.
    Subject subject() {
        Subject subject;
        subject.name = lexer_.token();
        lexer_.advance();
        if (is_type_word(subject.name.keyword) && lexer_.token().is_name() && !starts_operator()) {
            subject.type = type_named(subject.name.keyword);
            subject.type_word = std::exchange(subject.name, lexer_.token());
            lexer_.advance();
        }
        return subject;
    }

    // In `string CONTAINS 'x'` the second word is the operator, in `string contains = 'x'` it is the name.
    bool starts_operator() const {
        const Token token = lexer_.token();
        if (token.kind != TokenKind::word || !is_operator_word(token.keyword)) return false;
        const Token after = lexer_.next().token();
        return after.kind == TokenKind::string || after.is(Keyword::with);
    }

    Condition existence() {
        lexer_.advance();
        const Token open = lexer_.token();
        const bool enclosed = open.kind == TokenKind::open;
        if (enclosed) lexer_.advance();
        if (!lexer_.token().is_name()) refuse_lack(lexer_, "a name", enclosed ? "EXISTS (" : "EXISTS");
        subject_ = subject();
        if (enclosed) {
            if (lexer_.token().kind == TokenKind::end) refuse_unclosed(open);
            if (lexer_.token().kind != TokenKind::close) refuse_lack(lexer_, "')'", subject_.name.text);
            lexer_.advance();
        }
        return presence(false);
    }

    // IS [NOT] NULL
    Condition nullness(const Token& is) {
        lexer_.advance();
        const bool present = lexer_.token().is(Keyword::not_);
        if (present) lexer_.advance();
        if (!lexer_.token().is(Keyword::null)) {
            if (present) refuse_lack(lexer_, "NULL", "IS NOT");
            refuse_half_operator(lexer_, subject_, is);
        }
        lexer_.advance();
        return presence(!present);
    }

    // Absence is left to the normal form, which refuses NOT in front of a typed EXISTS in the same words.
    Condition presence(bool negated) {
        return {at_, {make(subject_.type, Operator::exists, {}, at_), nullptr}, 1, negated};
    }

    // The operators that are words.
    Condition worded(bool negative, const Token& start) {
        const Token token = lexer_.token();
        Operator op = Operator::prefix;
        switch (token.kind == TokenKind::word ? token.keyword : Keyword::none) {
            case Keyword::between:
                return range(negative);
            case Keyword::in:
                return set(negative);
            case Keyword::like:
                op = Operator::like;
                break;
            case Keyword::topic:
                op = Operator::topic;
                break;
            case Keyword::contains:
                op = Operator::substring;
                break;
            case Keyword::ends:
                op = Operator::suffix;
                break;
            case Keyword::starts:
                break;
            default:
                if (negative) refuse_half_operator(lexer_, subject_, start);
                refuse_operator(lexer_, subject_);
        }
        lexer_.advance();
        if (op == Operator::prefix || op == Operator::suffix) {
            if (!lexer_.token().is(Keyword::with)) refuse_half_operator(lexer_, subject_, token);
            lexer_.advance();
        }
        return apply(negative ? negate(op) : op, name_of(op), token);
    }

    Condition apply(Operator op, std::string_view word, const Token& token) {
        Literal value = literal(op, word);
        const Type type = fit(application(op, word, token), {&value, 1});
        std::vector<Scalar> values;
        values.push_back(std::move(value.value));
        return {at_, {make(type, op, std::move(values), value.at), nullptr}, 1, false};
    }

    Condition range(bool negative) {
        const Token between = lexer_.token();
        lexer_.advance();
        Literal bounds[2];
        bounds[0] = literal(Operator::ge, "BETWEEN");
        if (!lexer_.token().is(Keyword::and_)) refuse_lack(lexer_, "AND and an upper bound", "BETWEEN");
        lexer_.advance();
        bounds[1] = literal(Operator::le, "AND");
        const Type type = fit(application(Operator::ge, "BETWEEN", between), bounds);
        Condition condition{at_, {}, 2, negative};
        condition.constraints[0] = make(type, Operator::ge, {std::move(bounds[0].value)}, bounds[0].at);
        condition.constraints[1] = make(type, Operator::le, {std::move(bounds[1].value)}, bounds[1].at);
        return condition;
    }

    Condition set(bool negative) {
        const Token in = lexer_.token();
        lexer_.advance();
        const Token open = lexer_.token();
        if (open.kind != TokenKind::open) refuse_lack(lexer_, "'('", "IN");
        lexer_.advance();
        if (lexer_.token().kind == TokenKind::close) {
            throw FilterError(Code::syntax, "IN needs at least one value", {}, lexer_.token().at, "a value");
        }
        std::vector<Literal> literals;
        literals.push_back(literal(Operator::in, "("));
        while (lexer_.token().kind == TokenKind::comma) {
            check_set_size(literals.size() + 1);
            lexer_.advance();
            literals.push_back(literal(Operator::in, ","));
        }
        if (lexer_.token().kind == TokenKind::end) refuse_unclosed(open);
        if (lexer_.token().kind != TokenKind::close) refuse_lack(lexer_, "',' or ')'", "a value of IN");
        lexer_.advance();
        const Operator op = negative ? Operator::not_in : Operator::in;
        const Type type = fit(application(op, "IN", in), literals);
        std::vector<Scalar> values;
        values.reserve(literals.size());
        for (Literal& value : literals) values.push_back(std::move(value.value));
        return {at_, {make(type, op, std::move(values), open.at), nullptr}, 1, false};
    }

    void check_set_size(std::size_t size) {
        if (size <= limits_.set_values) return;
        throw FilterError(
            Code::limit,
            "IN lists at least " + grouped(size) + " values (limit " + grouped(limits_.set_values) + ")", {},
            lexer_.token().at);
    }

    Literal literal(Operator op, std::string_view after) {
        const Token token = lexer_.token();
        if (token.kind == TokenKind::string) {
            lexer_.advance();
            return {content_of(token), token.at};
        }
        if (token.is(Keyword::true_) || token.is(Keyword::false_)) {
            lexer_.advance();
            return {token.is(Keyword::true_), token.at};
        }
        return number(op, after);
    }

    // A sign belongs to the digits (or the word) that it touches.
    Literal number(Operator op, std::string_view after) {
        const Lexer start = lexer_;
        const Token first = lexer_.token();
        const bool sign = first.text == "-" || first.text == "+";
        if (sign) lexer_.advance();
        const Token token = lexer_.token();
        const bool touches = !sign || token.at == first.stop();
        const std::string_view digits = lexer_.text().substr(first.at, token.stop() - first.at);
        if (touches && token.kind == TokenKind::integer) {
            lexer_.advance();
            return {read_integer(digits, first.at), first.at};
        }
        if (touches && token.kind == TokenKind::real) {
            lexer_.advance();
            return {read_real(digits, first.at), first.at};
        }
        if (touches && token.is(Keyword::infinity)) {
            lexer_.advance();
            constexpr double infinity = std::numeric_limits<double>::infinity();
            return {first.text == "-" ? -infinity : infinity, first.at};
        }
        refuse_value(touches && token.is(Keyword::nan) ? lexer_ : start, subject_, op, after);
    }

    Application application(Operator op, std::string_view word, const Token& token) const {
        return {op, word, token.at, subject_.type, subject_.type_word.at};
    }

    // The checks that need no text are made there; what they find wrong lies in the value.
    ConstraintPtr make(Type type, Operator op, std::vector<Scalar> values, std::uint32_t value_at) const {
        try {
            return make_constraint(content_of(subject_.name), type, op, std::move(values), limits_);
        } catch (FilterError& error) {
            error.at = value_at;
            throw;
        }
    }

    Lexer& lexer_;
    const Limits& limits_;
    const std::uint32_t at_;
    Subject subject_;
};

}  // namespace

Condition read_condition(Lexer& lexer, const Limits& limits) {
    return ConditionReader(lexer, limits).read();
}

}  // namespace penstock
