// Parts of arrays that lie apart, one after the other.
//
// Whether a part is empty cannot be foretold, so none is asked: an empty one is written down and then written
// over.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace penstock {

template <class T>
class Stretches {
  public:
    // Before so many are added.
    void make_room(std::size_t more) {
        if (parts_.size() < count_ + more) parts_.resize(2 * (count_ + more));
    }
    // Precondition: there is room.
    void add(std::span<const T> part) {
        parts_[count_] = part;
        count_ += part.empty() ? 0 : 1;
        total_ += part.size();
    }
    void clear() { count_ = total_ = 0; }

    std::span<const std::span<const T>> parts() const { return {parts_.data(), count_}; }
    std::size_t total() const { return total_; }  // of what is in all parts
    std::size_t bytes() const { return parts_.capacity() * sizeof(parts_[0]); }

  private:
    std::vector<std::span<const T>> parts_;
    std::size_t count_ = 0;
    std::size_t total_ = 0;
};

}  // namespace penstock
