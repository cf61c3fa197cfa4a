#include "penstock/batch_threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace penstock {

namespace {

// Parts for each thread: who is held up, by others on the machine or by rows that match much, leaves some of
// its share to the others.
constexpr std::size_t parts_each = 4;

// Calls work(0) up to work(count - 1) in as many of the threads as can be had, and passes on what one throws.
void run(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::mutex failing;
    std::exception_ptr failure;
    const auto serve = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(failing);
                failure = std::current_exception();
                next = count;
            }
        }
    };
    std::vector<std::jthread> helpers;
    try {
        while (helpers.size() + 1 < std::min(threads, count)) helpers.emplace_back(serve);
    } catch (const std::system_error&) {
        // There are no more: those that there are do all of the work.
    }
    serve();
    helpers.clear();
    if (failure) std::rethrow_exception(failure);
}

// What answer(view, ranges) says about each part of the rows.
template <class Answer>
auto in_parts(Table& table, std::span<const std::int64_t> lengths, std::size_t threads,
              const Answer& answer) {
    using Result = decltype(answer(std::declval<Table::View&>(), std::declval<const RowRanges&>()));
    if (threads == 0) threads = std::thread::hardware_concurrency();
    const bool alone = threads <= 1 || !table.reads_in_parallel();
    const std::vector<RowRanges> parts = cut_rows(lengths, alone ? 1 : threads * parts_each);
    std::vector<Result> results(parts.size());
    run(parts.size(), alone ? 1 : threads, [&](std::size_t i) {
        results[i] = table.read([&](Table::View& view) { return answer(view, parts[i]); });
    });
    return results;
}

}  // namespace

MatchedRows match_in_threads(Table& table, const ArrowTable& data, const BatchOrder& order) {
    const MessageRows messages(data);
    MatchedRowsJoiner joined;
    const auto answer = [&](Table::View& view, const RowRanges& part) {
        MatchedRows found = match_rows(view, messages, part);
        if (order.names) name_interfaces(found, view.catalogue().interfaces());
        return found;
    };
    for (MatchedRows& rows : in_parts(table, messages.lengths(), order.threads, answer))
        joined.add(std::move(rows));
    return joined.finish();
}

JsonRows match_json_in_threads(Table& table, const ArrowTable& data, std::string_view column,
                               const BatchOrder& order) {
    const TextRows texts(data, column);
    MatchedRowsJoiner joined;
    std::vector<RowFault> faults;
    const auto answer = [&](Table::View& view, const RowRanges& part) {
        JsonRows found = match_json_rows(view, texts, part);
        if (order.names) name_interfaces(found.matched, view.catalogue().interfaces());
        return found;
    };
    for (JsonRows& rows : in_parts(table, texts.lengths(), order.threads, answer)) {
        for (RowFault& fault : rows.faults) {
            fault.row += joined.rows();
            faults.push_back(std::move(fault));
        }
        joined.add(std::move(rows.matched));
    }
    return {joined.finish(), std::move(faults)};
}

}  // namespace penstock
