#include "penstock/matched_rows.hpp"

#include <utility>

#include "penstock/error.hpp"

namespace penstock {

namespace {

void check_size(const FoundIds& ids) {
    if (ids.size() > INT32_MAX)
        throw CapacityError("the rows match more than 2 billion interfaces; match fewer rows at a time");
}

}  // namespace

void MatchedRows::end_row() {
    check_size(ids);
    offsets.push_back(static_cast<std::int32_t>(ids.size()));
}

void MatchedRows::end_rows(std::span<const std::size_t> ends) {
    check_size(ids);
    for (const std::size_t end : ends) offsets.push_back(static_cast<std::int32_t>(end));
}

void name_interfaces(MatchedRows& rows, const InterfacePool& interfaces) {
    std::vector<InterfaceId> position(interfaces.bound(), UINT32_MAX);
    for (InterfaceId& id : rows.ids) {
        if (position[id] == UINT32_MAX) {
            position[id] = static_cast<InterfaceId>(rows.names.size());
            rows.names.emplace_back(interfaces.at(id));
        }
        id = position[id];
    }
}

void MatchedRowsJoiner::join_names(MatchedRows& part) {
    if (positions_.empty()) {
        for (const std::string& name : all_.names)
            positions_.emplace(name, static_cast<InterfaceId>(positions_.size()));
    }
    std::vector<InterfaceId> place;
    for (std::string& name : part.names) {
        const auto [found, added] = positions_.emplace(name, static_cast<InterfaceId>(all_.names.size()));
        if (added) all_.names.push_back(std::move(name));
        place.push_back(found->second);
    }
    if (place.empty()) return;
    for (InterfaceId& id : part.ids) id = place[id];
}

void MatchedRowsJoiner::add(MatchedRows part) {
    if (rows() == 0) {
        all_ = std::move(part);
        return;
    }
    join_names(part);
    const std::size_t before = rows();
    const auto start = static_cast<std::int32_t>(all_.ids.size());
    all_.ids.insert(all_.ids.end(), part.ids.begin(), part.ids.end());
    check_size(all_.ids);
    for (std::size_t row = 0; row < part.rows(); ++row) all_.offsets.push_back(start + part.offsets[row + 1]);
    for (const std::size_t row : part.refused) all_.refused.push_back(before + row);
}

}  // namespace penstock
