// The forwarding table: a catalogue that changes at any time, and an engine that is rebuilt when it must be.
//
// Changes only touch the catalogue; the next match, or an explicit build(), consolidates them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/catalogue.hpp"
#include "penstock/counting.hpp"

namespace penstock {

class Table {
  public:
    // Zero rounds: the counting algorithm. More: that many rows of the selectivity table come first.
    explicit Table(std::uint32_t rounds = 0) : engine_(rounds) {}

    SubscriptionId subscribe(std::string_view interface, const Predicate& predicate);
    void unsubscribe(SubscriptionId id);  // throws UnknownSubscription
    void build();

    // Many subscriptions, all or nothing: unless committed, all are taken back and the table is as it was.
    class Bulk {
      public:
        explicit Bulk(Table& table) : table_(table), built_(table.built_) {}
        Bulk(const Bulk&) = delete;
        Bulk& operator=(const Bulk&) = delete;
        ~Bulk();

        void subscribe(std::string_view interface, const Predicate& predicate);
        std::size_t size() const { return ids_.size(); }
        std::vector<SubscriptionId> commit() { return std::exchange(ids_, {}); }

      private:
        Table& table_;
        const bool built_;
        std::vector<SubscriptionId> ids_;
    };

    // Appends each matching interface once, in no particular order.
    void match(MessageView message, std::vector<InterfaceId>& matched);

    const Catalogue& catalogue() const { return catalogue_; }
    const CountingEngine& engine() const { return engine_; }

    // Bytes by part, largest structures first; `index` parts are what matching needs, the others what
    // subscriptions are read back from.
    struct Part {
        std::string_view name;
        std::size_t bytes;
        bool index;
    };
    std::vector<Part> parts() const;

  private:
    Catalogue catalogue_;
    CountingEngine engine_;
    bool built_ = false;
};

}  // namespace penstock
