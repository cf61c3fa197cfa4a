#include "penstock/selection.hpp"

#include <gtest/gtest.h>

#include "penstock/language.hpp"

namespace penstock {
namespace {

class KeepOnly : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : {"a", "b", "c", "d"}) {
            subscriptions_.push_back(catalogue_.subscribe(name, parse("TRUE"), nobody_));
            ids_.push_back(catalogue_.interfaces().find(name));
        }
    }

    FoundIds kept(FoundIds matched, std::vector<std::string_view> names) {
        keep_only(matched, names, catalogue_);
        return matched;
    }

    Catalogue catalogue_;
    Nobody nobody_;
    std::vector<SubscriptionId> subscriptions_;
    FoundIds ids_;
};

TEST_F(KeepOnly, KeepsWhatIsNamedInItsOrder) {
    EXPECT_EQ(kept({ids_[3], ids_[1], ids_[0]}, {"a", "c", "d", "a"}), (FoundIds{ids_[3], ids_[0]}));
}

TEST_F(KeepOnly, PassesOverUnknownNames) {
    EXPECT_EQ(kept({ids_[1]}, {"z", "", "b"}), FoundIds{ids_[1]});
    EXPECT_TRUE(kept({ids_[1]}, {"z"}).empty());
}

TEST_F(KeepOnly, KeepsNothingWhenNothingIsNamed) {
    EXPECT_TRUE(kept({ids_[0], ids_[1]}, {}).empty());
    EXPECT_TRUE(kept({}, {"a"}).empty());
}

TEST_F(KeepOnly, FollowsTheNameAndNotTheId) {
    catalogue_.unsubscribe(subscriptions_[1], nobody_);
    catalogue_.subscribe("new", parse("TRUE"), nobody_);
    ASSERT_EQ(catalogue_.interfaces().find("new"), ids_[1]) << "ids are reused";
    EXPECT_TRUE(kept({ids_[1]}, {"b"}).empty());
    EXPECT_EQ(kept({ids_[1]}, {"new"}), FoundIds{ids_[1]});
}

}  // namespace
}  // namespace penstock
