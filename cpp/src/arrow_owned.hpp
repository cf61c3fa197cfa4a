// Arrow structures that own their memory: what an export is put together from.
//
// A consumer may move a part away and keep it longer than the whole, so every part owns its own memory; a
// part that was moved away is empty, and its owner leaves it alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/arrow_abi.hpp"
#include "penstock/found_ids.hpp"

namespace penstock {

template <class Structure>
struct OwnedParts {
    std::vector<ArrowOwner<Structure>> children;
    ArrowOwner<Structure> dictionary;
    std::vector<Structure*> pointers;  // to the children

    // Afterwards the structure refers to the parts, which must not move any more.
    void connect(Structure& structure) {
        for (ArrowOwner<Structure>& child : children) pointers.push_back(child.get());
        structure.n_children = static_cast<std::int64_t>(children.size());
        structure.children = pointers.data();
        if (!dictionary.empty()) structure.dictionary = dictionary.get();
    }
};

using OwnedSchema = OwnedParts<ArrowSchema>;

struct OwnedArray : OwnedParts<ArrowArray> {
    std::vector<std::uint8_t> validity;  // empty when nothing is null
    std::vector<std::int32_t> offsets;
    FoundIds ids;
    std::vector<char> bytes;
    std::array<const void*, 3> buffers{};
};

template <class Structure, class Content>
ArrowOwner<Structure> hand_over(Structure structure, std::unique_ptr<Content> content) {
    content->connect(structure);
    structure.release = [](Structure* released) {
        delete static_cast<Content*>(released->private_data);
        released->release = nullptr;
    };
    structure.private_data = content.release();
    return ArrowOwner<Structure>(structure);
}

inline ArrowOwner<ArrowSchema> to_schema(
    const char* format, const char* name,
    std::unique_ptr<OwnedSchema> content = std::make_unique<OwnedSchema>()) {
    ArrowSchema schema{};
    schema.format = format;
    schema.name = name;
    schema.flags = ARROW_FLAG_NULLABLE;  // as every library has it for arrays that it makes itself
    return hand_over(schema, std::move(content));
}

// The buffers are those that follow the bitmap of nulls.
inline ArrowOwner<ArrowArray> to_array(std::size_t length, std::size_t nulls,
                                       const std::vector<const void*>& buffers,
                                       std::unique_ptr<OwnedArray> content) {
    ArrowArray array{};
    array.length = static_cast<std::int64_t>(length);
    array.null_count = static_cast<std::int64_t>(nulls);
    array.n_buffers = static_cast<std::int64_t>(buffers.size()) + 1;
    if (!content->validity.empty()) content->buffers[0] = content->validity.data();
    std::ranges::copy(buffers, content->buffers.begin() + 1);
    array.buffers = content->buffers.data();
    return hand_over(array, std::move(content));
}

}  // namespace penstock
