// The interfaces that a message has been found to go to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "penstock/access_scratch.hpp"
#include "penstock/found_ids.hpp"
#include "penstock/interface_set.hpp"

namespace penstock {

class AccessOutput {
  public:
    using Row = AccessEngine::Scratch::Row;

    // At the end of these, if nobody else writes to them meanwhile.
    AccessOutput(const Catalogue& catalogue, Row& row, FoundIds* matched)
        : row_(row),
          output_(matched == nullptr ? row.output : *matched),
          first_(matched == nullptr ? 0 : matched->size()),
          interfaces_(catalogue.interfaces().size()),
          form_(form_for(catalogue)) {
        const std::size_t bound = std::max<std::size_t>(catalogue.interfaces().bound(), InterfaceSet::most);
        if (form_ != Form::distinct && row.seen.size() < bound) row.seen.resize(bound);
    }

    bool has_all() const { return form_ != Form::distinct && found_ == interfaces_; }
    // Interfaces are few: all of them may soon be found, and sets of them can be emitted.
    bool is_for_few() const { return form_ == Form::few; }
    bool has(InterfaceId interface) const { return form_ != Form::distinct && row_.seen.test(interface); }

    // Before so many are emitted.
    void make_place(std::size_t more) {
        const std::size_t end = found_ + more;
        if (form_ != Form::few && output_.size() < first_ + end) output_.resize(first_ + 2 * end);
    }
    // Precondition: there is a place for it, even if it is not taken.
    void emit(InterfaceId interface) { emit_if(true, interface); }
    void emit_if(bool condition, InterfaceId interface) {
        if (form_ != Form::few) output_[first_ + found_] = interface;
        found_ += form_ == Form::distinct ? condition : condition & row_.seen.insert_if(condition, interface);
    }
    // Calls body(emit_if) where up to so many may be emitted: in which form they are kept is asked but once.
    template <class Body>
    void emit_many(std::size_t most, const Body& body) {
        make_place(most);
        if (form_ != Form::distinct)
            return body([this](bool condition, InterfaceId interface) { emit_if(condition, interface); });
        InterfaceId* const begin = output_.data() + first_;
        InterfaceId* place = begin + found_;
        body([&place](bool condition, InterfaceId interface) {
            *place = interface;
            place += condition ? 1 : 0;
        });
        found_ = static_cast<std::size_t>(place - begin);
    }
    // False if these were the last ones.
    bool emit_all(std::span<const InterfaceId> interfaces) {
        make_place(interfaces.size());
        if (form_ == Form::distinct) {
            std::memcpy(output_.data() + first_ + found_, interfaces.data(), interfaces.size_bytes());
            found_ += interfaces.size();
            return true;
        }
        for (const InterfaceId interface : interfaces) emit(interface);
        return !has_all();
    }
    void emit_all(const Stretches<InterfaceId>& stretches) {
        make_place(stretches.total());
        if (form_ == Form::distinct) {
            InterfaceId* place = output_.data() + first_ + found_;
            for (const std::span<const InterfaceId> part : stretches.parts()) {
                std::memcpy(place, part.data(), part.size_bytes());
                place += part.size();
            }
            found_ += stretches.total();
        } else {
            for (const std::span<const InterfaceId> part : stretches.parts()) {
                for (const InterfaceId interface : part) emit(interface);
            }
        }
    }
    // False if these were the last ones. Precondition: they are few.
    bool emit_all(const InterfaceSet& interfaces) {
        found_ += row_.seen.unite(interfaces.words);
        return !has_all();
    }

    // The same in two steps: unless they are counted, nothing else is true of them.
    void unite(const InterfaceSet& interfaces) { row_.seen.unite_uncounted(interfaces.words); }
    bool count() {
        found_ = row_.seen.count();
        return !has_all();
    }

    // Once, at the end.
    void append_to(FoundIds& matched) {
        if (form_ == Form::few) return append_few(matched);
        const std::span found(output_.data() + first_, found_);
        if (form_ == Form::many) {
            for (const InterfaceId interface : found) row_.seen.reset(interface);
        }
        if (&matched == &output_) {
            matched.resize(first_ + found_);
        } else {
            matched.insert(matched.end(), found.begin(), found.end());
        }
    }

  private:
    // What is kept of those that are found: their numbers only, as no interface can be found twice; a set
    // only, as there are few; or both.
    enum class Form : std::uint8_t {
        distinct,
        few,
        many
    };
    static Form form_for(const Catalogue& catalogue) {
        if (catalogue.interfaces().bound() <= InterfaceSet::most) return Form::few;
        return catalogue.one_filter_each() ? Form::distinct : Form::many;
    }
    void append_few(FoundIds& matched) {
        matched.resize(matched.size() + found_);
        InterfaceId* place = matched.data() + matched.size() - found_;
        row_.seen.drain([&](std::size_t interface) { *place++ = static_cast<InterfaceId>(interface); });
    }

    Row& row_;
    FoundIds& output_;
    std::size_t first_;  // what was found starts there
    std::size_t interfaces_;
    Form form_;
    std::size_t found_ = 0;  // how many there are by now
};

}  // namespace penstock
