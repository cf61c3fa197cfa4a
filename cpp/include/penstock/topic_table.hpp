// Topics with wildcards: patterns that change at any time, and the destinations of each topic.
//
// Any number of threads match at once; a change waits for them, and each match sees the table between two
// changes. Every scheme follows changes in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "penstock/found_ids.hpp"
#include "penstock/gate.hpp"
#include "penstock/limits.hpp"
#include "penstock/table_file.hpp"
#include "penstock/topic_catalogue.hpp"
#include "penstock/topic_hash.hpp"
#include "penstock/topic_outside.hpp"
#include "penstock/topic_radix.hpp"
#include "penstock/topic_scratch.hpp"
#include "penstock/topic_stamps.hpp"
#include "penstock/topic_tree.hpp"

namespace penstock {

class TopicTable {
  public:
    // In the order of the alternatives of Index.
    enum class Scheme : std::uint8_t {
        radix,
        tree,
        hash,
        regex,  // which is matched outside of the core
    };
    struct Settings {
        Scheme scheme = Scheme::radix;
        std::uint32_t levels = max_topic_levels;  // of a pattern or a topic, at most

        template <class Archive>
        void archive(Archive& archive) {
            archive(scheme);
            archive(levels);
        }
    };

    explicit TopicTable(const Settings& settings) : settings_(settings), index_(make_index(settings)) {}
    // As it was saved, with the ids that it gave out, out of the file's own pages. Throws FileError.
    explicit TopicTable(FileReader&& file);
    // As it is between two changes, in place of a file that may be there. Changes wait while the table is
    // copied, not until it is on the disk; matches go on. Throws FileError.
    void save(const std::string& path);
    const Settings& settings() const { return settings_; }

    // Throws FilterError for what is no pattern, and CapacityError; then nothing has changed.
    SubscriptionId subscribe(std::string_view pattern, std::string_view destination);
    struct Row {
        std::string_view pattern;
        std::string_view destination;
    };
    // All or nothing, and seen by matches at once.
    std::vector<SubscriptionId> subscribe_many(std::span<const Row> rows);
    void unsubscribe(SubscriptionId id);  // throws UnknownSubscription
    // As subscribe() does. Throws FilterError.
    TopicLevels read_pattern(std::string_view text) const {
        return TopicLevels::pattern(text, settings_.levels);
    }

    // Another one after each change that may concern the topic. What was matched stays true as long as the
    // stamp that it was matched under does.
    std::uint64_t stamp_of(std::string_view topic) const { return stamps_.of(topic); }

    // The table while it stands still.
    class View {
      public:
        // Appends each destination once, in no particular order. Throws MessageError for what is no topic.
        void match(std::string_view topic, FoundIds& destinations);
        const TopicCatalogue& catalogue() const { return table_.catalogue_; }

        struct Part {
            std::string_view name;
            std::size_t bytes;
            bool index;  // what finds patterns, beside what they are
        };
        std::vector<Part> parts() const;
        struct Count {
            std::string_view name;
            std::size_t count;
        };
        std::vector<Count> counts() const;  // in the words of the scheme

      private:
        friend TopicTable;
        View(const TopicTable& table, TopicScratch& scratch) : table_(table), scratch_(scratch) {}

        const TopicTable& table_;
        TopicScratch& scratch_;
    };

    // Calls body(view) while nothing changes. The body must not change the table, nor wait for another thread
    // that may want to.
    template <class Body>
    decltype(auto) read(Body&& body) {
        const auto reader = gate_.read();
        View view(*this, reader.scratch());
        return body(view);
    }

  private:
    using Index = std::variant<TopicRadix, TopicTree, TopicHash, TopicOutside>;
    static Index make_index(const Settings& settings);
    template <class Archive>
    void archive(Archive& archive) {
        catalogue_.archive(archive);
        std::visit([&](auto& index) { index.archive(archive); }, index_);
    }
    void shrink();

    const Settings settings_;
    Mapping mapping_;  // what was loaded lies in it
    TopicCatalogue catalogue_;
    Index index_;
    TopicStamps stamps_;
    Gate<TopicScratch> gate_;
    std::mutex changing_;
    std::mutex saving_;  // whoever saves last has the last word
};

}  // namespace penstock
