#include "penstock/batch_json.hpp"

#include <algorithm>
#include <utility>

#include "penstock/json.hpp"

namespace penstock {

namespace {

class JsonMatching {
  public:
    explicit JsonMatching(Table::View& table) : table_(table) {}

    void add(const ArrowColumn& column, std::int64_t begin, std::int64_t end) {
        // Each entry of a dictionary is read and matched once. A dictionary that is larger than the column
        // has little to repeat, and looking after all of its entries would cost more than it saves.
        answered_.clear();
        if (column.dictionary_size() <= end - begin)
            answered_.resize(static_cast<std::size_t>(column.dictionary_size()));
        for (std::int64_t row = begin; row < end; ++row) {
            if (column.presence().at(row)) {
                add_row(column, row);
            } else {
                refuse(std::nullopt, "the text is null");
            }
            result.matched.end_row();
        }
    }

    JsonRows result;

  private:
    // Where the answer to an entry of the dictionary was given first.
    struct Answer {
        static constexpr std::size_t none = SIZE_MAX;
        std::size_t row = none;
        std::size_t fault = none;
    };

    void add_row(const ArrowColumn& column, std::int64_t row) {
        if (answered_.empty()) return read(column, row);
        Answer& answer = answered_[static_cast<std::size_t>(column.entry_at(row))];
        if (answer.row != Answer::none) return repeat(answer);
        const std::size_t faults = result.faults.size();
        answer.row = result.matched.rows();
        read(column, row);
        if (result.faults.size() > faults) answer.fault = faults;
    }

    void read(const ArrowColumn& column, std::int64_t row) {
        MessageView message;
        try {
            message = reader_.read(column.text_at(row), column.readable_behind(row));
        } catch (const MessageError& error) {
            return refuse(error.attribute, error.message);
        }
        table_.match(message, result.matched.ids);
    }

    void repeat(const Answer& answer) {
        if (answer.fault != Answer::none) {
            RowFault fault = result.faults[answer.fault];
            return refuse(std::move(fault.attribute), std::move(fault.message));
        }
        std::vector<InterfaceId>& ids = result.matched.ids;
        const auto first = result.matched.offsets[answer.row];
        const auto count = result.matched.offsets[answer.row + 1] - first;
        ids.resize(ids.size() + static_cast<std::size_t>(count));
        std::copy_n(ids.begin() + first, count, ids.end() - count);
    }

    void refuse(std::optional<std::string> attribute, std::string why) {
        result.matched.refused.push_back(result.matched.rows());
        result.faults.push_back({result.matched.rows(), std::move(attribute), std::move(why)});
    }

    Table::View& table_;
    JsonMessage reader_;
    std::vector<Answer> answered_;
};

}  // namespace

TextRows::TextRows(const ArrowTable& data, std::string_view column)
    : field_(bytes_field(flatten(*data.schema), column)) {
    for (const auto& batch : data.batches) {
        batches_.emplace_back(field_, *batch);
        lengths_.push_back(batch->length);
    }
}

JsonRows match_json_rows(Table::View& table, const TextRows& texts, const RowRanges& ranges) {
    JsonMatching matching(table);
    for (const RowRange& range : ranges) matching.add(texts.column(range.batch), range.begin, range.end);
    return std::move(matching.result);
}

}  // namespace penstock
