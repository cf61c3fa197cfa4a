#include "penstock/batch_subscribe.hpp"

#include <optional>

#include "penstock/arrow_column.hpp"
#include "penstock/language.hpp"
#include "penstock/utf8_check.hpp"

namespace penstock {

namespace {

class Subscribing {
  public:
    Subscribing(Table& table, const Limits& limits) : bulk_(table), limits_(limits) {}

    void add(const ArrowColumn& interfaces, const ArrowColumn& filters) {
        for (std::int64_t row = 0; row < filters.rows(); ++row) {
            std::optional<std::string_view> text;
            try {
                text = filter_at(filters, row);
                const std::string_view interface = interface_at(interfaces, row);
                bulk_.subscribe(interface, read(*text));
            } catch (const FilterError& error) {
                throw RowError(error, bulk_.size(), text ? std::optional<std::string>(*text) : std::nullopt);
            }
        }
    }

    std::vector<SubscriptionId> finish() { return bulk_.commit(); }

  private:
    static bool is_null(const ArrowColumn& column, std::int64_t row) { return !column.presence().at(row); }

    static std::string_view filter_at(const ArrowColumn& filters, std::int64_t row) {
        if (is_null(filters, row)) {
            throw FilterError(FilterError::Code::type, "the filter is null",
                              "TRUE is the filter that wants every message, FALSE the one that wants none");
        }
        return filters.text_at(row);
    }

    static std::string_view interface_at(const ArrowColumn& interfaces, std::int64_t row) {
        if (is_null(interfaces, row)) throw FilterError(FilterError::Code::type, "the interface is null");
        const std::string_view name = interfaces.text_at(row);
        if (name.size() > max_string_bytes)
            throw FilterError(FilterError::Code::limit, "the interface's name is longer than 64 KiB");
        if (!is_utf8(name))
            throw FilterError(FilterError::Code::syntax, "the interface's name is not valid UTF-8");
        return name;
    }

    Predicate read(std::string_view text) const {
        if (text.size() <= limits_.text_bytes) {  // otherwise parse() says that it is too long
            const std::size_t valid = valid_utf8_prefix(text);
            if (valid < text.size()) {
                throw FilterError(FilterError::Code::syntax, "the filter is not valid UTF-8 from here on",
                                  "decode the text properly before parsing it", valid);
            }
        }
        return parse(text, limits_);
    }

    Table::Bulk bulk_;
    const Limits& limits_;
};

}  // namespace

std::vector<SubscriptionId> subscribe_batches(Table& table, const ArrowTable& data,
                                              std::string_view interface_column,
                                              std::string_view filter_column, const Limits& limits) {
    const std::vector<ArrowField> fields = flatten(*data.schema);
    const ArrowField interface = text_field(fields, interface_column);
    const ArrowField filter = text_field(fields, filter_column);
    Subscribing subscribing(table, limits);
    for (const auto& batch : data.batches) {
        subscribing.add(ArrowColumn(interface, *batch), ArrowColumn(filter, *batch));
    }
    return subscribing.finish();
}

}  // namespace penstock
