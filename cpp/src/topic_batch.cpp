#include "penstock/topic_batch.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "arrow_owned.hpp"
#include "penstock/arrow_column.hpp"
#include "penstock/error.hpp"

namespace penstock {

namespace {

ArrowField topic_field(const ArrowSchema& schema, std::optional<std::string_view> column) {
    const std::vector<ArrowField> fields = flatten(schema);
    if (!column && fields.size() != 1) {
        throw ArrowError("a table of " + std::to_string(fields.size()) +
                         " columns: name the one that holds the topics");
    }
    const bool untyped = !column && fields[0].layout == ArrowLayout::null;  // nothing but nulls
    ArrowField field =
        column ? text_field(fields, *column) : (untyped ? fields[0] : text_field(fields, fields[0].name));
    if (field.name.empty()) field.name = "topic";
    return field;
}

class TopicMatching {
  public:
    explicit TopicMatching(const TopicMatcher& matcher) : matcher_(matcher) {}

    void add(const ArrowColumn& column) {
        column.check_values(static_cast<std::int64_t>(result.rows()));
        // Each entry of a dictionary is matched once, unless the dictionary is larger than the column.
        answered_.clear();
        if (column.dictionary_size() <= column.rows())
            answered_.resize(static_cast<std::size_t>(column.dictionary_size()), unanswered);
        for (std::int64_t row = 0; row < column.rows(); ++row) {
            if (column.presence().at(row)) {
                add_row(column, row);
            } else {
                result.refused.push_back(result.rows());
            }
            result.end_row();
        }
    }

    MatchedRows result;

  private:
    static constexpr std::size_t unanswered = SIZE_MAX;

    void add_row(const ArrowColumn& column, std::int64_t row) {
        if (answered_.empty()) return match(column, row);
        std::size_t& answer = answered_[static_cast<std::size_t>(column.entry_at(row))];
        if (answer == unanswered) {
            answer = result.rows();
            return match(column, row);
        }
        const auto first = result.offsets[answer];
        const auto count = result.offsets[answer + 1] - first;
        result.ids.resize(result.ids.size() + static_cast<std::size_t>(count));
        std::copy_n(result.ids.begin() + first, count, result.ids.end() - count);
    }

    void match(const ArrowColumn& column, std::int64_t row) {
        try {
            matcher_(column.text_at(row), result.ids);
        } catch (const MessageError& error) {
            throw MessageError(error.attribute, error.message, result.rows());
        }
    }

    const TopicMatcher& matcher_;
    std::vector<std::size_t> answered_;  // for each entry of a dictionary: the row that has its answer
};

}  // namespace

ArrowTable as_table(ArrowTable data) {
    if (data.schema->format == nullptr) throw ArrowError("the Arrow schema is broken: it has no type");
    if (std::string_view(data.schema->format) == "+s" && data.schema->dictionary == nullptr) return data;
    ArrowTable table;
    auto fields = std::make_unique<OwnedSchema>();
    fields->children.push_back(std::move(data.schema));
    table.schema = to_schema("+s", "", std::move(fields));
    for (ArrowOwner<ArrowArray>& array : data.batches) {
        const auto length = static_cast<std::size_t>(std::max<std::int64_t>(array->length, 0));
        auto columns = std::make_unique<OwnedArray>();
        columns->children.push_back(std::move(array));
        table.batches.push_back(to_array(length, 0, {}, std::move(columns)));
    }
    return table;
}

MatchedRows match_topics(const ArrowTable& data, std::optional<std::string_view> column,
                         const TopicMatcher& matcher) {
    const ArrowField field = topic_field(*data.schema, column);
    TopicMatching matching(matcher);
    for (const auto& batch : data.batches) matching.add(ArrowColumn(field, *batch));
    return std::move(matching.result);
}

}  // namespace penstock
