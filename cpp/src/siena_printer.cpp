// Writing Siena's notation. It has no words for sets, patterns, topics, exclusions and absence.
#include <algorithm>
#include <string>

#include "penstock/error.hpp"
#include "penstock/language.hpp"
#include "penstock/siena.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

void append_quoted(std::string& out, std::string_view content) {
    out += '"';
    for (const char c : content) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    out += '"';
}

void append_siena_name(std::string& out, const std::string& name) {
    const bool bare = std::all_of(name.begin(), name.end(), siena::is_bare);
    if (bare && name != "any" && siena::type_named(name) == Type::any) {
        out += name;
    } else {
        append_quoted(out, name);
    }
}

// Bare only if every character is beyond doubt; spaces may stand inside.
void append_siena_string(std::string& out, const std::string& text) {
    const bool trimmed = !text.empty() && text.front() != ' ' && text.back() != ' ';
    const auto harmless = [](char c) { return c == ' ' || siena::is_bare(c); };
    if (trimmed && std::all_of(text.begin(), text.end(), harmless)) {
        out += text;
    } else {
        append_quoted(out, text);
    }
}

void append_siena(std::string& out, const Constraint& constraint) {
    const std::string_view symbol = siena::symbol_of(constraint.op);
    if (symbol.empty()) {
        throw FilterError(Code::unsupported,
                          "Siena's notation has no " + std::string(name_of(constraint.op)) + ": " +
                              excerpt(print(constraint)),
                          constraint.op == Operator::in ? "write one filter for each value" : "");
    }
    if (constraint.type != Type::any) {
        out += name_of(constraint.type);
        out += ' ';
    }
    append_siena_name(out, constraint.name);
    out += ' ';
    out += symbol;
    if (constraint.op == Operator::exists) return;
    out += ' ';
    const Scalar& value = constraint.values.front();
    if (const auto* text = std::get_if<std::string>(&value)) {
        append_siena_string(out, *text);
    } else {
        append_scalar(out, value);
    }
}

}  // namespace

std::string print_siena(const Predicate& predicate) {
    if (predicate.filters.empty()) {
        throw FilterError(Code::unsupported, "Siena's notation has no empty predicate: FALSE");
    }
    std::string out;
    for (const FilterPtr& filter : predicate.filters) {
        if (!out.empty()) out += " | ";
        out += '[';
        const char* separator = "";
        for (const ConstraintPtr& constraint : filter->constraints) {
            out += separator;
            append_siena(out, *constraint);
            separator = "; ";
        }
        out += ']';
    }
    return out;
}

}  // namespace penstock
