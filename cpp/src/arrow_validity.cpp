#include "penstock/arrow_validity.hpp"

#include <algorithm>
#include <bit>

#include "penstock/error.hpp"
#include "penstock/wording.hpp"

namespace penstock {

std::uint64_t ArrowBitmap::word_at(const unsigned char* byte, unsigned skipped, unsigned count) {
    std::uint64_t bits = static_cast<std::uint64_t>(*byte) >> skipped;
    for (unsigned read = 8 - skipped; read < count; read += 8) {
        bits |= static_cast<std::uint64_t>(*++byte) << read;
    }
    return bits & first_rows(count);
}

std::int64_t ArrowBitmap::count_ones(std::int64_t rows) const {
    std::int64_t ones = 0;
    for (std::int64_t begin = 0; begin < rows; begin += 64) {
        const auto count = static_cast<unsigned>(std::min<std::int64_t>(64, rows - begin));
        ones += penstock::count_ones(word(begin, count));
    }
    return ones;
}

void refuse_array(const std::string& column, const std::string& why) {
    const std::string where = column.empty() ? "the batch" : "column '" + excerpt(column) + "'";
    throw ArrowError("the Arrow data is broken: " + where + " " + why);
}

void check_array(const ArrowArray& array, const std::string& column, std::int64_t buffers, bool more) {
    if (array.release == nullptr) refuse_array(column, "was already released");
    if (array.length < 0 || array.offset < 0 || array.length > INT64_MAX / 64 - array.offset)
        refuse_array(column, "has an impossible length or offset");
    if (array.null_count < -1 || array.null_count > array.length)
        refuse_array(column, "has an impossible number of nulls");
    if (array.n_buffers < buffers || (array.n_buffers > buffers && !more))
        refuse_array(column, "has a wrong number of buffers");
    if (buffers == 0) return;
    if (array.buffers == nullptr) refuse_array(column, "lacks its buffers");
    if (array.null_count == -1) return;
    const void* bitmap = array.buffers[0];
    const std::int64_t present =
        bitmap == nullptr ? array.length : ArrowBitmap(bitmap, array.offset).count_ones(array.length);
    if (array.length - present != array.null_count)
        refuse_array(column, "has another number of nulls than it says");
}

const ArrowArray& child_of(const ArrowArray& parent, std::int64_t at, std::int64_t rows,
                           const std::string& column) {
    if (at >= parent.n_children || parent.children == nullptr || parent.children[at] == nullptr)
        refuse_array(column, "is missing");
    const ArrowArray& child = *parent.children[at];
    if (child.length < rows) refuse_array(column, "is shorter than the batch");
    return child;
}

const char* buffer_of(const ArrowArray& array, std::int64_t at, const std::string& column) {
    if (array.buffers[at] == nullptr) refuse_array(column, "lacks a buffer");
    return static_cast<const char*>(array.buffers[at]);
}

}  // namespace penstock
