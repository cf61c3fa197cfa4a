#include "penstock/table.hpp"

#include <algorithm>
#include <stdexcept>

namespace penstock {

void Table::refuse_within_change() const {
    if (changer_.load() == std::this_thread::get_id())
        throw std::logic_error("this thread is in the middle of another change of the table");
}

Table::Change::Change(Table& table) : table_(table) {
    table.refuse_within_change();
    table.changing_.lock();
    table.changer_.store(std::this_thread::get_id());
}

Table::Change::~Change() {
    table_.changer_.store({});
    table_.changing_.unlock();
}

SubscriptionId Table::subscribe(std::string_view interface, const Predicate& predicate) {
    const Change change(*this);
    const auto writer = gate_.write();
    const SubscriptionId id = catalogue_.subscribe(interface, predicate, follower());
    built_ = false;
    return id;
}

void Table::unsubscribe(SubscriptionId id) {
    const Change change(*this);
    const auto writer = gate_.write();
    catalogue_.unsubscribe(id, follower());
    built_ = false;
}

void Table::build() {
    const Change change(*this);
    const auto writer = gate_.write();
    if (!by_access()) return build_counting();
    catalogue_.shrink();
    access_.shrink();
}

void Table::build_counting() {
    if (built_) return;
    catalogue_.shrink();
    counting_.build(catalogue_);
    built_ = true;
}

void Table::View::renew() {
    if (scratch_ != nullptr) table_.access_.renew(*scratch_);
}

bool Table::View::can_resolve(NameId name, Type type) const {
    return scratch_ != nullptr && table_.access_.can_resolve(name, type);
}

void Table::View::resolve(NameId name, std::span<ValueView* const> values) {
    table_.access_.resolve(name, values, *scratch_);
}

void Table::View::match(MessageView message, FoundIds& matched) {
    if (scratch_ != nullptr) return table_.access_.match(message, *scratch_, matched);
    table_.built_ = false;  // should memory run out halfway, the engine's scratch is not clean: build anew
    table_.counting_.match(message, matched);
    table_.built_ = true;
}

void Table::View::match(std::span<const MessageView> messages, FoundIds& matched,
                        std::span<std::size_t> ends) {
    if (scratch_ != nullptr) return table_.access_.match(messages, *scratch_, matched, ends);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        match(messages[i], matched);
        ends[i] = matched.size();
    }
}

std::vector<Table::View::Step> Table::View::trace() const {
    if (scratch_ != nullptr) {
        const AccessEngine::Trace& trace = scratch_->trace();
        return {{"lookups", trace.lookups}, {"candidates", trace.candidates}, {"judged", trace.judged}};
    }
    const CountingEngine::Trace& trace = table_.counting_.trace();
    return {{"constraints", trace.constraints}, {"postings", trace.postings}, {"excluded", trace.excluded}};
}

std::vector<Table::View::Part> Table::View::parts() const {
    std::vector<Part> parts;
    if (scratch_ != nullptr) {
        const AccessEngine::Bytes engine = table_.access_.bytes();
        parts = {
            {"keys", engine.keys, true},
            {"axes", engine.axes, true},
            {"fronts", engine.fronts, true},
            {"sheets", engine.sheets, true},
            {"patterns", engine.patterns, true},
            {"names of the index", engine.names, true},
            {"statistics", engine.statistics, true},
            {"scratch of this thread", scratch_->bytes(), true},
        };
    } else {
        const CountingEngine::Bytes engine = table_.counting_.bytes();
        parts = {
            {"names", engine.names, true},
            {"numbers", engine.numbers, true},
            {"strings", engine.strings, true},
            {"bools and presence", engine.other, true},
            {"postings", engine.postings, true},
            {"counters and owners", engine.filters, true},
            {"selectivity table", engine.selectivity, true},
            {"scratch", engine.scratch, true},
        };
    }
    const bool needed = scratch_ != nullptr;  // the access engine reads filters where they are stored
    const FilterStore& filters = catalogue().filters();
    parts.push_back(
        {"catalogue: names and values", filters.names().bytes() + filters.values().bytes(), needed});
    parts.push_back({"catalogue: filters", filters.bytes(), needed});
    parts.push_back({"catalogue: subscriptions", catalogue().subscription_bytes(), false});
    parts.push_back({"catalogue: interfaces", catalogue().interfaces().bytes(), false});
    return parts;
}

Table::Bulk::Bulk(Table& table)
    : table_(table),
      change_(table),
      standstill_(table.by_access() ? nullptr : new TableGate::Writer(table.gate_.write())),
      built_(table.built_),
      was_empty_(table.catalogue_.size() == 0),
      waiting_(table.follower()) {}

void Table::Bulk::subscribe(std::string_view interface, const Predicate& predicate) {
    ids_.push_back(none);  // first, so that nothing can fail once it is subscribed
    try {
        write([&] {
            // Who comes after one that waits does so too: interfaces get their ids in the order of the rows.
            if (!late_.empty() || must_wait(predicate)) {
                late_.push_back({ids_.size() - 1, std::string(interface), predicate});
            } else {
                ids_.back() = table_.catalogue_.subscribe(interface, predicate, waiting_);
            }
        });
        table_.built_ = false;
    } catch (...) {
        ids_.pop_back();
        throw;
    }
}

bool Table::Bulk::must_wait(const Predicate& predicate) {
    if (was_empty_) return false;
    return std::ranges::any_of(predicate.filters,
                               [&](const FilterPtr& filter) { return table_.catalogue_.has_place(*filter); });
}

std::vector<SubscriptionId> Table::Bulk::commit() {
    write([&] {
        for (const Late& late : late_)
            ids_[late.row] = table_.catalogue_.subscribe(late.interface, late.predicate, waiting_);
        for (const FilterId filter : waiting_.filters) table_.follower().foresee(filter);
        for (const FilterId filter : waiting_.filters) table_.follower().add(filter);
        if (ids_.size() > table_.catalogue_.size() / 2) {
            table_.catalogue_.shrink();
            table_.access_.shrink();
        }
    });
    return std::exchange(ids_, {});
}

Table::Bulk::~Bulk() {
    if (ids_.empty()) return;
    write([&] {
        for (auto id = ids_.rbegin(); id != ids_.rend(); ++id) {
            if (*id != none) table_.catalogue_.retract(*id, waiting_);
        }
    });
    table_.built_ = built_;
}

void Table::Observation::add(std::span<const MessageView> messages) {
    if (!table_.by_access()) return;
    const auto writer = table_.gate_.write();
    for (const MessageView message : messages) table_.access_.observe(message);
}

void Table::Observation::finish() {
    if (!table_.by_access()) return;
    std::vector<FilterId> filters;
    table_.catalogue_.filters().for_each([&](FilterId filter) { filters.push_back(filter); });
    constexpr std::size_t at_a_time = 64;
    for (std::size_t done = 0; done < filters.size();) {
        const auto writer = table_.gate_.write();
        const std::size_t end = std::min(done + at_a_time, filters.size());
        while (done < end) table_.access_.replace(filters[done++]);
    }
}

}  // namespace penstock
