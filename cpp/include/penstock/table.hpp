// The forwarding table: a catalogue that changes at any time, and an engine that follows it.
//
// The access engine follows every change in place, and matches in as many threads as there are. The counting
// engine is built anew when it must be, and matches in one thread at a time. Either way a match sees the
// table as it is between two changes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "penstock/access_scratch.hpp"
#include "penstock/catalogue.hpp"
#include "penstock/counting.hpp"
#include "penstock/gate.hpp"
#include "penstock/limits.hpp"
#include "penstock/table_file.hpp"

namespace penstock {

class Table {
  public:
    enum class Engine : std::uint8_t {
        access,
        counting,
        selectivity,
    };
    struct Settings {
        Engine engine = Engine::access;
        // Zero rounds are the counting algorithm; more: that many rows of the selectivity table come first.
        std::uint32_t rounds = 0;
        Limits limits{};  // for whoever reads filters on behalf of the table

        template <class Archive>
        void archive(Archive& archive) {
            archive(engine);
            archive(rounds);
            archive(limits);
        }
    };

    explicit Table(const Settings& settings) : settings_(settings), access_(catalogue_) {}
    explicit Table(Engine engine = Engine::access, std::uint32_t rounds = 0)
        : Table(Settings{.engine = engine, .rounds = rounds}) {}
    // As it was saved, with the ids that it gave out. The access engine matches at once, out of the file's
    // own pages; the others build their index. Throws FileError.
    explicit Table(FileReader&& file);
    // As it is between two changes, in place of a file that may be there. Changes wait while the table is
    // copied, not until it is on the disk; matches of the access engine go on. Throws FileError.
    void save(const std::string& path);
    const Settings& settings() const { return settings_; }

    SubscriptionId subscribe(std::string_view interface, const Predicate& predicate);
    void unsubscribe(SubscriptionId id);  // throws UnknownSubscription
    void build();  // the counting engine's index, unless that is done; gives back memory set aside

    class Bulk;
    class Observation;

    // The table while it stands still.
    class View {
      public:
        // Tells values of one name and type, 64 at most, what the table knows of them, if it can. That is of
        // use where many messages are matched, and holds until the view is renewed, which comes first.
        void renew();
        bool can_resolve(NameId name, Type type) const;
        void resolve(NameId name, std::span<ValueView* const> values);
        // Appends each matching interface once, in no particular order.
        void match(MessageView message, FoundIds& matched);
        // The same for one message after the other; says how many there are after each.
        void match(std::span<const MessageView> messages, FoundIds& matched, std::span<std::size_t> ends);
        const Catalogue& catalogue() const { return table_.catalogue_; }

        struct Step {
            std::string_view name;
            std::uint64_t count;
        };
        std::vector<Step> trace() const;  // what the last match did
        const CountingEngine& counting() const { return table_.counting_; }

        // Bytes by part, largest structures first; `index` parts are what matching needs, the others what
        // subscriptions are read back from.
        struct Part {
            std::string_view name;
            std::size_t bytes;
            bool index;
        };
        std::vector<Part> parts() const;

      private:
        friend Table;
        View(Table& table, AccessEngine::Scratch* scratch) : table_(table), scratch_(scratch) {}

        Table& table_;
        AccessEngine::Scratch* scratch_;  // of the access engine
    };

    bool reads_in_parallel() const { return by_access(); }
    // Calls body(view) while nothing changes. The body must not change the table, nor wait for another thread
    // that may want to.
    template <class Body>
    decltype(auto) read(Body&& body) {
        if (by_access()) {
            const auto reader = gate_.read();
            View view(*this, &reader.scratch());
            return body(view);
        }
        refuse_within_change();
        const auto writer = gate_.write();
        build_counting();
        View view(*this, nullptr);
        return body(view);
    }

  private:
    using TableGate = Gate<AccessEngine::Scratch>;

    // A change has to wait for the one before it; one that is made in the middle of another, by code that the
    // other happens to run, would wait for ever.
    class Change {
      public:
        explicit Change(Table& table);
        ~Change();
        Change(const Change&) = delete;
        Change& operator=(const Change&) = delete;

      private:
        Table& table_;
    };

    void refuse_within_change() const;
    void build_counting();
    bool by_access() const { return settings_.engine == Engine::access; }
    template <class Archive>
    void archive(Archive& archive) {
        catalogue_.archive(archive);
        if (by_access()) access_.archive(archive);
    }
    Follower& follower() { return by_access() ? static_cast<Follower&>(access_) : nobody_; }

    const Settings settings_;
    Mapping mapping_;  // what was loaded lies in it
    Catalogue catalogue_;
    AccessEngine access_;
    CountingEngine counting_{settings_.rounds};
    Nobody nobody_;
    bool built_ = false;
    TableGate gate_;
    std::mutex changing_;
    std::mutex saving_;  // whoever saves last has the last word
    std::atomic<std::thread::id> changer_;
};

// Many subscriptions, all or nothing: unless committed, all are taken back and the table is as it was.
// Matches see none of them before that.
class Table::Bulk {
  public:
    explicit Bulk(Table& table);
    Bulk(const Bulk&) = delete;
    Bulk& operator=(const Bulk&) = delete;
    ~Bulk();

    void subscribe(std::string_view interface, const Predicate& predicate);
    std::size_t size() const { return ids_.size(); }
    std::vector<SubscriptionId> commit();

  private:
    // Filters wait for their places, which are better chosen when all are known.
    class Waiting final : public Follower {
      public:
        explicit Waiting(Follower& engine) : engine_(engine) {}
        void add(FilterId filter) override { filters.push_back(filter); }
        void add_owner(FilterId filter, InterfaceId interface) override {
            engine_.add_owner(filter, interface);
        }
        void remove(FilterId filter) noexcept override { engine_.remove(filter); }
        void remove_owner(FilterId filter, InterfaceId interface) noexcept override {
            engine_.remove_owner(filter, interface);
        }
        std::vector<FilterId> filters;

      private:
        Follower& engine_;
    };
    template <class Body>
    decltype(auto) write(Body&& body) {
        if (standstill_) return body();
        const auto writer = table_.gate_.write();
        return body();
    }

    Table& table_;
    Change change_;
    std::unique_ptr<TableGate::Writer> standstill_;  // counting engines would build what is not committed
    const bool built_;
    const bool was_empty_;
    // A subscription of a filter that has its place already would be seen at once.
    struct Late {
        std::size_t row;
        std::string interface;
        Predicate predicate;
    };
    bool must_wait(const Predicate& predicate);

    static constexpr SubscriptionId none = UINT64_MAX;

    Waiting waiting_;
    std::vector<Late> late_;
    std::vector<SubscriptionId> ids_;  // none for those that are late
};

// Messages like those to come. The access engine learns from them what is likely; filters move, a few at a
// time and with matches in between, to where they should have been. Other engines have nothing to learn.
class Table::Observation {
  public:
    explicit Observation(Table& table) : table_(table), change_(table) {}

    void add(std::span<const MessageView> messages);
    void finish();

  private:
    Table& table_;
    Change change_;
};

}  // namespace penstock
