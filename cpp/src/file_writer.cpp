#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "penstock/checksum.hpp"
#include "penstock/error.hpp"
#include "penstock/table_file.hpp"

namespace penstock {

namespace {

constexpr std::size_t buffered = 1U << 16U;

std::string directory_of(const std::string& path) {
    const std::string parent = std::filesystem::path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}

// In the same directory, since a file cannot be renamed across file systems; short, since a name has a limit.
std::string temporary_name(const std::string& path) {
    static std::atomic<unsigned> count = 0;
    return directory_of(path) + "/.penstock-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
}

// The new name must survive a crash too. Not every file system lets directories be opened or synced.
void sync_directory(const std::string& path) {
    const int directory = ::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    const int failure = ::fsync(directory) == 0 ? 0 : errno;
    ::close(directory);
    if (failure == EIO || failure == ENOSPC) throw FileError(path, "cannot be saved", failure);
}

}  // namespace

FileWriter::FileWriter(std::string path) : path_(std::move(path)) {
    buffer_.reserve(buffered);
    create();
    buffer_.resize(sizeof(FileHeader));  // its place; the header is written last
}

FileWriter::~FileWriter() {
    if (file_ >= 0) ::close(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void FileWriter::fail() const {
    const int failure = errno;
    throw FileError(path_, "cannot be saved", failure);
}

void FileWriter::create() {
    struct stat old = {};
    const bool exists = ::stat(path_.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) throw FileError(path_, "cannot be saved", EISDIR);
    // A device, say, would be replaced by a file.
    if (exists && !S_ISREG(old.st_mode)) throw FileError(path_, "is not a regular file");
    do {
        std::string name = temporary_name(path_);
        file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file_ >= 0) temporary_ = std::move(name);
    } while (file_ < 0 && (errno == EEXIST || errno == EINTR));
    if (file_ < 0) fail();
    if (exists) static_cast<void>(::fchmod(file_, old.st_mode & 0777U));
}

void FileWriter::add(FileSection::Kind kind, std::uint32_t record_size, std::span<const std::byte> records) {
    pad(file_alignment(records.size()));
    sections_.push_back({.at = written_ + buffer_.size(),
                         .count = records.size() / record_size,
                         .checksum = checksum(records),
                         .record_size = record_size,
                         .kind = kind});
    append(records);
}

void FileWriter::pad(std::size_t alignment) {
    static constexpr std::array<std::byte, file_page> zeros{};
    const std::size_t over = (written_ + buffer_.size()) % alignment;
    if (over != 0) append(std::span(zeros).first(alignment - over));
}

void FileWriter::append(std::span<const std::byte> bytes) {
    if (buffer_.size() + bytes.size() > buffered) flush();
    if (bytes.size() <= buffered) {
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    } else {
        write(bytes, written_);
        written_ += bytes.size();
    }
}

void FileWriter::flush() {
    write(buffer_, written_);
    written_ += buffer_.size();
    buffer_.clear();
}

void FileWriter::write(std::span<const std::byte> bytes, std::uint64_t at) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) errno = ENOSPC;
        if (count <= 0) fail();
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        at += static_cast<std::uint64_t>(count);
    }
}

void FileWriter::commit() {
    write_header();
    publish();
}

void FileWriter::write_header() {
    const auto list = std::as_bytes(std::span<const FileSection>(sections_));
    pad(file_line);
    FileHeader header;
    header.list_at = written_ + buffer_.size();
    header.file_size = header.list_at + list.size();
    header.sections = sections_.size();
    header.list_checksum = checksum(list);
    const auto bytes = std::as_bytes(std::span<const FileHeader, 1>(&header, 1));
    header.checksum = checksum(bytes.first(offsetof(FileHeader, checksum)));
    append(list);
    flush();
    write(bytes, 0);
}

void FileWriter::publish() {
    if (::fsync(file_) != 0) fail();
    if (::close(std::exchange(file_, -1)) != 0 && errno != EINTR) fail();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    temporary_.clear();
    sync_directory(path_);
}

}  // namespace penstock
