// The interfaces that a message has been found to go to.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "penstock/access_scratch.hpp"

namespace penstock {

class AccessOutput {
  public:
    using Row = AccessEngine::Scratch::Row;

    AccessOutput(const Catalogue& catalogue, Row& row)
        : row_(row), interfaces_(catalogue.interfaces().size()), distinct_(catalogue.one_filter_each()) {
        if (!distinct_ && row.seen.size() < catalogue.interfaces().bound())
            row.seen.resize(catalogue.interfaces().bound());
    }

    bool has_all() const { return !distinct_ && found_ == interfaces_; }
    // All of them may soon be found.
    bool expects_all() const { return !distinct_ && interfaces_ <= few; }
    bool has(InterfaceId interface) const { return !distinct_ && row_.seen.test(interface); }

    // Before so many are emitted.
    void make_place(std::size_t more) {
        if (row_.output.size() < found_ + more) row_.output.resize(2 * (found_ + more));
    }
    // Precondition: there is a place for it, even if it is not taken.
    void emit(InterfaceId interface) { emit_if(true, interface); }
    void emit_if(bool condition, InterfaceId interface) {
        row_.output[found_] = interface;
        found_ += distinct_ ? condition : condition & row_.seen.insert_if(condition, interface);
    }
    // False if these were the last ones.
    bool emit_all(std::span<const InterfaceId> interfaces) {
        make_place(interfaces.size());
        if (distinct_) {
            std::memcpy(row_.output.data() + found_, interfaces.data(), interfaces.size_bytes());
            found_ += interfaces.size();
            return true;
        }
        for (const InterfaceId interface : interfaces) emit(interface);
        return !has_all();
    }

    // Once, at the end.
    void append_to(std::vector<InterfaceId>& matched) {
        matched.insert(matched.end(), row_.output.data(), row_.output.data() + found_);
        if (distinct_) return;
        for (std::size_t i = 0; i < found_; ++i) row_.seen.reset(row_.output[i]);
    }

  private:
    static constexpr std::size_t few = 64;

    Row& row_;
    std::size_t interfaces_;
    bool distinct_;          // no interface can be found twice
    std::size_t found_ = 0;  // how many there are in the output by now
};

}  // namespace penstock
