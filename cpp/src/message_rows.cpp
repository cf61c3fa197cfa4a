#include "penstock/message_rows.hpp"

namespace penstock {

MessageRows::MessageRows(const ArrowTable& data) : fields_(message_fields(*data.schema)) {
    std::int64_t first = 0;  // row of the table that the batch starts with
    for (const auto& batch : data.batches) {
        if (batch->n_children < 0) refuse_array("", "has an impossible number of columns");
        check_array(*batch, "", 1);
        std::vector<ArrowColumn>& columns = batches_.emplace_back();
        columns.reserve(fields_.size());
        for (const ArrowField& field : fields_) columns.emplace_back(field, *batch).check_values(first);
        lengths_.push_back(batch->length);
        first += batch->length;
    }
}

}  // namespace penstock
