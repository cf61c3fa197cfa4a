// JSON texts straight into the table: no Python object is made of them.
#include "penstock/json.hpp"

#include "table.hpp"

namespace penstock::bind {

namespace {

using namespace nb::literals;

// The bytes of a text, held for as long as this lives.
class Bytes {
  public:
    explicit Bytes(nb::handle data) {
        if (PyUnicode_Check(data.ptr())) {
            const auto text = utf8(data);
            if (!text) throw MessageError("the text holds a lone surrogate, which is not a character");
            view_ = *text;
        } else if (PyObject_CheckBuffer(data.ptr()) != 0) {
            if (PyObject_GetBuffer(data.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
            view_ = {static_cast<const char*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
        } else {
            throw nb::type_error(
                (std::string("match_json takes bytes, bytearray, memoryview or str, not ") + class_name(data))
                    .c_str());
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

Array<InterfaceId> match_json(PyTable& self, nb::handle data) {
    // One for each thread, whichever tables it serves: a reader's memory is worth keeping.
    static thread_local JsonMessage reader;
    const Bytes bytes(data);
    std::vector<InterfaceId> matched;
    self.table().match(reader.read(bytes.view()), matched);
    return to_array(std::move(matched));
}

}  // namespace

void bind_json(nb::class_<PyTable>& table) {
    table.def("match_json", &match_json, "data"_a.none(),
              nb::sig("def match_json(self, data: bytes | bytearray | memoryview | str) "
                      "-> numpy.typing.NDArray[numpy.uint32]"),
              "Like match_ids, for a message as JSON text in UTF-8; many times faster than reading it in "
              "Python first.");
}

}  // namespace penstock::bind
