// What can go wrong, as data. The binding turns each into the Python exception of the same name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace penstock {

// A filter that cannot be read or makes no sense.
class FilterError : public std::runtime_error {
  public:
    enum class Code {
        syntax,      // the text does not follow the grammar
        type,        // operator, type and value do not fit together
        limit,       // too long, too deep, too many
        unsupported  // a thing that this language, or a foreign notation, leaves out on purpose
    };

    FilterError(Code kind, std::string what, std::string advice = {},
                std::optional<std::size_t> offset = std::nullopt, std::string wanted = {})
        : std::runtime_error(what),
          code(kind),
          message(std::move(what)),
          hint(std::move(advice)),
          expected(std::move(wanted)),
          at(offset) {}

    Code code;
    std::string message;            // "expected a value after '<'"
    std::string hint;               // what to write instead; may be empty
    std::string expected;           // "a value"; empty when nothing in particular was expected
    std::optional<std::size_t> at;  // byte offset into the text, when there is a text
};

// A message that no table can take.
class MessageError : public std::runtime_error {
  public:
    MessageError(std::optional<std::string> name, std::string what,
                 std::optional<std::size_t> which = std::nullopt)
        : std::runtime_error(what), attribute(std::move(name)), message(std::move(what)), row(which) {}
    explicit MessageError(std::string what) : MessageError(std::nullopt, std::move(what)) {}

    std::optional<std::string> attribute;  // none where the fault lies with a name
    std::string message;
    std::optional<std::size_t> row;  // of a batch
};

// An Arrow producer that failed, or handed over what is broken or no table.
class ArrowError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A file that is no table of ours, or none any more; or one that the system cannot read or write.
class FileError : public std::runtime_error {
  public:
    FileError(const std::string& file, const std::string& fault, int failure = 0)
        : std::runtime_error(file + ": " + fault + (failure == 0 ? "" : ": " + reason(failure))),
          path(file),
          message(fault),
          system(failure) {}

    std::string path;
    std::string message;  // "is truncated: 100 of 4096 bytes"
    int system;           // errno when the system failed, else 0

  private:
    static std::string reason(int failure) { return std::generic_category().message(failure); }
};

class UnknownSubscription : public std::runtime_error {
  public:
    explicit UnknownSubscription(std::uint64_t unknown)
        : std::runtime_error("no subscription has the id " + std::to_string(unknown)), id(unknown) {}

    std::uint64_t id;
};

// The table is full: an id or an arena would not fit its 32 bits.
class CapacityError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace penstock
