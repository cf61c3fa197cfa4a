#include "penstock/topic_table.hpp"

#include <stdexcept>
#include <type_traits>

namespace penstock {

TopicTable::Index TopicTable::make_index(const Settings& settings) {
    switch (settings.scheme) {
        case Scheme::tree:
            return TopicTree();
        case Scheme::hash:
            return TopicHash(settings.levels);
        case Scheme::regex:
            return TopicOutside();
        default:
            return TopicRadix();
    }
}

SubscriptionId TopicTable::subscribe(std::string_view pattern, std::string_view destination) {
    const TopicLevels levels = read_pattern(pattern);
    const std::lock_guard changing(changing_);
    const auto writer = gate_.write();
    stamps_.change(pattern);
    return std::visit([&](auto& index) { return catalogue_.subscribe(levels, destination, index); }, index_);
}

std::vector<SubscriptionId> TopicTable::subscribe_many(std::span<const Row> rows) {
    std::vector<SubscriptionId> ids;
    ids.reserve(rows.size());
    const std::lock_guard changing(changing_);
    const auto writer = gate_.write();
    std::visit(
        [&](auto& index) {
            try {
                for (const Row& row : rows) {
                    stamps_.change(row.pattern);
                    ids.push_back(catalogue_.subscribe(read_pattern(row.pattern), row.destination, index));
                }
            } catch (...) {
                for (const SubscriptionId id : ids) catalogue_.unsubscribe(id, index);
                throw;
            }
        },
        index_);
    if (rows.size() > catalogue_.size() / 2) shrink();
    return ids;
}

void TopicTable::unsubscribe(SubscriptionId id) {
    const std::lock_guard changing(changing_);
    const auto writer = gate_.write();
    stamps_.change(catalogue_.pattern_of(id));
    std::visit([&](auto& index) { catalogue_.unsubscribe(id, index); }, index_);
}

void TopicTable::shrink() {
    catalogue_.shrink();
    std::visit([](auto& index) { index.shrink(); }, index_);
}

void TopicTable::View::match(std::string_view topic, FoundIds& destinations) {
    const TopicLevels levels = TopicLevels::topic(topic, table_.settings_.levels);
    const TopicPatterns& patterns = catalogue().patterns();
    std::vector<PatternId>& found = scratch_.found;
    found.clear();
    std::visit(
        [&]<class Index>(const Index& index) {
            if constexpr (std::is_same_v<Index, TopicOutside>) {
                throw std::logic_error("the patterns of this table are matched outside of the core");
            } else {
                index.match(patterns, levels, scratch_);
            }
        },
        table_.index_);
    if (catalogue().one_subscription_each()) {
        for (const PatternId id : found) {
            const std::span<const DestinationId> all = patterns.destinations(id);
            destinations.insert(destinations.end(), all.begin(), all.end());
        }
        return;
    }
    scratch_.seen.begin(catalogue().destinations().bound());
    for (const PatternId id : found) {
        for (const DestinationId destination : patterns.destinations(id)) {
            if (scratch_.seen.is_new(destination)) destinations.push_back(destination);
        }
    }
}

std::vector<TopicTable::View::Part> TopicTable::View::parts() const {
    const std::size_t index = std::visit([](const auto& held) { return held.bytes(); }, table_.index_);
    return {
        {"index", index, true},
        {"patterns", catalogue().patterns().bytes(), false},
        {"subscriptions", catalogue().subscription_bytes(), false},
        {"destinations", catalogue().destinations().bytes(), false},
    };
}

std::vector<TopicTable::View::Count> TopicTable::View::counts() const {
    if (const auto* radix = std::get_if<TopicRadix>(&table_.index_)) return {{"nodes", radix->nodes()}};
    if (const auto* tree = std::get_if<TopicTree>(&table_.index_))
        return {{"nodes", tree->nodes()}, {"edges", tree->edges()}};
    if (const auto* hash = std::get_if<TopicHash>(&table_.index_))
        return {{"first levels", hash->first_levels()}};
    return {};
}

}  // namespace penstock
