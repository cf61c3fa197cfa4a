#include "penstock/topic_fault.hpp"

#include <algorithm>

#include "penstock/limits.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

using Code = FilterError::Code;

bool is_control(char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return code < 0x20U || code == 0x7FU;
}

std::optional<TopicFault> level_fault(std::string_view level, std::size_t position, TopicKind kind,
                                      std::size_t at) {
    if (level.empty()) {
        return TopicFault{Code::type, "a topic has no empty levels",
                          "write 'a/b': no '/' at either end, no '//'", at};
    }
    if (level == "*" && kind == TopicKind::topic) {
        return TopicFault{Code::type, "a topic that is published has no wildcards",
                          "name level " + std::to_string(position + 1) + "; '*' is for patterns", at};
    }
    if (level == "*" && position == 0) {
        return TopicFault{Code::type, "the first level of a topic cannot be a wildcard",
                          "start with the name of a stream", at};
    }
    const auto control = std::find_if(level.begin(), level.end(), is_control);
    if (control == level.end()) return std::nullopt;
    return TopicFault{Code::type,
                      "a topic cannot hold control characters",
                      {},
                      at + static_cast<std::size_t>(control - level.begin())};
}

}  // namespace

std::optional<TopicFault> topic_fault(std::string_view text, TopicKind kind, std::size_t most_levels) {
    if (text.size() > max_string_bytes) {
        return TopicFault{
            Code::limit,
            "a topic of " + grouped(text.size()) + " bytes (limit " + grouped(max_string_bytes) + ")",
            {},
            0};
    }
    const auto levels = static_cast<std::size_t>(std::count(text.begin(), text.end(), '/')) + 1;
    if (levels > most_levels) {
        return TopicFault{
            Code::limit,
            "a topic of " + grouped(levels) + " levels (limit " + std::to_string(most_levels) + ")",
            {},
            0};
    }
    std::size_t at = 0;
    for (std::size_t position = 0; position < levels; ++position) {
        const std::size_t end = std::min(text.find('/', at), text.size());
        if (auto fault = level_fault(text.substr(at, end - at), position, kind, at)) return fault;
        at = end + 1;
    }
    return std::nullopt;
}

}  // namespace penstock
