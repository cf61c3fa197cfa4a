#include "penstock/table.hpp"

namespace penstock {

SubscriptionId Table::subscribe(std::string_view interface, const Predicate& predicate) {
    const SubscriptionId id = catalogue_.subscribe(interface, predicate);
    built_ = false;
    return id;
}

void Table::unsubscribe(SubscriptionId id) {
    catalogue_.unsubscribe(id);
    built_ = false;
}

void Table::Bulk::subscribe(std::string_view interface, const Predicate& predicate) {
    ids_.push_back(0);  // first, so that nothing can fail once it is subscribed
    try {
        ids_.back() = table_.subscribe(interface, predicate);
    } catch (...) {
        ids_.pop_back();
        throw;
    }
}

Table::Bulk::~Bulk() {
    if (ids_.empty()) return;
    for (auto id = ids_.rbegin(); id != ids_.rend(); ++id) table_.catalogue_.retract(*id);
    table_.built_ = built_;
}

void Table::build() {
    if (built_) return;
    catalogue_.shrink();
    engine_.build(catalogue_);
    built_ = true;
}

void Table::match(MessageView message, std::vector<InterfaceId>& matched) {
    build();
    built_ = false;  // should memory run out halfway, the engine's scratch is not clean: build anew
    engine_.match(message, matched);
    built_ = true;
}

std::vector<Table::Part> Table::parts() const {
    const CountingEngine::Bytes engine = engine_.bytes();
    return {
        {"names", engine.names, true},
        {"numbers", engine.numbers, true},
        {"strings", engine.strings, true},
        {"bools and presence", engine.other, true},
        {"postings", engine.postings, true},
        {"counters and owners", engine.filters, true},
        {"selectivity table", engine.selectivity, true},
        {"scratch", engine.scratch, true},
        {"catalogue: constraints", catalogue_.constraints().bytes(), false},
        {"catalogue: filters", catalogue_.filters().bytes(), false},
        {"catalogue: subscriptions", catalogue_.subscription_bytes(), false},
        {"catalogue: interfaces", catalogue_.interfaces().bytes(), false},
    };
}

}  // namespace penstock
