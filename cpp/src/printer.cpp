// Printing: the inverse of parsing. Types are written only where the values do not imply them.
#include "penstock/language.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

void append_subject(std::string& out, const Constraint& constraint, bool typed) {
    if (typed) {
        out += name_of(constraint.type);
        out += ' ';
    }
    append_name(out, constraint.name);
}

void append(std::string& out, const Constraint& constraint) {
    if (is_presence(constraint.op)) {
        out += name_of(constraint.op);
        out += ' ';
        append_subject(out, constraint, constraint.type != Type::any);
        return;
    }
    append_subject(out, constraint, constraint.type != family_of(constraint.values.front()));
    out += ' ';
    out += name_of(constraint.op);
    out += ' ';
    if (!is_set(constraint.op)) {
        append_scalar(out, constraint.values.front());
        return;
    }
    const char* separator = "(";
    for (const Scalar& value : constraint.values) {
        out += separator;
        append_scalar(out, value);
        separator = ", ";
    }
    out += ')';
}

void append(std::string& out, const Filter& filter) {
    if (filter.constraints.empty()) out += "TRUE";
    const char* separator = "";
    for (const ConstraintPtr& constraint : filter.constraints) {
        out += separator;
        append(out, *constraint);
        separator = " AND ";
    }
}

}  // namespace

std::string print(const Constraint& constraint) {
    std::string out;
    append(out, constraint);
    return out;
}

std::string print(const Filter& filter) {
    std::string out;
    append(out, filter);
    return out;
}

std::string print(const Predicate& predicate) {
    if (predicate.filters.empty()) return "FALSE";
    std::string out;
    const char* separator = "";
    for (const FilterPtr& filter : predicate.filters) {
        out += separator;
        append(out, *filter);
        separator = " OR ";
    }
    return out;
}

}  // namespace penstock
