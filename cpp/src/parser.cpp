// The parser: the grammar of conditions, and how they combine.
#include "penstock/parser.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "penstock/condition.hpp"
#include "penstock/error.hpp"
#include "penstock/lexer.hpp"
#include "penstock/refusal.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

class Parser {
  public:
    Parser(std::string_view text, const Limits& limits)
        : lexer_(text), limits_(limits), deepest_(std::min(limits.depth, max_depth)) {
        // Enough for most texts, so that they cost one allocation each.
        syntax_.nodes.reserve(16);
        syntax_.constraints.reserve(8);
    }

    Syntax parse() {
        syntax_.root = disjunction({});
        if (lexer_.token().kind != TokenKind::end) refuse_rest(lexer_, std::nullopt);
        return std::move(syntax_);
    }

  private:
    std::uint32_t disjunction(std::string_view after) {
        return chain(NodeKind::disjunction, Keyword::or_, after);
    }

    // Operands of one operator in a flat row. `after` is what the first operand follows.
    std::uint32_t chain(NodeKind kind, Keyword operation, std::string_view after) {
        const std::uint32_t at = lexer_.token().at;
        const std::uint32_t first = operand(kind, after);
        if (!lexer_.token().is(operation)) return first;
        std::uint32_t last = first;
        while (lexer_.token().is(operation)) {
            lexer_.advance();
            const std::uint32_t next = operand(kind, operation == Keyword::or_ ? "OR" : "AND");
            syntax_.nodes[last].next = next;
            last = next;
        }
        return add({kind, at, first});
    }

    std::uint32_t operand(NodeKind kind, std::string_view after) {
        if (kind == NodeKind::disjunction) return chain(NodeKind::conjunction, Keyword::and_, after);
        return negation(after);
    }

    std::uint32_t negation(std::string_view after) {
        const Token token = lexer_.token();
        if (token.kind == TokenKind::open) return group(token);
        if (!token.is(Keyword::not_)) return condition(after);
        descend(token);
        const std::uint32_t child = negation("NOT");
        --depth_;
        return add({NodeKind::negation, token.at, child});
    }

    std::uint32_t group(const Token& open) {
        descend(open);
        const std::uint32_t inner = disjunction("(");
        if (lexer_.token().kind != TokenKind::close) refuse_rest(lexer_, open);
        lexer_.advance();
        --depth_;
        // An error about the whole of a combination points at its parenthesis.
        Node& node = syntax_.nodes[inner];
        if (node.kind == NodeKind::conjunction || node.kind == NodeKind::disjunction) node.at = open.at;
        return inner;
    }

    void descend(const Token& token) {
        if (++depth_ > deepest_) {
            throw FilterError(Code::limit,
                              "nests " + grouped(depth_) + " levels deep (limit " + grouped(deepest_) + ")",
                              {}, token.at);
        }
        lexer_.advance();
    }

    std::uint32_t condition(std::string_view after) {
        const Token token = lexer_.token();
        if (token.is_name() || token.is(Keyword::exists)) return constrain();
        const bool truth = token.is(Keyword::true_);
        const bool constant = truth || token.is(Keyword::false_);
        if (!constant || lexer_.next().token().kind == TokenKind::comparison) refuse_condition(lexer_, after);
        lexer_.advance();
        return add({NodeKind::constant, token.at, truth ? 1U : 0U});
    }

    std::uint32_t constrain() {
        Condition condition = read_condition(lexer_, limits_);
        std::uint32_t node = leaf(condition, 0);
        if (condition.count == 2) {
            syntax_.nodes[node].next = leaf(condition, 1);
            node = add({NodeKind::conjunction, condition.at, node});
        }
        return condition.negated ? add({NodeKind::negation, condition.at, node}) : node;
    }

    std::uint32_t leaf(Condition& condition, std::size_t which) {
        const auto place = static_cast<std::uint32_t>(syntax_.constraints.size());
        syntax_.constraints.push_back(std::move(condition.constraints[which]));
        return add({NodeKind::constraint, condition.at, place});
    }

    std::uint32_t add(Node node) {
        syntax_.nodes.push_back(node);
        return static_cast<std::uint32_t>(syntax_.nodes.size() - 1);
    }

    Lexer lexer_;
    const Limits& limits_;
    const std::size_t deepest_;
    std::size_t depth_ = 0;
    Syntax syntax_;
};

}  // namespace

void check_text(std::string_view text, const Limits& limits) {
    // Positions have 32 bits.
    const std::size_t longest = std::min<std::size_t>(limits.text_bytes, UINT32_MAX - 1);
    if (text.size() <= longest) return;
    throw FilterError(Code::limit,
                      "text of " + grouped(text.size()) + " bytes (limit " + grouped(longest) + ")", {}, 0);
}

Syntax parse_syntax(std::string_view text, const Limits& limits) {
    check_text(text, limits);
    return Parser(text, limits).parse();
}

}  // namespace penstock
