// The words of the filter language as text.
#include "penstock/vocabulary.hpp"

#include <array>

namespace penstock {

std::string_view name_of(Type type) {
    // In the order of the enumeration.
    static constexpr std::array<std::string_view, 6> names = {"any", "string", "number",
                                                              "int", "float",  "bool"};
    return names[static_cast<std::size_t>(type)];
}

std::string_view name_of(Operator op) {
    static constexpr std::array<std::string_view, 20> names = {
        "=",           "!=",
        "<",           ">=",
        ">",           "<=",
        "STARTS WITH", "NOT STARTS WITH",
        "ENDS WITH",   "NOT ENDS WITH",
        "CONTAINS",    "NOT CONTAINS",
        "IN",          "NOT IN",
        "LIKE",        "NOT LIKE",
        "TOPIC",       "NOT TOPIC",
        "EXISTS",      "NOT EXISTS",
    };
    return names[static_cast<std::size_t>(op)];
}

}  // namespace penstock
