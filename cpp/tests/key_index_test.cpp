// Long lists of postings, as they come and go: nothing is lost, and stretches of candidates stay sorted.
#include "penstock/key_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace penstock {
namespace {

class LongList : public testing::TestWithParam<std::uint32_t> {
  protected:
    Posting draw(std::uint32_t target) {
        if (random_() % 8 == 0) return Posting::sure(target);
        return {target, {draw_check(), draw_check()}};
    }
    Check draw_check() {
        const std::uint32_t name = random_() % 3;
        const std::uint32_t kind = 5 + random_() % 6;
        const std::uint32_t code = random_() % Check::codes;
        return Check(kind | code << 7U | name << 18U);
    }
    static auto order(const Posting& posting) {
        return std::pair(posting.checks[0].order(), posting.checks[1].order());
    }
    KeyIndex::Postings found() const {
        const KeyIndex::Slot* const slot = index_.find(key_, index_.hash(key_));
        return slot == nullptr ? KeyIndex::Postings{} : index_.postings(*slot);
    }
    void check() const {
        const KeyIndex::Postings postings = found();
        ASSERT_EQ(postings.sure.size() + postings.candidates.size(), expected_.size());
        std::vector<std::uint32_t> targets;
        for (const Posting& posting : postings.sure) {
            ASSERT_TRUE(posting.is_sure());
            targets.push_back(posting.target);
        }
        for (const Posting& posting : postings.candidates) {
            ASSERT_FALSE(posting.is_sure());
            targets.push_back(posting.target);
        }
        std::vector<std::uint32_t> wanted;
        for (const Posting& posting : expected_) wanted.push_back(posting.target);
        std::ranges::sort(targets);
        std::ranges::sort(wanted);
        ASSERT_EQ(targets, wanted);
        for (std::size_t i = 1; i < postings.candidates.size(); ++i) {
            if (i % KeyIndex::stretch == 0) continue;
            ASSERT_LE(order(postings.candidates[i - 1]), order(postings.candidates[i]));
        }
    }

    std::mt19937 random_{GetParam()};
    KeyIndex index_;
    Key key_{7, Key::Kind::int_, 5};
    std::vector<Posting> expected_;
};

TEST_P(LongList, StaysSortedWhilePostingsComeAndGo) {
    constexpr std::size_t most = 3 * KeyIndex::stretch;
    std::uint32_t next = 0;
    for (const std::size_t goal : {most, std::size_t{40}, most / 2, std::size_t{0}, std::size_t{5}}) {
        while (expected_.size() != goal) {
            const bool grows = expected_.size() < goal;
            if (expected_.empty() || (random_() % 4 != 0) == grows) {
                expected_.push_back(draw(next++));
                index_.add(key_, expected_.back());
            } else {
                std::swap(expected_[random_() % expected_.size()], expected_.back());
                ASSERT_EQ(index_.remove(key_, expected_.back()), expected_.size() == 1);
                expected_.pop_back();
            }
            if (random_() % 256 == 0) check();
        }
        check();
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LongList, testing::Range(0U, 4U));

}  // namespace
}  // namespace penstock
