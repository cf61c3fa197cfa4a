#include "penstock/arrow_text.hpp"

#include "penstock/arrow_validity.hpp"
#include "penstock/utf8_check.hpp"

namespace penstock {

ArrowText::ArrowText(const ArrowArray& array, ArrowLayout layout, std::int64_t begin, std::int64_t end,
                     const std::string& column)
    : layout_(layout) {
    const bool views = layout == ArrowLayout::string_view;
    if (begin == end) return;
    slots_ = buffer_of(array, 1, column);
    if (views) {  // the last buffer holds the sizes of those before it
        piece_count_ = array.n_buffers - 3;
        pieces_ = array.buffers + 2;
        if (piece_count_ > 0) piece_sizes_ = buffer_of(array, array.n_buffers - 1, column);
        return;
    }
    first_ = offset_at(begin);
    last_ = offset_at(end);
    if (first_ < 0 || last_ < first_) refuse_array(column, "has offsets that do not rise");
    if (first_ != last_) bytes_ = buffer_of(array, 2, column);
}

bool ArrowText::is_sound(std::int64_t position) const {
    if (layout_ != ArrowLayout::string_view) {
        const std::int64_t start = offset_at(position);
        const std::int64_t end = offset_at(position + 1);
        return first_ <= start && start <= end && end <= last_;
    }
    const char* view = slots_ + position * view_size;
    const auto size = load_at<std::int32_t>(view, 0);
    if (size <= inline_size) return size >= 0;
    const auto piece = load_at<std::int32_t>(view, 2);
    const auto start = load_at<std::int32_t>(view, 3);
    if (piece < 0 || piece >= piece_count_ || start < 0 || pieces_[piece] == nullptr) return false;
    return std::int64_t{start} + size <= load_at<std::int64_t>(piece_sizes_, piece);
}

namespace {

// Whether offsets rise, by at most so much each. Without a branch, so that many are compared at a time.
template <class Offset>
bool rises_slowly(const char* offsets, std::int64_t begin, std::int64_t end, std::int64_t most) {
    std::uint64_t wrong = 0;  // its highest bit, the sign of all that was met
    for (std::int64_t at = begin; at < end; ++at) {
        const std::uint64_t step = static_cast<std::uint64_t>(load_at<Offset>(offsets, at + 1)) -
                                   static_cast<std::uint64_t>(load_at<Offset>(offsets, at));
        wrong |= step | (static_cast<std::uint64_t>(most) - step);
    }
    return wrong >> 63U == 0;
}

}  // namespace

bool ArrowText::is_tidy(std::int64_t begin, std::int64_t end, std::int64_t most) const {
    switch (layout_) {
        case ArrowLayout::string:
            return rises_slowly<std::int32_t>(slots_, begin, end, most);
        case ArrowLayout::large_string:
            return rises_slowly<std::int64_t>(slots_, begin, end, most);
        default:
            return false;
    }
}

std::size_t ArrowText::readable_behind(std::int64_t position) const {
    if (layout_ != ArrowLayout::string_view) {
        const std::int64_t end = offset_at(position + 1);
        return end == offset_at(position) ? 0 : static_cast<std::size_t>(last_ - end);
    }
    const char* view = slots_ + position * view_size;
    const auto size = load_at<std::int32_t>(view, 0);
    if (size <= inline_size) return 0;
    const std::int64_t end = std::int64_t{load_at<std::int32_t>(view, 3)} + size;
    return static_cast<std::size_t>(load_at<std::int64_t>(piece_sizes_, load_at<std::int32_t>(view, 2)) -
                                    end);
}

bool ArrowText::is_ascii() const {
    if (layout_ == ArrowLayout::string_view) return false;
    return first_ == last_ || penstock::is_ascii({bytes_ + first_, static_cast<std::size_t>(last_ - first_)});
}

}  // namespace penstock
