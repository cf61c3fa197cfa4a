// Saving columns to a file and mapping them back.
//
// A structure describes itself once,
//
//     template <class Archive> void archive(Archive& a) { a(column_); a(number_); a.text(name_); }
//
// and both archives below walk it in that order. Columns are not read but borrow the mapped pages: what no
// process writes, all share. Everything is checked before anything is used, against accidents: who can write
// the file can make it say what he likes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "penstock/column.hpp"
#include "penstock/file_format.hpp"

namespace penstock {

template <class T>
concept PlainRecord = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && alignof(T) <= file_line;

// Writes beside the file and takes its name at the end: until then, and for readers that have it open, the
// old file stays. What is not committed leaves no trace. Throws FileError.
class FileWriter {
  public:
    explicit FileWriter(std::string path);
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    ~FileWriter();

    template <PlainRecord T>
    void operator()(const Column<T>& column) {
        add(FileSection::Kind::column, sizeof(T), std::as_bytes(std::span<const T>(column)));
    }
    template <PlainRecord T>
    void operator()(const T& value) {
        add(FileSection::Kind::value, sizeof(T), std::as_bytes(std::span<const T, 1>(&value, 1)));
    }
    void text(const std::string& text) {
        add(FileSection::Kind::text, 1, std::as_bytes(std::span<const char>(text)));
    }

    // Once, at the end. When it returns, the file is on the disk under its name.
    void commit();

  private:
    void create();
    void add(FileSection::Kind kind, std::uint32_t record_size, std::span<const std::byte> records);
    void pad(std::size_t alignment);
    void append(std::span<const std::byte> bytes);
    void flush();
    void write(std::span<const std::byte> bytes, std::uint64_t at);
    void write_header();
    void publish();
    [[noreturn]] void fail() const;  // as errno says

    std::string path_;
    std::string temporary_;  // empty once it has its final name
    int file_ = -1;
    std::vector<std::byte> buffer_;
    std::uint64_t written_ = 0;  // to the file; the buffer comes after that
    std::vector<FileSection> sections_;
};

// The pages of a file, private to this process as soon as it writes them.
class Mapping {
  public:
    Mapping() = default;
    Mapping(std::byte* data, std::size_t size) : data_(data), size_(size) {}
    Mapping(Mapping&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Mapping& operator=(Mapping&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Mapping() {
        if (data_ != nullptr) ::munmap(data_, size_);
    }

    std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::span<const std::byte> bytes(std::size_t at, std::size_t count) const { return {data_ + at, count}; }

  private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

// Throws FileError: from the constructor when the file is damaged or none of ours, later when it holds other
// sections than asked for. Then columns that were loaded are of no use any more.
class FileReader {
  public:
    explicit FileReader(std::string path);

    template <PlainRecord T>
    void operator()(Column<T>& column) {
        const FileSection& section = next(FileSection::Kind::column, sizeof(T));
        column.borrow(reinterpret_cast<T*>(mapping_.data() + section.at), section.count);
    }
    template <PlainRecord T>
    void operator()(T& value) {
        const FileSection& section = next(FileSection::Kind::value, sizeof(T));
        std::memcpy(&value, mapping_.data() + section.at, sizeof(T));
    }
    void text(std::string& text) {
        const FileSection& section = next(FileSection::Kind::text, 1);
        text.assign(reinterpret_cast<const char*>(mapping_.data() + section.at), section.count);
    }

    // Once, at the end: nothing may be left over. The mapping must outlive the columns.
    [[nodiscard]] Mapping finish();
    [[noreturn]] void refuse(const std::string& why) const;

  private:
    void check_header();
    void check_sections();
    const FileSection& next(FileSection::Kind kind, std::uint32_t record_size);
    std::string nth(std::size_t section) const;

    std::string path_;
    Mapping mapping_;
    std::vector<FileSection> sections_;
    std::size_t next_ = 0;
};

}  // namespace penstock
