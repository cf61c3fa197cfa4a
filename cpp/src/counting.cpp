#include "penstock/counting.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace penstock {

void CountingEngine::build(const Catalogue& catalogue) {
    const ConstraintTable table(catalogue.filters());
    const std::vector<std::uint32_t> numbers = index_.build(table);
    const std::vector<std::uint16_t> sizes = network_.build(catalogue, table, numbers);
    selectivity_.build(catalogue, index_, rounds_);

    const auto fill = [&]<class Count>(Counters<Count> counters) {
        counters.initial.assign(sizes.begin(), sizes.end());
        counters.remaining = counters.initial;
        counters_ = std::move(counters);
    };
    const bool wide = !sizes.empty() && std::ranges::max(sizes) >= std::numeric_limits<std::uint8_t>::max();
    if (wide) {
        fill(Counters<std::uint16_t>());
    } else {
        fill(Counters<std::uint8_t>());
    }
    answer_.seen.resize(index_.size());
    present_.resize(index_.name_count());
    ignored_.resize(network_.owner_bound());
}

void CountingEngine::match(MessageView message, FoundIds& matched) {
    const std::size_t first = matched.size();
    trace_ = {};
    done_ = 0;
    resolve(message);
    exclude();
    if (done_ < network_.interface_count()) {
        // Where each interface has one filter and none is excluded, no filter ever needs skipping.
        const bool skips = !network_.one_filter_each() || trace_.excluded > 0;
        std::visit(
            [&](auto& counters) {
                network_.with_owners([&](auto owner_of) {
                    using Count = typename std::decay_t<decltype(counters.initial)>::value_type;
                    if (skips) {
                        forward<Count, decltype(owner_of), true>(counters, owner_of, matched);
                    } else {
                        forward<Count, decltype(owner_of), false>(counters, owner_of, matched);
                    }
                    restore(counters);
                });
            },
            counters_);
    }
    forget(matched, first);
}

void CountingEngine::resolve(MessageView message) {
    lookups_.clear();
    for (const Attribute& attribute : message) {
        const std::uint32_t name = index_.find(attribute.name);
        if (name != ConstraintIndex::none) lookups_.push_back({name, &attribute.value});
    }
}

void CountingEngine::exclude() {
    if (selectivity_.rows().empty()) return;
    for (const Lookup& lookup : lookups_) present_.set(lookup.name);
    done_ = selectivity_.exclude(present_, ignored_);
    for (const Lookup& lookup : lookups_) present_.reset(lookup.name);
    trace_.excluded = done_;
}

namespace {

// The inner loop: counts down filters until one is complete. Everything it uses is passed by value, since the
// compiler must otherwise assume that a write to a byte-sized counter changes any of it.
template <bool skips, class Count, class OwnerOf>
const std::uint32_t* count_down(const std::uint32_t* at, const std::uint32_t* end, Count* remaining,
                                OwnerOf owner_of, const std::uint64_t* ignored) {
    for (; at != end; ++at) {
        // A filter is skipped by counting nothing: whether it is cannot be predicted, so there is no branch.
        unsigned step = 1;
        if constexpr (skips) {
            const std::uint32_t owner = owner_of(*at);
            step = ~(ignored[owner >> 6U] >> (owner & 63U)) & 1U;
        }
        const auto left = static_cast<Count>(remaining[*at] - step);
        remaining[*at] = left;
        if (left == 0) break;
    }
    return at;
}

}  // namespace

template <class Count, class OwnerOf, bool skips>
void CountingEngine::forward(Counters<Count>& counters, OwnerOf owner_of, FoundIds& matched) {
    Count* const remaining = counters.remaining.data();
    const auto output = [&](InterfaceId interface) {
        if constexpr (skips) {
            if (ignored_.test(interface)) return;
            ignored_.set(interface);
        }
        matched.push_back(interface);
        ++done_;
    };
    const auto touch = [&](const std::uint32_t* first, const std::uint32_t* last) {
        touched_.emplace_back(first, last);
        trace_.postings += static_cast<std::uint64_t>(last - first);
    };
    // Counts down the filters of a run; false when every interface is done.
    const auto walk = [&](const Run& run) {
        trace_.constraints += run.last - run.first;
        const std::span<const std::uint32_t> filters = network_.filters(run);
        const std::uint32_t* const first = filters.data();
        const std::uint32_t* const end = first + filters.size();
        for (const std::uint32_t* at = first;; ++at) {
            at = count_down<skips>(at, end, remaining, owner_of, ignored_.words());
            if (at == end) break;
            const std::uint32_t owner = owner_of(*at);
            if (owner < network_.interface_bound()) {
                output(owner);
            } else {
                for (const InterfaceId interface : network_.group(owner)) output(interface);
            }
            if (done_ == network_.interface_count()) {
                touch(first, at + 1);
                return false;
            }
        }
        touch(first, end);
        return true;
    };

    for (const Lookup& lookup : lookups_) {
        const std::uint32_t absence = index_.absence(lookup.name);
        if (absence == ConstraintIndex::none) continue;
        const std::span<const std::uint32_t> vetoed = network_.filters({absence, absence + 1});
        for (const std::uint32_t filter : vetoed) remaining[filter] = 0;
        touch(vetoed.data(), vetoed.data() + vetoed.size());
    }
    if (!walk(network_.always())) return;
    for (const Lookup& lookup : lookups_) {
        answer_.runs.clear();
        index_.match(lookup.name, *lookup.value, answer_);
        for (const Run& run : answer_.runs) {
            if (!walk(run)) return;
        }
    }
}

// Sets the counters back: one by one where few were touched, all at once otherwise.
template <class Count>
void CountingEngine::restore(Counters<Count>& counters) {
    if (trace_.postings * 16 < counters.initial.size()) {
        for (const std::span<const std::uint32_t> filters : touched_) {
            for (const std::uint32_t filter : filters) counters.remaining[filter] = counters.initial[filter];
        }
    } else {
        std::ranges::copy(counters.initial, counters.remaining.begin());
    }
    touched_.clear();
}

void CountingEngine::forget(const FoundIds& matched, std::size_t first) {
    if (trace_.excluded > 0) {
        ignored_.clear();
    } else {
        for (std::size_t i = first; i < matched.size(); ++i) ignored_.reset(matched[i]);
    }
}

CountingEngine::Bytes CountingEngine::bytes() const {
    const ConstraintIndex::Bytes index = index_.bytes();
    const std::size_t counters = std::visit(
        [](const auto& array) {
            return (array.initial.capacity() + array.remaining.capacity()) * sizeof(array.initial[0]);
        },
        counters_);
    return {
        .names = index.names,
        .numbers = index.numbers,
        .strings = index.strings,
        .other = index.other,
        .postings = network_.posting_bytes(),
        .filters = network_.owner_bytes() + counters,
        .selectivity = selectivity_.bytes(),
        .scratch = answer_.seen.bytes() + present_.bytes() + ignored_.bytes(),
    };
}

}  // namespace penstock
