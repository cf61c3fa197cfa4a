#include "penstock/table_file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>

#include "table_file_world.hpp"

namespace penstock {
namespace {

template <class T>
void expect_equal(const Column<T>& one, const Column<T>& other) {
    EXPECT_TRUE(std::equal(one.begin(), one.end(), other.begin(), other.end()));
}

void expect_equal(const Whole& one, const Whole& other) {
    expect_equal(one.pairs, other.pairs);
    expect_equal(one.empty, other.empty);
    expect_equal(one.numbers, other.numbers);
    expect_equal(one.nested.bytes, other.nested.bytes);
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(one.count, other.count);
    EXPECT_EQ(one.nested.ratio, other.nested.ratio);
}

TEST_F(TableFile, GivesBackWhatWasSaved) {
    for (const std::size_t size : {0U, 1U, 511U, 512U, 513U, 8192U, 300'000U}) {
        Whole saved = sample(size);
        save(saved, path_);
        Whole loaded;
        const Mapping mapping = load(loaded, path_);
        expect_equal(saved, loaded);
        EXPECT_EQ(files(), std::set<std::string>{"table"});
    }
}

TEST_F(TableFile, ColumnsBorrowAlignedMemoryOfTheMapping) {
    Whole saved = sample(8192);
    save(saved, path_);
    Whole loaded;
    const Mapping mapping = load(loaded, path_);
    const auto place = [&](const void* data) {
        return static_cast<std::size_t>(static_cast<const std::byte*>(data) - mapping.data());
    };
    EXPECT_LT(place(loaded.numbers.data()), mapping.size());
    EXPECT_EQ(place(loaded.numbers.data()) % file_page, 0U);
    EXPECT_EQ(place(loaded.pairs.data()) % file_line, 0U);
    EXPECT_EQ(place(loaded.nested.bytes.data()) % file_line, 0U);
}

TEST_F(TableFile, ChangesOfLoadedColumnsStayInMemory) {
    Whole saved = sample(8192);
    save(saved, path_);
    const std::string before = contents();
    {
        Whole loaded;
        const Mapping mapping = load(loaded, path_);
        loaded.numbers[0] = 7;  // in the private page
        loaded.pairs.push_back({1, 2});
        loaded.empty.push_back(3);
        for (std::uint64_t i = 0; i < 200'000; ++i) loaded.numbers.push_back(i);
        loaded.numbers[1] = 8;
        EXPECT_EQ(loaded.numbers[0], 7U);
        EXPECT_EQ(loaded.numbers[2], saved.numbers[2]);
        EXPECT_EQ(loaded.pairs[3], (Pair{1, 2}));
        EXPECT_EQ(loaded.empty[0], 3U);
        Whole second;
        const Mapping other = load(second, path_);
        expect_equal(saved, second);
        save(loaded, path_);  // over the very file that it borrows from
        expect_equal(saved, second);
    }
    Whole again;
    const Mapping mapping = load(again, path_);
    EXPECT_EQ(again.numbers.size(), 208'192U);
    EXPECT_EQ(again.numbers[1], 8U);
    EXPECT_NE(contents(), before);
}

TEST_F(TableFile, TheMappingCanBeMoved) {
    Whole saved = sample(600);
    save(saved, path_);
    Whole loaded;
    Mapping kept;
    {
        Mapping mapping = load(loaded, path_);
        Mapping moved = std::move(mapping);
        kept = std::move(moved);
    }
    expect_equal(saved, loaded);
}

TEST_F(TableFile, EqualTablesGiveEqualFiles) {
    Whole saved = sample(600);
    save(saved, path_);
    const std::string first = contents();
    Whole loaded;
    const Mapping mapping = load(loaded, path_);
    save(loaded, path_);
    EXPECT_EQ(contents(), first);
}

TEST_F(TableFile, WhatIsNotCommittedLeavesTheOldFile) {
    Whole saved = sample(600);
    save(saved, path_);
    const std::string before = contents();
    {
        FileWriter file(path_);
        Whole other = sample(20'000);
        other.archive(file);
        EXPECT_EQ(files().size(), 2U);
    }
    EXPECT_EQ(contents(), before);
    EXPECT_EQ(files(), std::set<std::string>{"table"});
}

TEST_F(TableFile, TheNewFileHasThePermissionsOfTheOld) {
    Whole saved = sample(1);
    save(saved, path_);
    std::filesystem::permissions(path_, std::filesystem::perms(0640));
    save(saved, path_);
    EXPECT_EQ(std::filesystem::status(path_).permissions(), std::filesystem::perms(0640));
}

// What the system says to saving there, as its number; 0 when it does not mind.
int failure_of_saving(const std::string& path) {
    try {
        Whole saved = sample(20'000);
        save(saved, path);
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find(std::generic_category().message(error.system)),
                  std::string::npos);
        return error.system;
    }
    return 0;
}
int failure_of_loading(const std::string& path) {
    try {
        FileReader file(path);
    } catch (const FileError& error) {
        return error.system;
    }
    return 0;
}

TEST_F(TableFile, FailuresOfTheSystemHaveItsNumber) {
    EXPECT_EQ(failure_of_loading(path_), ENOENT);
    EXPECT_EQ(failure_of_loading(directory_), EISDIR);
    EXPECT_EQ(failure_of_saving(directory_), EISDIR);
    EXPECT_EQ(failure_of_saving(directory_ / "absent" / "table"), ENOENT);
    EXPECT_EQ(failure_of_saving(directory_ / std::string(300, 'x')), ENAMETOOLONG);
    EXPECT_EQ(files(), std::set<std::string>{});
}

TEST_F(TableFile, WhatIsNoRegularFileStaysAsItIs) {
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    EXPECT_EQ(refusal<Whole>(), "is not a regular file");
    Whole whole = sample(1);
    EXPECT_THROW(save(whole, path_), FileError);
    EXPECT_TRUE(std::filesystem::is_fifo(path_));
    EXPECT_EQ(files(), std::set<std::string>{"table"});
}

TEST_F(TableFile, AFullDiskIsReportedAndLeavesTheOldFile) {
    Whole saved = sample(600);
    save(saved, path_);
    const std::string before = contents();
    // A limit on the size of files stands for the disk.
    struct rlimit usual = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    for (const rlim_t most : {rlim_t{0}, rlim_t{4096}, rlim_t{100'000}}) {
        const struct rlimit small = {most, usual.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
        EXPECT_EQ(failure_of_saving(path_), EFBIG) << most;
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
    }
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(contents(), before);
    EXPECT_EQ(files(), std::set<std::string>{"table"});
}

}  // namespace
}  // namespace penstock
