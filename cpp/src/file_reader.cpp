#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "penstock/checksum.hpp"
#include "penstock/error.hpp"
#include "penstock/table_file.hpp"

namespace penstock {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
    const int failure = errno;
    throw FileError(path, what, failure);
}

// Not MAP_POPULATE, which gives each process a copy of every page that it may write.
std::byte* map_pages(const std::string& path, int file, std::size_t size) {
    void* const pages = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (pages == MAP_FAILED) fail(path, "cannot be mapped");
    return static_cast<std::byte*>(pages);
}

struct Descriptor {
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
    int number;
};

Mapping map_file(const std::string& path) {
    // Not waiting for the other end of a pipe.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat status = {};
    if (file.number < 0 || ::fstat(file.number, &status) != 0) fail(path, "cannot be opened");
    if (S_ISDIR(status.st_mode)) throw FileError(path, "cannot be opened", EISDIR);
    if (!S_ISREG(status.st_mode)) throw FileError(path, "is not a regular file");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return {};
    return {map_pages(path, file.number, size), size};
}

std::string sizes(std::uint64_t size, std::uint64_t whole) {
    return std::to_string(size) + " of " + std::to_string(whole) + " bytes";
}

std::string described(FileSection::Kind kind, std::uint32_t record_size) {
    if (kind == FileSection::Kind::text) return "text";
    const std::string of = kind == FileSection::Kind::column ? "column of records of " : "value of ";
    return of + std::to_string(record_size) + (record_size == 1 ? " byte" : " bytes");
}

bool is_zero(std::span<const std::byte> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

FileReader::FileReader(std::string path) : path_(std::move(path)), mapping_(map_file(path_)) {
    check_header();
    check_sections();
}

void FileReader::refuse(const std::string& why) const {
    throw FileError(path_, why);
}

void FileReader::check_header() {
    const std::size_t size = mapping_.size();
    FileHeader header;
    if (size > 0) std::memcpy(&header, mapping_.data(), std::min(size, sizeof(header)));
    if (header.magic != file_magic) refuse("is not a table of penstock");
    if (size < sizeof(header)) refuse("is truncated: " + sizes(size, sizeof(header)) + " of its header");
    if (header.byte_order != file_byte_order) refuse("was written on a machine with another byte order");
    if (header.version != file_version) {
        const bool newer = header.version > file_version;
        refuse(std::string("was written by ") + (newer ? "a newer" : "an older") + " version (format " +
               std::to_string(header.version) + "; this one reads format " + std::to_string(file_version) +
               ")");
    }
    if (header.checksum != checksum(mapping_.bytes(0, offsetof(FileHeader, checksum)))) {
        refuse("is damaged: the header does not have its checksum");
    }
    if (size < header.file_size) refuse("is truncated: " + sizes(size, header.file_size));
    if (size > header.file_size) refuse("is longer than it should be");
    const std::uint64_t list_size = header.sections * sizeof(FileSection);
    if (header.list_at > size || header.sections > size || size - header.list_at != list_size) {
        refuse("is damaged: the list of sections lies outside");
    }
    if (header.list_checksum != checksum(mapping_.bytes(header.list_at, list_size))) {
        refuse("is damaged: the list of sections does not have its checksum");
    }
    sections_.resize(header.sections);
    if (list_size > 0) std::memcpy(sections_.data(), mapping_.data() + header.list_at, list_size);
}

void FileReader::check_sections() {
    const std::uint64_t end = mapping_.size() - sections_.size() * sizeof(FileSection);
    std::uint64_t done = sizeof(FileHeader);
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        const FileSection& section = sections_[i];
        const bool inside = done <= section.at && section.at <= end && section.at % file_line == 0 &&
                            section.record_size > 0 &&
                            section.count <= (end - section.at) / section.record_size;
        if (!inside) refuse("is damaged: " + nth(i) + " lies outside");
        if (section.checksum != checksum(mapping_.bytes(section.at, section.bytes())) ||
            !is_zero(mapping_.bytes(done, section.at - done))) {
            refuse("is damaged: " + nth(i) + " does not have its checksum");
        }
        done = section.at + section.bytes();
    }
    if (!is_zero(mapping_.bytes(done, end - done))) refuse("is damaged before the list of sections");
}

std::string FileReader::nth(std::size_t section) const {
    return "section " + std::to_string(section + 1) + " of " + std::to_string(sections_.size());
}

const FileSection& FileReader::next(FileSection::Kind kind, std::uint32_t record_size) {
    if (next_ == sections_.size()) {
        refuse("has too few sections: " + std::to_string(next_) + " and then no " +
               described(kind, record_size));
    }
    const FileSection& section = sections_[next_];
    const bool fits = section.kind == kind && section.record_size == record_size &&
                      (kind != FileSection::Kind::value || section.count == 1);
    if (!fits) {
        refuse("holds something else: " + nth(next_) + " is a " +
               described(section.kind, section.record_size) + ", not a " + described(kind, record_size));
    }
    ++next_;
    return section;
}

Mapping FileReader::finish() {
    if (next_ < sections_.size()) {
        refuse("has too many sections: " + std::to_string(sections_.size()) + ", expected " +
               std::to_string(next_));
    }
    return std::move(mapping_);
}

}  // namespace penstock
