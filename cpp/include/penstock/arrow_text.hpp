// An array of strings in any of Arrow's three layouts. Nothing is copied.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "penstock/arrow_field.hpp"

namespace penstock {

template <class Value>
Value load_at(const char* bytes, std::int64_t at) {  // buffers need not be aligned
    Value value;
    std::memcpy(&value, bytes + at * static_cast<std::int64_t>(sizeof(Value)), sizeof(Value));
    return value;
}

class ArrowText {
  public:
    ArrowText() = default;
    // For positions in [begin, end) of the buffers of an array that passed check_array.
    ArrowText(const ArrowArray& array, ArrowLayout layout, std::int64_t begin, std::int64_t end,
              const std::string& column);

    // Whether the bytes of the string at a position can be where it says that they are.
    bool is_sound(std::int64_t position) const;
    // Whether all strings, and whatever lies at the places of nulls, are sound and have at most so many
    // bytes. False if that takes a look at each of them.
    bool is_tidy(std::int64_t begin, std::int64_t end, std::int64_t most) const;
    // Of a sound position.
    std::string_view at(std::int64_t position) const {
        std::string_view text;
        with_reader([&](const auto& read) { text = read(position); });
        return text;
    }
    // Calls use(read), where read(position) is at(position) with the layout settled beforehand.
    template <class Use>
    void with_reader(Use&& use) const {
        switch (layout_) {
            case ArrowLayout::string:
                return use([this](std::int64_t position) { return between<std::int32_t>(position); });
            case ArrowLayout::large_string:
                return use([this](std::int64_t position) { return between<std::int64_t>(position); });
            default:
                return use([this](std::int64_t position) { return view_at(position); });
        }
    }
    // How many bytes behind that string are known to lie in the same buffer.
    std::size_t readable_behind(std::int64_t position) const;
    // Whether all strings lie side by side in ASCII, so that none has to be looked at on its own.
    bool is_ascii() const;

  private:
    static constexpr std::int64_t view_size = 16;
    static constexpr std::int32_t inline_size = 12;

    template <class Offset>
    std::string_view between(std::int64_t position) const {
        const std::int64_t start = load_at<Offset>(slots_, position);
        const std::int64_t end = load_at<Offset>(slots_, position + 1);
        if (start == end) return {"", 0};  // there may be no bytes at all
        return {bytes_ + start, static_cast<std::size_t>(end - start)};
    }
    std::string_view view_at(std::int64_t position) const {
        const char* view = slots_ + position * view_size;
        const auto size = load_at<std::int32_t>(view, 0);
        if (size <= inline_size) return {view + 4, static_cast<std::size_t>(size)};
        const auto* piece = static_cast<const char*>(pieces_[load_at<std::int32_t>(view, 2)]);
        return {piece + load_at<std::int32_t>(view, 3), static_cast<std::size_t>(size)};
    }
    std::int64_t offset_at(std::int64_t position) const {
        return layout_ == ArrowLayout::string ? load_at<std::int32_t>(slots_, position)
                                              : load_at<std::int64_t>(slots_, position);
    }

    ArrowLayout layout_ = ArrowLayout::string;
    const char* slots_ = nullptr;  // offsets, or views
    const char* bytes_ = nullptr;  // what offsets point into
    std::int64_t first_ = 0;       // the range of offsets
    std::int64_t last_ = 0;
    const void* const* pieces_ = nullptr;  // what views point into
    std::int64_t piece_count_ = 0;
    const char* piece_sizes_ = nullptr;
};

}  // namespace penstock
