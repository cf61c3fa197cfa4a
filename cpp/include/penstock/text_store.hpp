// Text that is put together piece by piece and stays where it is, so that views of it last until clear().
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace penstock {

// In chunks, each twice as large as the one before. The first is kept when the others are given back: what
// one message needs the next one will need, too, and an unusual one shall not be paid for ever after.
class TextStore {
  public:
    TextStore() = default;
    TextStore(const TextStore&) = delete;
    TextStore& operator=(const TextStore&) = delete;

    // So many characters, to be written by the caller.
    char* allocate(std::size_t size) {
        if (size > room_) add_chunk(size);
        char* const text = next_;
        next_ += size;
        room_ -= size;
        return text;
    }
    void clear() {
        if (chunks_.empty()) return;
        chunks_.resize(1);
        next_ = chunks_.front().get();
        room_ = kept_;
    }

  private:
    static constexpr std::size_t smallest = 4096;

    void add_chunk(std::size_t size) {
        const std::size_t usual = smallest << std::min<std::size_t>(chunks_.size(), 10);
        const std::size_t room = std::max(usual, size);
        chunks_.push_back(std::make_unique_for_overwrite<char[]>(room));
        next_ = chunks_.back().get();
        room_ = room;
        if (chunks_.size() == 1) kept_ = room;
    }

    std::vector<std::unique_ptr<char[]>> chunks_;
    std::size_t kept_ = 0;  // the size of the first
    char* next_ = nullptr;
    std::size_t room_ = 0;
};

}  // namespace penstock
