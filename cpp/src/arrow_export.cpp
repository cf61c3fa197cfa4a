#include "penstock/arrow_export.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "penstock/error.hpp"

namespace penstock {

namespace {

// What an exported structure owns. A consumer may move a part away and keep it longer than the whole, so
// every part owns its own memory; a part that was moved away is empty, and its owner leaves it alone.
struct SchemaContent {
    ArrowOwner<ArrowSchema> child;
    ArrowOwner<ArrowSchema> dictionary;
    std::array<ArrowSchema*, 1> children{};
};

struct ArrayContent {
    std::vector<std::int32_t> offsets;
    std::vector<std::uint32_t> numbers;
    std::vector<char> bytes;
    ArrowOwner<ArrowArray> child;
    ArrowOwner<ArrowArray> dictionary;
    std::array<ArrowArray*, 1> children{};
    std::array<const void*, 3> buffers{};  // the first is the bitmap of nulls, of which there are none
};

template <class Structure, class Content>
void release(Structure* structure) {
    delete static_cast<Content*>(structure->private_data);
    structure->release = nullptr;
}

ArrowOwner<ArrowSchema> to_schema(
    const char* format, const char* name,
    std::unique_ptr<SchemaContent> content = std::make_unique<SchemaContent>()) {
    ArrowSchema schema{};
    schema.format = format;
    schema.name = name;
    schema.flags = ARROW_FLAG_NULLABLE;  // as every library has it for lists that it makes itself
    content->children = {content->child.get()};
    schema.n_children = content->child.empty() ? 0 : 1;
    schema.children = content->children.data();
    if (!content->dictionary.empty()) schema.dictionary = content->dictionary.get();
    schema.release = release<ArrowSchema, SchemaContent>;
    schema.private_data = content.release();
    return ArrowOwner<ArrowSchema>(schema);
}

ArrowOwner<ArrowArray> to_array(std::size_t length, std::vector<const void*> buffers,
                                std::unique_ptr<ArrayContent> content) {
    ArrowArray array{};
    array.length = static_cast<std::int64_t>(length);
    array.n_buffers = static_cast<std::int64_t>(buffers.size()) + 1;
    std::ranges::copy(buffers, content->buffers.begin() + 1);
    array.buffers = content->buffers.data();
    content->children = {content->child.get()};
    array.n_children = content->child.empty() ? 0 : 1;
    array.children = content->children.data();
    if (!content->dictionary.empty()) array.dictionary = content->dictionary.get();
    array.release = release<ArrowArray, ArrayContent>;
    array.private_data = content.release();
    return ArrowOwner<ArrowArray>(array);
}

// The rows as lists over an array of their items.
ArrowResult to_list(std::vector<std::int32_t> offsets, ArrowOwner<ArrowSchema> type,
                    ArrowOwner<ArrowArray> items) {
    auto schema = std::make_unique<SchemaContent>();
    schema->child = std::move(type);
    auto content = std::make_unique<ArrayContent>();
    content->offsets = std::move(offsets);
    content->child = std::move(items);
    const std::size_t rows = content->offsets.size() - 1;
    const void* start = content->offsets.data();
    return {to_schema("+l", "", std::move(schema)), to_array(rows, {start}, std::move(content))};
}

ArrowOwner<ArrowArray> to_numbers(std::vector<std::uint32_t> numbers, ArrowOwner<ArrowArray> dictionary) {
    auto content = std::make_unique<ArrayContent>();
    content->numbers = std::move(numbers);
    content->numbers.reserve(1);  // importers need not like a null pointer, even where nothing is read
    content->dictionary = std::move(dictionary);
    const std::size_t size = content->numbers.size();
    const void* start = content->numbers.data();
    return to_array(size, {start}, std::move(content));
}

// Replaces interface ids by positions in an array of names, which is returned.
ArrowOwner<ArrowArray> encode_names(std::vector<InterfaceId>& ids, const StringPool& interfaces) {
    auto content = std::make_unique<ArrayContent>();
    content->offsets.push_back(0);
    content->bytes.reserve(1);
    std::vector<std::uint32_t> position(interfaces.bound(), UINT32_MAX);
    for (InterfaceId& id : ids) {
        if (position[id] == UINT32_MAX) {
            const std::string_view name = interfaces.at(id);
            if (content->bytes.size() + name.size() > INT32_MAX)
                throw CapacityError("the names of the interfaces are over 2 GiB; ask for ids instead");
            position[id] = static_cast<std::uint32_t>(content->offsets.size() - 1);
            content->bytes.insert(content->bytes.end(), name.begin(), name.end());
            content->offsets.push_back(static_cast<std::int32_t>(content->bytes.size()));
        }
        id = position[id];
    }
    const std::size_t size = content->offsets.size() - 1;
    const void* offsets = content->offsets.data();
    const void* bytes = content->bytes.data();
    return to_array(size, {offsets, bytes}, std::move(content));
}

}  // namespace

ArrowResult export_ids(MatchedRows rows) {
    return to_list(std::move(rows.offsets), to_schema("I", "item"), to_numbers(std::move(rows.ids), {}));
}

ArrowResult export_names(MatchedRows rows, const Catalogue& catalogue) {
    ArrowOwner<ArrowArray> names = encode_names(rows.ids, catalogue.interfaces());
    auto content = std::make_unique<SchemaContent>();
    content->dictionary = to_schema("u", "");
    return to_list(std::move(rows.offsets), to_schema("i", "item", std::move(content)),
                   to_numbers(std::move(rows.ids), std::move(names)));
}

}  // namespace penstock
