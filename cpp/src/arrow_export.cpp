#include "penstock/arrow_export.hpp"

#include "arrow_owned.hpp"
#include "penstock/error.hpp"

namespace penstock {

namespace {

// A bit for each row, all of the same value at first.
class Bitmap {
  public:
    Bitmap(std::size_t rows, bool value) : bits_(rows / 8 + 1, value ? 0xFF : 0) {}
    void flip(std::size_t row) { bits_[row / 8] ^= static_cast<std::uint8_t>(1U << (row % 8)); }
    std::vector<std::uint8_t> finish() { return std::move(bits_); }

  private:
    std::vector<std::uint8_t> bits_;
};

std::vector<std::uint8_t> all_but(const std::vector<std::size_t>& nulls, std::size_t rows) {
    if (nulls.empty()) return {};
    Bitmap bitmap(rows, true);
    for (const std::size_t row : nulls) bitmap.flip(row);
    return bitmap.finish();
}

// The rows as lists over an array of their items.
ArrowResult to_list(MatchedRows rows, ArrowOwner<ArrowSchema> type, ArrowOwner<ArrowArray> items) {
    auto schema = std::make_unique<OwnedSchema>();
    schema->children.push_back(std::move(type));
    auto content = std::make_unique<OwnedArray>();
    const std::size_t size = rows.rows();
    content->validity = all_but(rows.refused, size);
    content->offsets = std::move(rows.offsets);
    content->children.push_back(std::move(items));
    const void* start = content->offsets.data();
    return {to_schema("+l", "interfaces", std::move(schema)),
            to_array(size, rows.refused.size(), {start}, std::move(content))};
}

ArrowOwner<ArrowArray> to_ids(FoundIds ids, ArrowOwner<ArrowArray> dictionary) {
    auto content = std::make_unique<OwnedArray>();
    content->ids = std::move(ids);
    content->ids.reserve(1);  // importers need not like a null pointer, even where nothing is read
    content->dictionary = std::move(dictionary);
    const std::size_t size = content->ids.size();
    const void* start = content->ids.data();
    return to_array(size, 0, {start}, std::move(content));
}

// Strings that are appended one after the other.
class Strings {
  public:
    Strings() {
        content_->offsets.push_back(0);
        content_->bytes.reserve(1);
    }

    std::size_t size() const { return content_->offsets.size() - 1; }
    bool fits(std::string_view text) const { return content_->bytes.size() + text.size() <= INT32_MAX; }
    void append(std::string_view text) {
        content_->bytes.insert(content_->bytes.end(), text.begin(), text.end());
        content_->offsets.push_back(static_cast<std::int32_t>(content_->bytes.size()));
    }
    void append_nulls(std::size_t count) {
        content_->offsets.insert(content_->offsets.end(), count, content_->offsets.back());
    }
    ArrowOwner<ArrowArray> finish(std::vector<std::uint8_t> validity = {}, std::size_t nulls = 0) {
        content_->validity = std::move(validity);
        const std::size_t length = size();
        const void* offsets = content_->offsets.data();
        const void* bytes = content_->bytes.data();
        return to_array(length, nulls, {offsets, bytes}, std::move(content_));
    }

  private:
    std::unique_ptr<OwnedArray> content_ = std::make_unique<OwnedArray>();
};

ArrowOwner<ArrowArray> to_strings(const std::vector<std::string>& names) {
    Strings strings;
    for (const std::string& name : names) {
        if (!strings.fits(name))
            throw CapacityError("the names of the interfaces are over 2 GiB; ask for ids instead");
        strings.append(name);
    }
    return strings.finish();
}

ArrowOwner<ArrowArray> to_strings(std::size_t rows, std::span<const RowSentence> sentences) {
    Strings strings;
    Bitmap validity(rows, false);
    for (const RowSentence& sentence : sentences) {
        if (!strings.fits(sentence.text))
            throw CapacityError("the errors of the rows are over 2 GiB; match fewer rows at a time");
        strings.append_nulls(sentence.row - strings.size());
        strings.append(sentence.text);
        validity.flip(sentence.row);
    }
    strings.append_nulls(rows - strings.size());
    return strings.finish(validity.finish(), rows - sentences.size());
}

}  // namespace

ArrowResult export_ids(MatchedRows rows) {
    ArrowOwner<ArrowArray> items = to_ids(std::move(rows.ids), {});
    return to_list(std::move(rows), to_schema("I", "item"), std::move(items));
}

ArrowResult export_names(MatchedRows rows) {
    ArrowOwner<ArrowArray> names = to_strings(rows.names);
    auto content = std::make_unique<OwnedSchema>();
    content->dictionary = to_schema("u", "");
    ArrowOwner<ArrowArray> items = to_ids(std::move(rows.ids), std::move(names));
    return to_list(std::move(rows), to_schema("i", "item", std::move(content)), std::move(items));
}

ArrowResult export_with_errors(ArrowResult interfaces, std::span<const RowSentence> errors) {
    const auto rows = static_cast<std::size_t>(interfaces.array->length);
    auto schema = std::make_unique<OwnedSchema>();
    schema->children.push_back(std::move(interfaces.schema));
    schema->children.push_back(to_schema("u", "error"));
    auto content = std::make_unique<OwnedArray>();
    content->children.push_back(std::move(interfaces.array));
    content->children.push_back(to_strings(rows, errors));
    return {to_schema("+s", "", std::move(schema)), to_array(rows, 0, {}, std::move(content))};
}

}  // namespace penstock
