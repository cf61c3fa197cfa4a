// JSON texts straight into the table: no Python object is made of them.
#include "penstock/json.hpp"

#include "kept.hpp"
#include "table.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

// The bytes of a text, held for as long as this lives.
class Bytes {
  public:
    explicit Bytes(nb::handle data) {
        if (PyBytes_Check(data.ptr())) {
            view_ = {PyBytes_AS_STRING(data.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(data.ptr()))};
        } else if (PyUnicode_Check(data.ptr())) {
            const auto text = utf8(data);
            if (!text) throw MessageError("the text holds a lone surrogate, which is not a character");
            view_ = *text;
        } else if (PyObject_CheckBuffer(data.ptr()) != 0) {
            if (PyObject_GetBuffer(data.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
            view_ = {static_cast<const char*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
        } else {
            raise_type_error(std::string("match_json takes bytes, bytearray, memoryview or str, not ") +
                             class_name(data));
        }
    }
    ~Bytes() { PyBuffer_Release(&buffer_); }  // does nothing where there is none
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    std::string_view view() const { return view_; }

  private:
    Py_buffer buffer_{};
    std::string_view view_;
};

// One for each thread, whichever tables it serves: a reader's memory is worth keeping.
JsonMessage& reader() {
    static thread_local JsonMessage kept;
    return kept;
}

Array<InterfaceId> match_json(PyTable& self, nb::handle data) {
    const Bytes bytes(data);
    const Kept<MatchedIds> matched;
    self.without_gil([&] {
        const MessageView message = reader().read(bytes.view());
        self.table().read([&](Table::View& view) { view.match(message, matched->ids); });
    });
    return to_array(matched->ids);
}

nb::object to_python(const ValueView& value) {
    switch (value.type) {
        case Type::string:
            return nb::str(value.text.data(), value.text.size());
        case Type::int_:
            return nb::int_(value.integer);
        case Type::float_:
            return nb::float_(value.real);
        default:
            return nb::bool_(value.boolean);
    }
}

nb::dict read_json(nb::handle data) {
    const Bytes bytes(data);
    nb::dict message;
    for (const Attribute& attribute : reader().read(bytes.view())) {
        message[nb::str(attribute.name.data(), attribute.name.size())] = to_python(attribute.value);
    }
    return message;
}

}  // namespace

void bind_json(nb::module_& module, nb::class_<PyTable>& table) {
    module.def("read_json", &read_json, "data"_a.none(),
               nb::sig("def read_json(data: bytes | bytearray | memoryview | str) "
                       "-> dict[str, str | int | float | bool]"),
               "The message in a JSON text, as match_json reads it: flat, and without what is null.");
    table.def("match_json", &match_json, "data"_a.none(),
              nb::sig("def match_json(self, data: bytes | bytearray | memoryview | str) "
                      "-> numpy.typing.NDArray[numpy.uint32]"),
              "Like match_ids, for a message as JSON text in UTF-8; many times faster than reading it in "
              "Python first.");
}

}  // namespace penstock::bind
