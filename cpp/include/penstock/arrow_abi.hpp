// The C structures through which Arrow libraries hand data to each other, as the Arrow specification lays
// them down, and an owner for each. Nothing of Arrow's own libraries is needed.
#pragma once

#include <cstdint>
#include <utility>

extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema** children;
    struct ArrowSchema* dictionary;
    void (*release)(struct ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void** buffers;
    struct ArrowArray** children;
    struct ArrowArray* dictionary;
    void (*release)(struct ArrowArray*);
    void* private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
    int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
    const char* (*get_last_error)(struct ArrowArrayStream*);
    void (*release)(struct ArrowArrayStream*);
    void* private_data;
};

#endif
}

namespace penstock {

// Owns one of the three structures: what its producer filled in is released exactly once. A structure
// without a release callback is empty: never filled, moved away, or released.
template <class Structure>
class ArrowOwner {
  public:
    ArrowOwner() = default;
    // Takes the content and leaves `source` empty, as the specification has it for moves.
    explicit ArrowOwner(Structure& source) : content_(source) { source.release = nullptr; }
    ArrowOwner(ArrowOwner&& other) noexcept : ArrowOwner(other.content_) {}
    ArrowOwner& operator=(ArrowOwner&& other) noexcept {
        std::swap(content_, other.content_);
        return *this;
    }
    ArrowOwner(const ArrowOwner&) = delete;
    ArrowOwner& operator=(const ArrowOwner&) = delete;
    ~ArrowOwner() {
        if (content_.release != nullptr) content_.release(&content_);
    }

    bool empty() const { return content_.release == nullptr; }
    Structure* get() { return &content_; }
    const Structure& operator*() const { return content_; }
    const Structure* operator->() const { return &content_; }

  private:
    Structure content_{};
};

}  // namespace penstock
