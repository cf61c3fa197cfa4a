// What a table should hold, and what it finds.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "penstock/evaluate.hpp"
#include "penstock/table.hpp"

namespace penstock {

struct Subscribed {
    std::string interface;
    Predicate predicate;
};
using Model = std::map<SubscriptionId, Subscribed>;

inline std::set<std::string> expected(const Model& model, MessageView message) {
    std::set<std::string> interfaces;
    for (const auto& [id, subscribed] : model) {
        if (matches(subscribed.predicate, message)) interfaces.insert(subscribed.interface);
    }
    return interfaces;
}

inline std::set<std::string> matched(Table& table, MessageView message) {
    return table.read([&](Table::View& view) {
        FoundIds ids;
        view.match(message, ids);
        std::set<std::string> interfaces;
        for (const InterfaceId id : ids) interfaces.emplace(view.catalogue().interfaces().at(id));
        EXPECT_EQ(interfaces.size(), ids.size()) << "an interface came twice";
        return interfaces;
    });
}

}  // namespace penstock
