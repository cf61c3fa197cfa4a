// What topics and their patterns may look like, and the words for those that do not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "penstock/error.hpp"

namespace penstock {

struct TopicFault {
    FilterError::Code code;
    std::string message;
    std::string hint;
    std::size_t at;  // byte offset
};

enum class TopicKind {
    topic,   // as it is published: levels that say what they are
    pattern  // as it is subscribed to: from the second level on, '*' stands for any one level
};

// The first thing that is wrong with the text; nothing if it will do.
std::optional<TopicFault> topic_fault(std::string_view text, TopicKind kind, std::size_t most_levels);

}  // namespace penstock
