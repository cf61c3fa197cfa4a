// Reading a filter from the catalogue: whether all that it asks for holds.
#pragma once

#include <cstdint>

#include "penstock/access_scratch.hpp"

namespace penstock {

class AccessReading {
  public:
    using Row = AccessEngine::Scratch::Row;

    AccessReading(const FilterStore& filters, Row& row) : filters_(filters), row_(row) {}

    bool matches(FilterId filter) const {
        StoredConstraint constraint{};
        for (ConstraintCursor cursor(filters_.at(filter)); cursor.next(constraint);) {
            const std::uint16_t at = row_.present[constraint.name];
            if (!settle(constraint, at == 0 ? nullptr : &row_.values[at - 1U].known())) return false;
        }
        return true;
    }

  private:
    static bool asks_for_code(Operator op) { return op == Operator::eq || op == Operator::ne || is_set(op); }
    // The commonest questions at once, the others through the general answer.
    bool settle(const StoredConstraint& constraint, KnownValue* value) const {
        if (value == nullptr) return constraint.op == Operator::not_exists;
        if (asks_for_code(constraint.op)) value->find_code(filters_.values());
        if (constraint.op == Operator::eq && constraint.type == Type::string)
            return value->view->type == Type::string && value->code == constraint.value;
        if (value->is_number && is_numeric(constraint.type) && accepts(constraint.type, value->view->type)) {
            switch (constraint.op) {
                case Operator::eq:
                    return value->code == constraint.value;
                case Operator::ne:
                    return value->code != constraint.value;
                case Operator::lt:
                    return value->number < filters_.values().number(constraint.value);
                case Operator::le:
                    return value->number <= filters_.values().number(constraint.value);
                case Operator::gt:
                    return value->number > filters_.values().number(constraint.value);
                case Operator::ge:
                    return value->number >= filters_.values().number(constraint.value);
                default:
                    break;
            }
        }
        return holds(constraint, value, filters_.values());
    }

    const FilterStore& filters_;
    Row& row_;
};

}  // namespace penstock
