// From a Python mapping to a message: types checked, nested mappings flattened to dotted names.
#pragma once

#include <vector>

#include "bind.hpp"
#include "penstock/flat_message.hpp"

namespace penstock::bind {

// Keeps alive the strings that it has read, so that it can be used while other threads run Python.
class Message {
  public:
    // Replaces what was here. Raises MessageError, which names the attribute, or TypeError.
    void read(nb::handle mapping);
    MessageView view() const { return flat_.view(); }
    void clear();

  private:
    // What was met needs Python code to be run, which may change the very mappings that are being read.
    struct NeedsCare {};

    void read_mapping(nb::handle mapping);
    void read_item(nb::handle name, nb::handle value);
    std::string_view read_name(nb::handle name);
    bool read_plain(std::string_view key, nb::handle value);
    void read_value(std::string_view name, nb::handle value);
    bool read_numpy(std::string_view name, nb::handle value);
    bool is_mapping(nb::handle value) const;

    FlatMessage flat_;
    std::vector<nb::object> kept_;  // names and strings; copies of the mappings, when care is needed
    bool careful_ = false;
};

}  // namespace penstock::bind
