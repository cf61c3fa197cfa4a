// From a Python mapping to a message: types checked, nested mappings flattened to dotted names.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "bind.hpp"
#include "penstock/value.hpp"

namespace penstock::bind {

// Borrows the strings of the mapping it has read, so it lasts no longer than the mapping does unchanged.
class Message {
  public:
    // Replaces what was here. Raises MessageError, which names the attribute, or TypeError.
    void read(nb::handle mapping);
    MessageView view() const { return attributes_; }
    void clear();

  private:
    // What was met needs Python code to be run, which may change the very mappings that are being read.
    struct NeedsCare {};

    void read_mapping(nb::handle mapping, const std::string* prefix, std::size_t depth);
    void read_item(nb::handle name, nb::handle value, const std::string* prefix, std::size_t depth);
    std::string_view full_name(nb::handle key, const std::string* prefix);
    void add(std::string_view name, ValueView value);
    bool read_numpy(std::string_view name, nb::handle value);
    bool is_mapping(nb::handle value) const;
    void refuse_repeated_names() const;

    std::vector<Attribute> attributes_;
    std::deque<std::string> names_;   // dotted names
    std::vector<nb::object> copies_;  // of the mappings, when care is needed
    std::size_t name_bytes_ = 0;
    std::size_t mappings_ = 0;
    bool subclassed_ =
        false;  // some name is no plain str: it may be equal to another where == says it is not
    bool careful_ = false;
};

}  // namespace penstock::bind
