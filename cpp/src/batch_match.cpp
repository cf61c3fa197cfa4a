#include "penstock/batch_match.hpp"

#include <algorithm>
#include <array>

#include "penstock/arrow_column.hpp"
#include "penstock/error.hpp"

namespace penstock {

namespace {

// A few rows as messages. They are filled column by column, because a column's values lie together and are
// all read in the same way; there are no more of them than the nearest cache holds.
class MessageBlock {
  public:
    explicit MessageBlock(std::size_t columns)
        : stride_(columns),
          rows_(static_cast<unsigned>(
              std::clamp<std::size_t>(2048 / std::max<std::size_t>(columns, 1), 1, 64))),
          attributes_(stride_ * rows_) {}

    unsigned capacity() const { return rows_; }
    MessageView message(unsigned row) const { return {attributes_.data() + row * stride_, sizes_[row]}; }

    void fill(const std::vector<ArrowColumn>& columns, std::int64_t begin, unsigned count) {
        sizes_.fill(0);
        for (const ArrowColumn& column : columns) {
            const std::string_view name = column.field().name;
            for (std::uint64_t left = column.present(begin, count); left != 0; left &= left - 1) {
                const auto row = static_cast<unsigned>(std::countr_zero(left));
                attributes_[row * stride_ + sizes_[row]++] = {name, column.at(begin + row)};
            }
        }
    }

  private:
    std::size_t stride_;
    unsigned rows_;
    std::vector<Attribute> attributes_;
    std::array<std::size_t, 64> sizes_{};
};

std::vector<ArrowColumn> checked_columns(const std::vector<ArrowField>& fields, const ArrowArray& batch,
                                         std::int64_t first) {
    if (batch.n_children < 0) refuse_array("", "has an impossible number of columns");
    check_array(batch, "", 1);
    std::vector<ArrowColumn> columns;
    for (const ArrowField& field : fields) columns.emplace_back(field, batch).check_values(first);
    return columns;
}

class Matching {
  public:
    Matching(Table::View& table, const ArrowSchema& schema, std::int64_t first)
        : table_(table), fields_(message_fields(schema)), first_(first) {}

    void add(const ArrowArray& batch) {
        std::vector<ArrowColumn> columns = checked_columns(fields_, batch, first_);
        std::erase_if(columns, [&](const ArrowColumn& column) { return !is_asked_for(column.field().name); });
        match(columns, batch.length);
        first_ += batch.length;
    }

    MatchedRows result;

  private:
    // An attribute that no constraint speaks of changes nothing, so it need not be carried along.
    bool is_asked_for(std::string_view name) const {
        return table_.catalogue().filters().names().find(name) != StringPool::none;
    }

    void match(const std::vector<ArrowColumn>& columns, std::int64_t rows) {
        MessageBlock block(columns.size());
        for (std::int64_t begin = 0; begin < rows; begin += block.capacity()) {
            const auto count = static_cast<unsigned>(std::min<std::int64_t>(block.capacity(), rows - begin));
            block.fill(columns, begin, count);
            for (unsigned row = 0; row < count; ++row) {
                table_.match(block.message(row), result.ids);
                result.end_row();
            }
        }
    }

    Table::View& table_;
    std::vector<ArrowField> fields_;
    std::int64_t first_;  // row of the table that the batch starts with
};

}  // namespace

MatchedRows match_rows(Table::View& table, const ArrowRows& rows) {
    Matching matching(table, *rows.schema, rows.first);
    for (const ArrowArray& batch : rows.batches) matching.add(batch);
    return std::move(matching.result);
}

void for_each_message(const ArrowTable& data, const MessageVisitor& visit) {
    const std::vector<ArrowField> fields = message_fields(*data.schema);
    std::vector<std::vector<ArrowColumn>> batches;
    std::int64_t first = 0;
    for (const auto& batch : data.batches) {
        batches.push_back(checked_columns(fields, *batch, first));
        first += batch->length;
    }
    MessageBlock block(fields.size());
    std::vector<MessageView> messages;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const std::int64_t rows = data.batches[i]->length;
        for (std::int64_t begin = 0; begin < rows; begin += block.capacity()) {
            const auto count = static_cast<unsigned>(std::min<std::int64_t>(block.capacity(), rows - begin));
            block.fill(batches[i], begin, count);
            messages.clear();
            for (unsigned row = 0; row < count; ++row) messages.push_back(block.message(row));
            visit(messages);
        }
    }
}

}  // namespace penstock
