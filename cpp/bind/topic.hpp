// The object behind TopicTable: the core's table, with what must be kept between calls.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "answer_cache.hpp"
#include "bind.hpp"
#include "name_cache.hpp"
#include "penstock/topic_table.hpp"

namespace penstock::bind {

// As with other tables, no method waits for the table while it holds the interpreter, and none touches Python
// while it holds the table.
class PyTopicTable {
  public:
    PyTopicTable(TopicTable::Scheme scheme, std::uint32_t levels)
        : table_({.scheme = scheme, .levels = levels}) {}
    explicit PyTopicTable(FileReader&& file) : table_(std::move(file)) {}

    std::int64_t subscribe(nb::handle pattern, nb::handle destination);
    nb::object subscribe_many(nb::handle patterns, nb::handle destinations);
    void unsubscribe(nb::handle id);
    nb::tuple match(nb::handle topic);
    nb::object match_ids(nb::handle topic);
    nb::tuple match_batch(nb::handle data, nb::handle column, bool names);
    nb::tuple match_batch_by(nb::handle data, nb::handle column, bool names, const nb::callable& matcher);

    TopicTable& table() { return table_; }

    template <class Body>
    auto without_gil(Body&& body) {
        const nb::gil_scoped_release release;
        return body();
    }
    template <class Body>
    auto read(Body&& body) {
        const nb::gil_scoped_release release;
        return table_.read(body);
    }

  private:
    struct Answer {
        nb::tuple names;
        std::uint64_t stamp;
    };
    Answer find_names(std::string_view topic);

    TopicTable table_;
    AnswerCache answers_;
    NameCache names_;
};

// A topic as it is published; raises TypeError for what is no str, MessageError for lone surrogates.
std::string_view topic_text(nb::handle topic);

// Parts of the class that have a file of their own.
void bind_topic_inspection(nb::class_<PyTopicTable>& table);

}  // namespace penstock::bind
