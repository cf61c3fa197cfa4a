#include "penstock/flat_message.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "penstock/error.hpp"
#include "penstock/hash.hpp"

namespace penstock {
namespace {

std::vector<std::string_view> views_of(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
}

void expect_repetitions_found(const std::vector<std::string>& names) {
    std::vector<std::string_view> once = views_of(names);
    EXPECT_EQ(find_repeated(once), std::nullopt) << names.size();
    for (const std::size_t first : {std::size_t{0}, names.size() / 2, names.size() - 1}) {
        std::vector<std::string_view> twice = views_of(names);
        twice.push_back(names[first]);
        EXPECT_EQ(find_repeated(twice), names[first]) << names.size();
    }
}

TEST(FlatMessage, RepeatedNamesAreFoundAmongFewAndMany) {
    std::vector<std::string> names;
    for (int n = 0; n < 80; ++n) {
        names.push_back(n == 5 ? "" : "name " + std::to_string(n));
        expect_repetitions_found(names);
    }
}

TEST(FlatMessage, RepeatedNamesAreFoundAmongThoseThatTheHashCannotTellApart) {
    std::vector<std::string> names;
    for (int n = 0; names.size() < 200; ++n) {
        std::string name = "name " + std::to_string(n);
        if ((hash_bytes(name) & 511U) == 0) names.push_back(std::move(name));
    }
    expect_repetitions_found(names);
}

TEST(FlatMessage, RepeatedNamesAreFoundAmongThoseThatDifferInTheMiddleOnly) {
    std::vector<std::string> names;
    for (int n = 10; n < 80; ++n) {
        names.push_back("the same head " + std::to_string(n) + " the same tail");
        expect_repetitions_found(names);
    }
}

TEST(FlatMessage, NamesAreJoinedWithThoseOfTheObjectsAround) {
    FlatMessage message;
    message.add(message.name_of("a"), ValueView::of(true));
    message.enter("b");
    message.enter("");
    message.add(message.name_of("c.d"), ValueView::of(true));
    message.leave();
    message.add(message.name_of("e"), ValueView::of(true));
    message.leave();
    message.add(message.name_of("f"), ValueView::of(true));
    message.finish();
    std::vector<std::string_view> names;
    for (const Attribute& attribute : message.view()) names.push_back(attribute.name);
    EXPECT_EQ(names, (std::vector<std::string_view>{"a", "b..c.d", "b.e", "f"}));
    message.add(message.name_of("b.e"), ValueView::of(true));
    EXPECT_THROW(message.finish(), MessageError);
    message.clear();
    message.finish();
    EXPECT_TRUE(message.view().empty());
}

}  // namespace
}  // namespace penstock
