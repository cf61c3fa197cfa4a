// Arrow structures made by hand, as a producer would make them, and as no producer should. They count how
// often they are released.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "penstock/arrow_table.hpp"

namespace penstock {

inline int living_structures = 0;  // filled and not yet released

struct Made;
// Releases the parts that were made, not those that a broken structure claims to have.
template <class Structure>
void release_and_count(Structure* structure);

// A column and its memory; the memory lives as long as this does, so a use after release shows in the counts
// and a read outside shows in the sanitizer.
struct Made {
    ArrowSchema schema{};
    ArrowArray array{};
    std::string format;
    std::string name;
    std::vector<std::unique_ptr<char[]>> memory;
    std::vector<const void*> buffers;
    std::vector<std::unique_ptr<Made>> parts;  // children
    std::unique_ptr<Made> dictionary;
    std::vector<ArrowSchema*> child_schemas;
    std::vector<ArrowArray*> child_arrays;

    Made(std::string type, std::string called, std::int64_t length)
        : format(std::move(type)), name(std::move(called)) {
        schema.format = format.c_str();
        schema.name = name.c_str();
        schema.flags = ARROW_FLAG_NULLABLE;
        array.length = length;
    }

    // A copy on the heap of exactly that many bytes, so that one byte too far is seen.
    template <class Value>
    Made& buffer(const std::vector<Value>& values) {
        const std::size_t size = values.size() * sizeof(Value);
        auto bytes = std::make_unique<char[]>(size);
        if (size > 0) std::memcpy(bytes.get(), values.data(), size);
        buffers.push_back(bytes.get());
        memory.push_back(std::move(bytes));
        return *this;
    }
    Made& no_buffer() {
        buffers.push_back(nullptr);
        return *this;
    }
    Made& child(std::unique_ptr<Made> part) {
        parts.push_back(std::move(part));
        return *this;
    }

    // Connects everything; afterwards the two structures can be handed over.
    Made& finish() {
        for (auto& part : parts) {
            part->finish();
            child_schemas.push_back(&part->schema);
            child_arrays.push_back(&part->array);
        }
        schema.children = child_schemas.data();
        array.children = child_arrays.data();
        schema.n_children = array.n_children = static_cast<std::int64_t>(parts.size());
        if (dictionary) {
            dictionary->finish();
            schema.dictionary = &dictionary->schema;
            array.dictionary = &dictionary->array;
        }
        array.buffers = buffers.data();
        array.n_buffers = static_cast<std::int64_t>(buffers.size());
        schema.private_data = array.private_data = this;
        schema.release = release_and_count<ArrowSchema>;
        array.release = release_and_count<ArrowArray>;
        living_structures += 2;
        return *this;
    }
};

template <class Structure>
void release_and_count(Structure* structure) {
    ASSERT_NE(structure->release, nullptr) << "released twice";
    const auto release_part = [](Made& part) {
        if constexpr (std::is_same_v<Structure, ArrowSchema>) {
            if (part.schema.release != nullptr) part.schema.release(&part.schema);
        } else {
            if (part.array.release != nullptr) part.array.release(&part.array);
        }
    };
    const Made& made = *static_cast<Made*>(structure->private_data);
    for (const auto& part : made.parts) release_part(*part);
    if (made.dictionary) release_part(*made.dictionary);
    structure->release = nullptr;
    --living_structures;
}

inline std::unique_ptr<Made> make(std::string format, std::string name, std::int64_t length) {
    return std::make_unique<Made>(std::move(format), std::move(name), length);
}

template <class Value>
std::unique_ptr<Made> numbers(std::string format, std::string name, const std::vector<Value>& values) {
    auto made = make(std::move(format), std::move(name), static_cast<std::int64_t>(values.size()));
    made->no_buffer().buffer(values);
    return made;
}

template <class Offset = std::int32_t>
std::unique_ptr<Made> texts(std::string name, const std::vector<std::string>& values) {
    std::vector<Offset> offsets{0};
    std::vector<char> bytes;
    for (const std::string& value : values) {
        bytes.insert(bytes.end(), value.begin(), value.end());
        offsets.push_back(static_cast<Offset>(bytes.size()));
    }
    auto made =
        make(sizeof(Offset) == 4 ? "u" : "U", std::move(name), static_cast<std::int64_t>(values.size()));
    made->no_buffer().buffer(offsets).buffer(bytes);
    return made;
}

inline std::unique_ptr<Made> batch_of(std::int64_t rows) {
    auto batch = make("+s", "", rows);
    batch->no_buffer();
    return batch;
}

inline ArrowTable table_of(Made& batch) {
    ArrowTable table;
    table.schema = ArrowOwner<ArrowSchema>(batch.schema);
    table.batches.emplace_back(batch.array);
    return table;
}

}  // namespace penstock
