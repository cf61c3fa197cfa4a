#include "penstock/batch_match.hpp"

#include <utility>

#include "penstock/message_block.hpp"

namespace penstock {

namespace {

Type type_of(ArrowLayout layout) {
    if (is_text(layout)) return Type::string;
    if (is_integer(layout)) return Type::int_;
    return layout == ArrowLayout::boolean ? Type::bool_ : Type::float_;
}

// An attribute that no constraint speaks of changes nothing, so it need not be carried along. Those of one
// type come together, as a match wants them.
std::vector<MessageColumn> asked_for(std::span<const ArrowColumn> columns, Table::View& table,
                                     std::int64_t rows) {
    std::vector<MessageColumn> asked;
    const StringPool& names = table.catalogue().filters().names();
    for (const Type type : {Type::string, Type::int_, Type::float_, Type::bool_}) {
        for (const ArrowColumn& column : columns) {
            if (type_of(column.field().layout) != type) continue;
            const NameId name = names.find(column.field().name);
            if (name != StringPool::none) asked.emplace_back(column, type, name, table, rows);
        }
    }
    return asked;
}

}  // namespace

MatchedRows match_rows(Table::View& table, const MessageRows& messages, const RowRanges& ranges) {
    MatchedRows result;
    std::vector<std::size_t> ends;
    for (const RowRange& range : ranges) {
        MessageBlock block(asked_for(messages.columns(range.batch), table, range.end - range.begin), &table);
        block.for_each(range.begin, range.end, [&](std::span<const MessageView> rows) {
            ends.resize(rows.size());
            table.match(rows, result.ids, ends);
            result.end_rows(ends);
        });
    }
    return result;
}

void for_each_message(const MessageRows& messages, const MessageVisitor& visit) {
    for (const RowRange& range : all_rows(messages.lengths())) {
        const std::span<const ArrowColumn> columns = messages.columns(range.batch);
        MessageBlock(std::vector<MessageColumn>(columns.begin(), columns.end()))
            .for_each(range.begin, range.end, visit);
    }
}

}  // namespace penstock
