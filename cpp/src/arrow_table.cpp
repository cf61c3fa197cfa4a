#include "penstock/arrow_table.hpp"

#include <cstring>
#include <string>

#include "penstock/error.hpp"
#include "penstock/utf8_check.hpp"

namespace penstock {

namespace {

[[noreturn]] void refuse(ArrowArrayStream& stream, int code) {
    const char* words = stream.get_last_error != nullptr ? stream.get_last_error(&stream) : nullptr;
    std::string reason = words != nullptr ? words : std::strerror(code);
    if (!is_utf8(reason)) reason = "(in words that are not UTF-8) " + std::string(std::strerror(code));
    throw ArrowError("the producer of the Arrow stream failed: " + reason);
}

}  // namespace

ArrowTable read_stream(ArrowOwner<ArrowArrayStream> stream) {
    if (stream.empty()) throw ArrowError("the Arrow stream was already consumed");
    if (stream->get_schema == nullptr || stream->get_next == nullptr)
        throw ArrowError("the Arrow stream lacks its callbacks");
    ArrowTable table;
    if (const int code = stream->get_schema(stream.get(), table.schema.get())) refuse(*stream.get(), code);
    if (table.schema.empty()) throw ArrowError("the Arrow stream has no schema");
    while (true) {
        ArrowOwner<ArrowArray> batch;
        if (const int code = stream->get_next(stream.get(), batch.get())) refuse(*stream.get(), code);
        if (batch.empty()) return table;
        table.batches.push_back(std::move(batch));
    }
}

}  // namespace penstock
