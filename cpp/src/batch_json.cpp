#include "penstock/batch_json.hpp"

#include <algorithm>
#include <array>
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
        while (begin < end) {
            if (!answered_.empty() && column.presence().at(begin)) {
                add_entry(column, begin++);
            } else {
                begin += add_some(column, begin, answered_.empty() ? end : begin + 1);
            }
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

    // Reads some rows before it matches them: while memory answers for one, the table works on the others.
    // Long texts come alone, as a reader needs many times their size. Says how many rows it took.
    std::int64_t add_some(const ArrowColumn& column, std::int64_t begin, std::int64_t end) {
        std::array<MessageView, together> messages;
        std::array<std::size_t, together> ends;  // first of the messages, then of the rows
        std::array<bool, together> is_read{};
        std::size_t count = 0;
        std::size_t size = 0;
        std::size_t bytes = 0;
        for (std::int64_t row = begin; row < end && size < together; ++row, ++size) {
            bytes += column.presence().at(row) ? column.text_at(row).size() : 0;
            if (size > 0 && bytes > most_bytes) break;
            is_read[size] = read(column, row, result.matched.rows() + size, readers_[count], messages[count]);
            count += is_read[size] ? 1 : 0;
        }
        const std::size_t before = result.matched.ids.size();
        table_.match({messages.data(), count}, result.matched.ids, {ends.data(), count});
        for (std::size_t i = size; i-- > 0;) {
            ends[i] = count == 0 ? before : ends[count - 1];
            count -= is_read[i] ? 1 : 0;
        }
        result.matched.end_rows({ends.data(), size});
        return static_cast<std::int64_t>(size);
    }

    void add_entry(const ArrowColumn& column, std::int64_t row) {
        Answer& answer = answered_[static_cast<std::size_t>(column.entry_at(row))];
        if (answer.row == Answer::none) {
            const std::size_t faults = result.faults.size();
            answer.row = result.matched.rows();
            MessageView message;
            if (read(column, row, answer.row, readers_[0], message)) {
                table_.match(message, result.matched.ids);
            } else {
                answer.fault = faults;
            }
        } else {
            repeat(answer);
        }
        result.matched.end_row();
    }

    // False if the row is refused.
    bool read(const ArrowColumn& column, std::int64_t at, std::size_t row, JsonMessage& reader,
              MessageView& message) {
        if (!column.presence().at(at)) {
            refuse(row, std::nullopt, "the text is null");
            return false;
        }
        try {
            message = reader.read(column.text_at(at), column.readable_behind(at));
        } catch (const MessageError& error) {
            refuse(row, error.attribute, error.message);
            return false;
        }
        return true;
    }

    void repeat(const Answer& answer) {
        if (answer.fault != Answer::none) {
            RowFault fault = result.faults[answer.fault];
            return refuse(result.matched.rows(), std::move(fault.attribute), std::move(fault.message));
        }
        FoundIds& ids = result.matched.ids;
        const auto first = result.matched.offsets[answer.row];
        const auto count = result.matched.offsets[answer.row + 1] - first;
        ids.resize(ids.size() + static_cast<std::size_t>(count));
        std::copy_n(ids.begin() + first, count, ids.end() - count);
    }

    void refuse(std::size_t row, std::optional<std::string> attribute, std::string why) {
        result.matched.refused.push_back(row);
        result.faults.push_back({row, std::move(attribute), std::move(why)});
    }

    static constexpr std::size_t together = 16;
    static constexpr std::size_t most_bytes = 1U << 16U;

    Table::View& table_;
    std::array<JsonMessage, together> readers_;
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
