// A structure with columns of all sizes, and a directory to save it in.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "penstock/error.hpp"
#include "penstock/table_file.hpp"
#include "small_world.hpp"

namespace penstock {

struct Pair {
    std::uint32_t left;
    std::uint32_t right;
    bool operator==(const Pair&) const = default;
};

struct Nested {
    Column<std::uint8_t> bytes;
    double ratio = 0;

    template <class Archive>
    void archive(Archive& a) {
        a(bytes);
        a(ratio);
    }
};

struct Whole {
    Column<Pair> pairs;
    Column<std::uint64_t> empty;
    Column<std::uint64_t> numbers;
    std::string name;
    std::uint32_t count = 0;
    Nested nested;

    template <class Archive>
    void archive(Archive& a) {
        a(pairs);
        a(empty);
        a(numbers);
        a.text(name);
        a(count);
        nested.archive(a);
    }
};

inline Whole sample(std::size_t numbers) {
    SmallWorld world(5);
    Whole whole;
    for (std::uint32_t i = 0; i < 3; ++i) whole.pairs.push_back({i, i * i});
    for (std::size_t i = 0; i < numbers; ++i) whole.numbers.push_back(world.below(1000) + i);
    whole.name = "departures";
    whole.count = 41;
    for (std::size_t i = 0; i < 100; ++i) whole.nested.bytes.push_back(static_cast<std::uint8_t>(i));
    whole.nested.ratio = 0.25;
    return whole;
}

template <class Structure>
void save(Structure& structure, const std::string& path) {
    FileWriter file(path);
    structure.archive(file);
    file.commit();
}

template <class Structure>
Mapping load(Structure& structure, const std::string& path) {
    FileReader file(path);
    structure.archive(file);
    return file.finish();
}

class TableFile : public testing::Test {
  protected:
    TableFile() {
        std::string name = testing::TempDir() + "/table_file.XXXXXX";
        directory_ = ::mkdtemp(name.data());
        path_ = directory_ / "table";
    }
    ~TableFile() override { std::filesystem::remove_all(directory_); }

    std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
            names.insert(entry.path().filename().string());
        }
        return names;
    }
    std::string contents() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    // Into the old file: the disk is waited for when one is emptied first.
    void put(const std::string& bytes) const {
        if (std::filesystem::file_size(path_) != bytes.size()) {
            std::filesystem::resize_file(path_, bytes.size());
        }
        std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    // What the reader says to a file of these bytes; empty when it takes them.
    std::string refusal(const std::string& bytes) const {
        put(bytes);
        return refusal<Whole>();
    }
    template <class Structure>
    std::string refusal() const {
        Structure structure;
        try {
            static_cast<void>(load(structure, path_));
        } catch (const FileError& error) {
            EXPECT_EQ(error.path, path_);
            EXPECT_EQ(error.system, 0);
            EXPECT_EQ(error.what(), error.path + ": " + error.message);
            return error.message;
        }
        return "";
    }

    std::filesystem::path directory_;
    std::string path_;
};

}  // namespace penstock
