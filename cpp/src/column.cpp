#include "penstock/column.hpp"

namespace penstock {

namespace {

// From here on memory comes in pages of its own.
constexpr std::size_t large = 1U << 20U;

std::size_t whole_pages(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    return (bytes + page - 1) / page * page;
}

void* map_pages(std::size_t bytes) {
    void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    return pages;
}

void* move_pages(void* pages, std::size_t old_bytes, std::size_t bytes, [[maybe_unused]] std::size_t kept) {
#ifdef __linux__
    void* const moved = ::mremap(pages, old_bytes, bytes, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    return moved;
#else
    void* const fresh = map_pages(bytes);
    std::memcpy(fresh, pages, kept);
    ::munmap(pages, old_bytes);
    return fresh;
#endif
}

#if defined(__linux__) && !defined(MADV_COLLAPSE)
constexpr int MADV_COLLAPSE = 25;  // since Linux 6.1
#endif

}  // namespace

void Memory::use_huge_pages() {
#ifdef __linux__
    constexpr std::uintptr_t huge = 2U << 20U;
    const auto address = reinterpret_cast<std::uintptr_t>(data_);
    const std::uintptr_t first = (address + huge - 1) / huge * huge;
    const std::uintptr_t last = (address + bytes_) / huge * huge;
    if (kind_ == Kind::pages && first < last)
        ::madvise(reinterpret_cast<void*>(first), last - first, MADV_COLLAPSE);  // a wish, no more
#endif
}

void Memory::release() {
    if (kind_ == Kind::heap) std::free(data_);
    if (kind_ == Kind::pages) ::munmap(data_, bytes_);
    data_ = nullptr;
    bytes_ = 0;
    kind_ = Kind::heap;
}

std::size_t Memory::resize(std::size_t bytes, std::size_t kept) {
    if (bytes == 0) {
        release();
        return 0;
    }
    const bool wants_pages = bytes >= large;
    if (wants_pages) bytes = whole_pages(bytes);
    if (kind_ == Kind::heap && !wants_pages) {
        void* const moved = std::realloc(data_, bytes);
        if (moved == nullptr) throw std::bad_alloc();
        data_ = moved;
        bytes_ = bytes;
        return bytes;
    }
    if (kind_ == Kind::pages && wants_pages) {
        data_ = move_pages(data_, bytes_, bytes, kept);
        return std::exchange(bytes_, bytes);
    }
    void* const fresh = wants_pages ? map_pages(bytes) : std::malloc(bytes);
    if (fresh == nullptr) throw std::bad_alloc();
    if (kept > 0) std::memcpy(fresh, data_, kept);
    release();
    data_ = fresh;
    bytes_ = bytes;
    kind_ = wants_pages ? Kind::pages : Kind::heap;
    return wants_pages ? kept : bytes;
}

}  // namespace penstock
