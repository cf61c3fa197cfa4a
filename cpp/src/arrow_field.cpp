#include "penstock/arrow_field.hpp"

#include <algorithm>

#include "penstock/arrow_type.hpp"
#include "penstock/error.hpp"
#include "penstock/limits.hpp"
#include "penstock/utf8_check.hpp"
#include "penstock/wording.hpp"

namespace penstock {

namespace {

constexpr std::size_t max_nesting = 64;

class Flattening {
  public:
    void read_children(const ArrowSchema& parent, const std::string& prefix) {
        if (path_.size() > max_nesting)
            throw MessageError(prefix, "is nested deeper than " + std::to_string(max_nesting) + " levels");
        if (parent.n_children < 0 || (parent.n_children > 0 && parent.children == nullptr))
            throw ArrowError("the Arrow schema is broken: a struct lacks its children");
        for (std::int64_t at = 0; at < parent.n_children; ++at) {
            path_.push_back(at);
            read(parent.children[at], prefix);
            path_.pop_back();
        }
    }

    std::vector<ArrowField> fields;

  private:
    void read(const ArrowSchema* schema, const std::string& prefix) {
        if (schema == nullptr || schema->release == nullptr || schema->format == nullptr)
            throw ArrowError("the Arrow schema is broken: a column is missing");
        const std::string name = joined(prefix, schema->name != nullptr ? schema->name : "");
        if (schema->dictionary == nullptr && std::string_view(schema->format) == "+s") {
            read_children(*schema, name);
            return;
        }
        if (fields.size() == max_attributes) {
            throw MessageError(name,
                               "is one column too many; the limit is " + std::to_string(max_attributes));
        }
        fields.push_back(field(*schema, name));
    }

    std::string joined(const std::string& prefix, std::string_view name) const {
        if (!is_utf8(name)) throw ArrowError("the name of an Arrow column is not UTF-8");
        std::string full = path_.size() == 1 ? std::string(name) : prefix + "." + std::string(name);
        if (full.size() > max_string_bytes) throw MessageError(excerpt(full), "has a name over 64 KiB");
        return full;
    }

    ArrowField field(const ArrowSchema& schema, const std::string& name) const {
        const ArrowType& type = arrow_type(schema.format);
        if (schema.dictionary == nullptr) {
            return {name,
                    path_,
                    type.layout,
                    ArrowLayout::unsupported,
                    std::string(type.name),
                    std::string(type.advice),
                    type.bytes};
        }
        if (schema.dictionary->format == nullptr)
            throw ArrowError("the Arrow schema is broken: a dictionary has no type");
        const ArrowType& values = arrow_type(schema.dictionary->format);
        const std::string words = "dictionary of " + std::string(values.name);
        const bool flat = is_integer(type.layout) && schema.dictionary->dictionary == nullptr;
        if (flat && is_text(values.layout))
            return {name, path_, values.layout, type.layout, words, {}, values.bytes};
        const bool binary = flat && is_text(values.bytes);
        return {name,
                path_,
                ArrowLayout::unsupported,
                binary ? type.layout : ArrowLayout::unsupported,
                words,
                "cast it to the type of its values",
                binary ? values.bytes : ArrowLayout::unsupported};
    }

    std::vector<std::int64_t> path_;
};

std::string quoted(std::string_view name) {
    std::string text = "'";
    text += excerpt(name);
    text += '\'';
    return text;
}

// The one column of that name, whatever its type.
const ArrowField& find_field(const std::vector<ArrowField>& fields, std::string_view name) {
    const auto named = [&](const ArrowField& field) { return field.name == name; };
    const auto found = std::ranges::find_if(fields, named);
    if (found == fields.end()) {
        std::string there;
        for (const ArrowField& field : fields) {
            there += (there.empty() ? "; there are " : ", ");
            if (there.size() > 200) {
                there += "…";
                break;
            }
            there += quoted(field.name);
        }
        throw ArrowError("no column is named " + quoted(name) + there);
    }
    if (std::find_if(found + 1, fields.end(), named) != fields.end())
        throw ArrowError("two columns are named " + quoted(name));
    return *found;
}

[[noreturn]] void refuse_type(const ArrowField& field, const std::string& wanted) {
    throw ArrowError("column " + quoted(field.name) + " is of type " + field.type + "; a column of " +
                     wanted + " is needed");
}

}  // namespace

std::vector<ArrowField> flatten(const ArrowSchema& schema) {
    if (schema.format == nullptr) throw ArrowError("the Arrow schema is broken: it has no type");
    if (std::string_view(schema.format) != "+s" || schema.dictionary != nullptr) {
        throw ArrowError("a table is needed, whose columns are attributes; this is one array of type " +
                         std::string(arrow_type(schema.format).name));
    }
    Flattening flattening;
    flattening.read_children(schema, "");
    return std::move(flattening.fields);
}

std::vector<ArrowField> message_fields(const ArrowSchema& schema) {
    std::vector<ArrowField> fields = flatten(schema);
    std::vector<std::string_view> names;
    for (const ArrowField& field : fields) {
        if (field.layout == ArrowLayout::unsupported)
            throw MessageError(field.name, "is a column of type " + field.type + "; " + field.advice);
        names.push_back(field.name);
    }
    std::ranges::sort(names);
    const auto repeated = std::ranges::adjacent_find(names);
    if (repeated != names.end()) {
        throw MessageError(std::string(*repeated),
                           "names two columns; a struct's columns have the names of both, joined by a dot");
    }
    return fields;
}

ArrowField text_field(const std::vector<ArrowField>& fields, std::string_view name) {
    const ArrowField& field = find_field(fields, name);
    if (!is_text(field.layout)) refuse_type(field, "strings");
    return field;
}

ArrowField bytes_field(const std::vector<ArrowField>& fields, std::string_view name) {
    ArrowField field = find_field(fields, name);
    if (is_text(field.bytes)) field.layout = field.bytes;
    if (!is_text(field.layout) && field.layout != ArrowLayout::null) refuse_type(field, "strings or bytes");
    return field;
}

}  // namespace penstock
