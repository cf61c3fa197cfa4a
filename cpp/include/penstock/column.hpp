// A growable array of plain records that owns its memory or borrows it from a mapped file.
//
// Everything that a table keeps lies in columns and refers to other records by number, never by address: so
// a table is saved by writing its columns, and loaded by pointing at them. Borrowed memory is private to the
// process and may be written; growth moves the records into memory of the column's own.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace penstock {

// Memory that grows without being copied once it is large: the pages are moved, not their contents.
class Memory {
  public:
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Memory(Memory&& other) noexcept { *this = std::move(other); }
    Memory& operator=(Memory&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(kind_, other.kind_);
        return *this;
    }
    ~Memory() { release(); }

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }  // how much there is room for

    void borrow(void* data, std::size_t bytes) {
        release();
        data_ = data;
        bytes_ = bytes;
        kind_ = Kind::borrowed;
    }
    // Keeps the first `kept` bytes; returns from where on the rest is known to be zero. Throws std::bad_alloc
    // and changes nothing when there is no more memory.
    std::size_t resize(std::size_t bytes, std::size_t kept);
    // For what will stay as it is for a while: addresses in few large pages are found faster. Takes no more
    // memory.
    void use_huge_pages();

  private:
    enum class Kind : std::uint8_t {
        heap,
        pages,
        borrowed
    };
    void release();

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    Kind kind_ = Kind::heap;
};

template <class T>
class Column {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Column() = default;
    Column(Column&& other) noexcept
        : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
    Column& operator=(Column&& other) noexcept {
        memory_ = std::move(other.memory_);
        std::swap(size_, other.size_);
        return *this;
    }

    T* data() { return static_cast<T*>(memory_.data()); }
    const T* data() const { return static_cast<const T*>(memory_.data()); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t capacity() const { return memory_.bytes() / sizeof(T); }
    std::size_t bytes() const { return std::max(memory_.bytes(), size_ * sizeof(T)); }

    T& operator[](std::size_t at) { return data()[at]; }
    const T& operator[](std::size_t at) const { return data()[at]; }
    T& back() { return data()[size_ - 1]; }
    const T& back() const { return data()[size_ - 1]; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    operator std::span<const T>() const { return {data(), size_}; }

    void reserve(std::size_t wanted) {
        if (wanted > capacity()) memory_.resize(wanted * sizeof(T), size_ * sizeof(T));
    }
    void push_back(const T& value) {
        const T copy = value;  // it may lie in here
        if (size_ == capacity()) grow(size_ + 1);
        data()[size_++] = copy;
    }
    // So that the next push_back() cannot fail.
    void make_room() {
        if (size_ == capacity()) grow(size_ + 1);
    }
    void pop_back() { --size_; }
    void resize(std::size_t size, const T& fill = T()) {
        const T copy = fill;
        if (size > capacity()) grow(size);
        if (size > size_) std::fill(data() + size_, data() + size, copy);
        size_ = size;
    }
    // Zeros from the old end on; takes no more memory than that needs, and none before it is used.
    void extend(std::size_t size) {
        std::size_t zeros = capacity() * sizeof(T);
        if (size > capacity()) zeros = memory_.resize(size * sizeof(T), size_ * sizeof(T));
        const std::size_t first = size_ * sizeof(T);
        const std::size_t last = std::min(zeros, size * sizeof(T));
        if (last > first) std::memset(static_cast<char*>(memory_.data()) + first, 0, last - first);
        size_ = size;
    }
    void clear() { size_ = 0; }
    void shrink() {
        if (capacity() > size_) memory_.resize(size_ * sizeof(T), size_ * sizeof(T));
        memory_.use_huge_pages();
    }
    // The records lie elsewhere, in memory that outlives the column and that it may write.
    void borrow(T* data, std::size_t size) {
        memory_.borrow(data, size * sizeof(T));
        size_ = size;
    }

  private:
    // By a quarter: pages move cheaply, and what is set aside counts.
    void grow(std::size_t wanted) {
        memory_.resize(std::max(wanted, capacity() + capacity() / 4 + 8) * sizeof(T), size_ * sizeof(T));
    }

    Memory memory_;
    std::size_t size_ = 0;
};

}  // namespace penstock
