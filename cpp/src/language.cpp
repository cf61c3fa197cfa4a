// The pipeline from text to predicate.
#include "penstock/language.hpp"

#include "penstock/normal_form.hpp"
#include "penstock/parser.hpp"

namespace penstock {

Predicate parse(std::string_view text, const Limits& limits) {
    return normal_form(parse_syntax(text, limits), limits);
}

}  // namespace penstock
