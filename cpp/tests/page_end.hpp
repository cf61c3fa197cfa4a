// Memory that ends where nothing may be read: it finds out libraries that the sanitizers do not look into.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>

namespace penstock {

// Puts a text at the end of a page.
class PageEnd {
  public:
    PageEnd() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        void* pages = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) throw std::bad_alloc();
        start_ = static_cast<char*>(pages);
        if (mprotect(start_ + page_, page_, PROT_NONE) != 0) throw std::bad_alloc();
    }
    ~PageEnd() { munmap(start_, 2 * page_); }
    PageEnd(const PageEnd&) = delete;
    PageEnd& operator=(const PageEnd&) = delete;

    // With so many bytes of filler between the text and the end.
    std::string_view put(std::string_view text, std::size_t gap = 0, char filler = ' ') {
        char* at = start_ + page_ - gap - text.size();
        std::memset(start_ + page_ - gap, filler, gap);
        std::memcpy(at, text.data(), text.size());
        return {at, text.size()};
    }

  private:
    std::size_t page_;
    char* start_ = nullptr;
};

}  // namespace penstock
