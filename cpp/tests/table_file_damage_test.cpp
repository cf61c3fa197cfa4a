// Files that are cut, changed, foreign, newer, or of another structure: each has its sentence.
#include <cstring>
#include <span>
#include <vector>

#include "penstock/checksum.hpp"
#include "table_file_world.hpp"

namespace penstock {
namespace {

using DamagedTableFile = TableFile;

FileHeader header_of(const std::string& bytes) {
    FileHeader header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    return header;
}

// As somebody changes a file who knows how: the checksums of header and list are right.
std::string with_header(std::string bytes, FileHeader header) {
    const auto all = std::as_bytes(std::span<const FileHeader, 1>(&header, 1));
    header.checksum = checksum(all.first(offsetof(FileHeader, checksum)));
    std::memcpy(bytes.data(), &header, sizeof(header));
    return bytes;
}
std::string with_word(std::string bytes, std::size_t at, std::uint64_t word) {
    std::memcpy(bytes.data() + at, &word, sizeof(word));
    FileHeader header = header_of(bytes);
    header.list_checksum = checksum(std::as_bytes(std::span(bytes).subspan(header.list_at)));
    return with_header(bytes, header);
}

TEST_F(DamagedTableFile, EveryFlippedByteIsFound) {
    Whole saved = sample(600);
    save(saved, path_);
    const std::string good = contents();
    ASSERT_GT(good.size(), 2 * file_page);
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
        ASSERT_NE(refusal(bad), "") << "byte " << at;
    }
    for (std::size_t bit = 0; bit < 8 * sizeof(FileHeader); ++bit) {
        std::string bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        ASSERT_NE(refusal(bad), "") << "bit " << bit;
    }
    EXPECT_EQ(refusal(good), "");
}

TEST_F(DamagedTableFile, EveryCutIsFound) {
    Whole saved = sample(600);
    save(saved, path_);
    const std::string good = contents();
    const FileHeader header = header_of(good);
    std::vector<FileSection> sections(header.sections);
    std::memcpy(sections.data(), good.data() + header.list_at, header.sections * sizeof(FileSection));
    std::set<std::size_t> cuts;
    for (std::size_t at = 0; at <= sizeof(header); ++at) cuts.insert(at);
    for (std::size_t at = header.list_at - 1; at < good.size(); ++at) cuts.insert(at);
    for (const FileSection& section : sections) {
        for (const std::uint64_t at : {section.at, section.at + section.bytes()}) {
            cuts.insert({at - 1, at, at + 1});
        }
    }
    for (const std::size_t at : cuts) {
        ASSERT_EQ(refusal(good.substr(0, at)).substr(0, 12), "is truncated") << at;
    }
    EXPECT_EQ(refusal(good + '\0'), "is longer than it should be");
}

TEST_F(DamagedTableFile, OtherFilesAreNamedForWhatTheyAre) {
    Whole saved = sample(3);
    save(saved, path_);
    const std::string good = contents();
    EXPECT_EQ(refusal(""), "is truncated: 0 of 64 bytes of its header");
    EXPECT_EQ(refusal("pens"), "is truncated: 4 of 64 bytes of its header");
    EXPECT_EQ(refusal("x"), "is not a table of penstock");
    EXPECT_EQ(refusal("dest = 'MXP'\n" + good), "is not a table of penstock");
    std::string other = good;
    other[offsetof(FileHeader, version)] = 8;
    EXPECT_EQ(refusal(other), "was written by a newer version (format 8; this one reads format 7)");
    other[offsetof(FileHeader, version)] = 6;
    EXPECT_EQ(refusal(other), "was written by an older version (format 6; this one reads format 7)");
    std::string foreign = good;
    std::swap(foreign[8], foreign[11]);
    std::swap(foreign[9], foreign[10]);
    EXPECT_EQ(refusal(foreign), "was written on a machine with another byte order");
}

TEST_F(DamagedTableFile, ImpossibleHeadersAreRefusedEvenWithTheRightChecksum) {
    Whole saved = sample(3);
    save(saved, path_);
    const std::string good = contents();
    const FileHeader header = header_of(good);
    for (std::uint64_t FileHeader::* const field :
         {&FileHeader::file_size, &FileHeader::list_at, &FileHeader::sections}) {
        for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{good.size() + 1},
                                          std::uint64_t{1} << 59U, ~std::uint64_t{0}}) {
            FileHeader changed = header;
            changed.*field = value;
            EXPECT_NE(refusal(with_header(good, changed)), "") << value;
        }
    }
    FileHeader round = header;  // 2^59 sections of 32 bytes are none
    round.list_at = good.size();
    round.sections = std::uint64_t{1} << 59U;
    round.list_checksum = checksum({});
    EXPECT_NE(refusal(with_header(good, round)), "");
}

TEST_F(DamagedTableFile, ImpossibleSectionsAreRefusedEvenWithTheRightChecksum) {
    Whole saved = sample(3);
    save(saved, path_);
    const std::string good = contents();
    const FileHeader header = header_of(good);
    for (std::uint64_t at = header.list_at; at < good.size(); at += 8) {
        for (const std::uint64_t value :
             {std::uint64_t{0}, std::uint64_t{32}, header.list_at, std::uint64_t{good.size()},
              std::uint64_t{1} << 61U, ~std::uint64_t{0}, ~std::uint64_t{63}}) {
            const std::string bad = with_word(good, at, value);
            EXPECT_EQ(refusal(bad) == "", bad == good) << at << " " << value;
        }
    }
}

struct OneColumn {
    Column<std::uint64_t> numbers;
    template <class Archive>
    void archive(Archive& a) {
        a(numbers);
    }
};
struct NarrowColumn {
    Column<std::uint32_t> numbers;
    template <class Archive>
    void archive(Archive& a) {
        a(numbers);
    }
};
struct OneValue {
    std::uint64_t number = 0;
    template <class Archive>
    void archive(Archive& a) {
        a(number);
    }
};
struct OneText {
    std::string words;
    template <class Archive>
    void archive(Archive& a) {
        a.text(words);
    }
};
struct TwoColumns {
    Column<std::uint64_t> numbers;
    Column<std::uint64_t> more;
    template <class Archive>
    void archive(Archive& a) {
        a(numbers);
        a(more);
    }
};

TEST_F(DamagedTableFile, SectionsMustBeThoseThatAreAskedFor) {
    OneColumn one;
    one.numbers.push_back(5);
    save(one, path_);
    const std::string column =
        "holds something else: section 1 of 1 is a column of records of 8 bytes, not a ";
    EXPECT_EQ(refusal<OneColumn>(), "");
    EXPECT_EQ(refusal<NarrowColumn>(), column + "column of records of 4 bytes");
    EXPECT_EQ(refusal<OneValue>(), column + "value of 8 bytes");
    EXPECT_EQ(refusal<OneText>(), column + "text");
    EXPECT_EQ(refusal<TwoColumns>(), "has too few sections: 1 and then no column of records of 8 bytes");
    TwoColumns two;
    save(two, path_);
    EXPECT_EQ(refusal<OneColumn>(), "has too many sections: 2, expected 1");
}

TEST_F(DamagedTableFile, AValueIsOneRecord) {
    OneValue value;
    save(value, path_);
    const std::string good = contents();
    const std::size_t section = header_of(good).list_at;
    const std::string none = with_word(good, section + offsetof(FileSection, count), 0);
    put(with_word(none, section + offsetof(FileSection, checksum), checksum({})));
    EXPECT_EQ(refusal<OneValue>().substr(0, 20), "holds something else");
}

TEST_F(DamagedTableFile, SectionsLieApartAndAligned) {
    TwoColumns two;  // alike and zero, so that their checksums fit elsewhere too
    two.numbers.push_back(0);
    two.more.push_back(0);
    save(two, path_);
    const std::string good = contents();
    const FileHeader header = header_of(good);
    for (const std::uint64_t at : {64, 72, 120, 136, 184}) {
        put(with_word(good, header.list_at + sizeof(FileSection) + offsetof(FileSection, at), at));
        EXPECT_EQ(refusal<TwoColumns>(), "is damaged: section 2 of 2 lies outside") << at;
    }
    put(good);
    EXPECT_EQ(refusal<TwoColumns>(), "");
}

}  // namespace
}  // namespace penstock
