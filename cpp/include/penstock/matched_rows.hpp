// Which interfaces the rows of a table go to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "penstock/catalogue.hpp"
#include "penstock/found_ids.hpp"

namespace penstock {

// The interfaces of row i are ids[offsets[i]] up to ids[offsets[i + 1]]: Arrow's own layout of lists.
struct MatchedRows {
    std::vector<std::int32_t> offsets{0};
    FoundIds ids;
    std::vector<std::size_t> refused{};  // rows without an answer, in order; their lists are empty
    std::vector<std::string> names{};    // once the interfaces are named, ids are positions in here

    std::size_t rows() const { return offsets.size() - 1; }
    // Ends the row that the last ids were found for, or the rows whose ids end there. Throws CapacityError
    // when Arrow cannot count them.
    void end_row();
    void end_rows(std::span<const std::size_t> ends);
};

// Replaces ids by positions among the names of those that occur, each of which is there once. An id may come
// to mean another interface, so do it before the table can change.
void name_interfaces(MatchedRows& rows, const InterfacePool& interfaces);

// Puts rows behind each other.
class MatchedRowsJoiner {
  public:
    std::size_t rows() const { return all_.rows(); }
    void add(MatchedRows part);  // throws CapacityError
    MatchedRows finish() { return std::move(all_); }

  private:
    void join_names(MatchedRows& part);

    MatchedRows all_;
    std::unordered_map<std::string, InterfaceId> positions_;  // of names, when there are several parts
};

}  // namespace penstock
