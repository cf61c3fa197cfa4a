#include "penstock/json.hpp"

#include <simdjson.h>

#include <new>
#include <utility>
#include <vector>

#include "penstock/flat_message.hpp"
#include "penstock/json_fault.hpp"
#include "penstock/utf8.hpp"

namespace penstock {

namespace {

namespace dom = simdjson::dom;

// Memory that a text larger than this has claimed is given back at the next one.
constexpr std::size_t kept_bytes = 1U << 20U;

}  // namespace

// On demand, simdjson would be no faster where every value is wanted, would check the text less, and would
// settle the vector code of its second half when compiled; the document is built by code chosen at run time.
class JsonMessage::Reader {
  public:
    MessageView read(std::string_view text, std::size_t readable) {
        flat_.clear();
        keys_.clear();
        read_object(parse(text, readable));
        flat_.finish();
        return flat_.view();
    }

  private:
    dom::object parse(std::string_view text, std::size_t readable) {
        if (parser_.capacity() > kept_bytes && text.size() <= kept_bytes) parser_ = dom::parser();
        const std::string_view body = without_mark(text);
        const bool copy = readable < simdjson::SIMDJSON_PADDING;
        dom::object object;
        switch (parser_.parse(body.data(), body.size(), copy).get(object)) {
            case simdjson::SUCCESS:
                return object;
            case simdjson::MEMALLOC:
                throw std::bad_alloc();
            case simdjson::CAPACITY:
                throw MessageError("longer than 4 GiB");
            default:
                refuse_json(text);
        }
    }

    void read_object(dom::object object) {
        const std::size_t first = keys_.size();
        for (const dom::key_value_pair field : object) {
            // By its parts: copied as one, it would be read back in one piece while two are being written.
            keys_.emplace_back(field.key.data(), field.key.size());
            read_value(field.key, field.value);
        }
        if (const auto repeated = find_repeated(std::span(keys_).subspan(first)))
            throw MessageError(std::string(flat_.name_of(*repeated)), "occurs twice");
        keys_.resize(first);
    }

    void read_value(std::string_view key, dom::element value) {
        switch (value.type()) {
            case dom::element_type::STRING:
                return add(key, value.get_string().value_unsafe());
            case dom::element_type::INT64:
                return add(key, value.get_int64().value_unsafe());
            case dom::element_type::DOUBLE:
                return add(key, value.get_double().value_unsafe());
            case dom::element_type::BOOL:
                return add(key, value.get_bool().value_unsafe());
            case dom::element_type::NULL_VALUE:
                return;
            case dom::element_type::OBJECT:
                flat_.enter(key);
                read_object(value.get_object().value_unsafe());
                return flat_.leave();
            case dom::element_type::ARRAY:
                refuse_several(flat_.name_of(key), "an array");
            default:  // an integer between 2^63 and 2^64
                refuse_integer(flat_.name_of(key));
        }
    }

    template <class Value>
    void add(std::string_view key, Value value) {
        flat_.add(flat_.name_of(key), ValueView::of(value));
    }

    dom::parser parser_;
    FlatMessage flat_;
    std::vector<std::string_view> keys_;  // of the objects that are being read, the innermost last
};

JsonMessage::JsonMessage() : reader_(std::make_unique<Reader>()) {}
JsonMessage::~JsonMessage() = default;
JsonMessage::JsonMessage(JsonMessage&& other) noexcept = default;
JsonMessage& JsonMessage::operator=(JsonMessage&& other) noexcept = default;

std::size_t JsonMessage::padding() {
    return simdjson::SIMDJSON_PADDING;
}

MessageView JsonMessage::read(std::string_view text, std::size_t readable) {
    return reader_->read(text, readable);
}

}  // namespace penstock
