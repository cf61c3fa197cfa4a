#include "penstock/batch_threads.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

namespace penstock {

namespace {

// Calls work(0) up to work(count - 1) in as many threads as can be had; false if one of them failed.
bool run(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    const auto serve = [&] {
        for (std::size_t i = next++; i < count && !failed; i = next++) {
            try {
                work(i);
            } catch (...) {
                failed = true;
            }
        }
    };
    std::vector<std::jthread> threads;
    threads.reserve(count);
    try {
        while (threads.size() + 1 < count) threads.emplace_back(serve);
    } catch (const std::system_error&) {
        // There are no more: those that there are do all of the work.
    }
    serve();
    threads.clear();
    return !failed;
}

std::size_t parts_for(const Table& table, std::size_t threads) {
    if (!table.reads_in_parallel()) return 1;
    return threads == 0 ? std::thread::hardware_concurrency() : threads;
}

// What answer(view, rows) says about each part of the rows. When one fails, all rows are one part: which
// fault is told does not depend on the number of threads.
template <class Answer>
auto in_parts(Table& table, const ArrowTable& data, std::size_t threads, const Answer& answer) {
    using Result = decltype(answer(std::declval<Table::View&>(), std::declval<const ArrowRows&>()));
    const auto read = [&](const ArrowRows& rows) {
        return table.read([&](Table::View& view) { return answer(view, rows); });
    };
    const std::vector<ArrowRows> parts = cut(data, parts_for(table, threads));
    std::vector<Result> results(parts.size());
    if (parts.size() == 1) {
        results[0] = read(parts[0]);
    } else if (!run(parts.size(), [&](std::size_t i) { results[i] = read(parts[i]); })) {
        results.clear();
        results.push_back(read(all_rows(data)));
    }
    return results;
}

}  // namespace

MatchedRows match_in_threads(Table& table, const ArrowTable& data, const BatchOrder& order) {
    MatchedRowsJoiner joined;
    for (MatchedRows& rows :
         in_parts(table, data, order.threads, [&](Table::View& view, const ArrowRows& part) {
             MatchedRows found = match_rows(view, part);
             if (order.names) name_interfaces(found, view.catalogue().interfaces());
             return found;
         }))
        joined.add(std::move(rows));
    return joined.finish();
}

JsonRows match_json_in_threads(Table& table, const ArrowTable& data, std::string_view column,
                               const BatchOrder& order) {
    MatchedRowsJoiner joined;
    std::vector<RowFault> faults;
    for (JsonRows& rows : in_parts(table, data, order.threads, [&](Table::View& view, const ArrowRows& part) {
             JsonRows found = match_json_rows(view, part, column);
             if (order.names) name_interfaces(found.matched, view.catalogue().interfaces());
             return found;
         })) {
        for (RowFault& fault : rows.faults) {
            fault.row += joined.rows();
            faults.push_back(std::move(fault));
        }
        joined.add(std::move(rows.matched));
    }
    return {joined.finish(), std::move(faults)};
}

}  // namespace penstock
