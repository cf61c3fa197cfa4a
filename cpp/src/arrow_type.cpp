#include "penstock/arrow_type.hpp"

#include <array>

namespace penstock {

namespace {

constexpr std::string_view several = "several values for one attribute are not supported yet";
constexpr std::string_view binary = "cast it to string if it holds UTF-8 text";
constexpr std::string_view decimal = "cast it to float64, or to string";
constexpr std::string_view time = "cast it to int64, or to string";
constexpr std::string_view other = "cast it to string, int64, float64 or bool";

using enum ArrowLayout;
constexpr std::array types{
    ArrowType{"n", "null", null, {}},
    ArrowType{"b", "bool", boolean, {}},
    ArrowType{"c", "int8", int8, {}},
    ArrowType{"s", "int16", int16, {}},
    ArrowType{"i", "int32", int32, {}},
    ArrowType{"l", "int64", int64, {}},
    ArrowType{"C", "uint8", uint8, {}},
    ArrowType{"S", "uint16", uint16, {}},
    ArrowType{"I", "uint32", uint32, {}},
    ArrowType{"L", "uint64", uint64, {}},
    ArrowType{"e", "float16", float16, {}},
    ArrowType{"f", "float32", float32, {}},
    ArrowType{"g", "float64", float64, {}},
    ArrowType{"u", "string", string, {}},
    ArrowType{"U", "large_string", large_string, {}},
    ArrowType{"vu", "string_view", string_view, {}},
    ArrowType{"z", "binary", unsupported, binary, string},
    ArrowType{"Z", "large_binary", unsupported, binary, large_string},
    ArrowType{"vz", "binary_view", unsupported, binary, string_view},
    ArrowType{"w:", "fixed_size_binary", unsupported, binary},
    ArrowType{"d:", "decimal", unsupported, decimal},
    ArrowType{"td", "date", unsupported, time},
    ArrowType{"tt", "time", unsupported, time},
    ArrowType{"ts", "timestamp", unsupported, time},
    ArrowType{"tD", "duration", unsupported, time},
    ArrowType{"ti", "interval", unsupported, time},
    ArrowType{"+l", "list", unsupported, several},
    ArrowType{"+L", "large_list", unsupported, several},
    ArrowType{"+vl", "list_view", unsupported, several},
    ArrowType{"+vL", "large_list_view", unsupported, several},
    ArrowType{"+w:", "fixed_size_list", unsupported, several},
    ArrowType{"+m", "map", unsupported, several},
    ArrowType{"+s", "struct", unsupported, other},
    ArrowType{"+u", "union", unsupported, other},
    ArrowType{"+r", "run_end_encoded", unsupported, other},
};
constexpr ArrowType unknown{"", "unknown", unsupported, other};

}  // namespace

const ArrowType& arrow_type(std::string_view format) {
    for (const ArrowType& type : types) {
        const bool exact = type.layout != unsupported || type.bytes != unsupported;
        if (exact ? format == type.format : format.starts_with(type.format)) return type;
    }
    return unknown;
}

}  // namespace penstock
