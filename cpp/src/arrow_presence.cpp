#include "penstock/arrow_presence.hpp"

namespace penstock {

void ArrowPresence::make_words() {
    if (!words_.empty()) return;
    const bool none = count_ == 0;
    words_.resize(static_cast<std::size_t>((rows_ + 63) / 64), none ? 0 : ~std::uint64_t{0});
    if (!none && rows_ % 64 != 0) words_.back() = first_rows(static_cast<unsigned>(rows_ % 64));
}

void ArrowPresence::count() {
    count_ = 0;
    for (const std::uint64_t word : words_) count_ += count_ones(word);
}

void ArrowPresence::keep(const ArrowBitmap& bitmap) {
    make_words();
    std::int64_t begin = 0;
    for (std::uint64_t& word : words_) {
        word &= bitmap.word(begin, static_cast<unsigned>(std::min<std::int64_t>(64, rows_ - begin)));
        begin += 64;
    }
    count();
}

}  // namespace penstock
