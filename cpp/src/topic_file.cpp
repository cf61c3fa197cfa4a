// Topic tables to files, and back.
#include <utility>

#include "penstock/topic_table.hpp"

namespace penstock {

namespace {

// Comes first, so that no other table takes the file for its own, nor this one theirs.
const std::string kind = "topics";

TopicTable::Settings read_settings(FileReader& file) {
    std::string found;
    file.text(found);
    if (found != kind) file.refuse("is a table of another kind");
    TopicTable::Settings settings;
    settings.archive(file);
    const bool known = settings.scheme <= TopicTable::Scheme::regex && settings.levels > 0 &&
                       settings.levels <= most_topic_levels;
    if (!known) file.refuse("has settings that no table can have");
    return settings;
}

}  // namespace

TopicTable::TopicTable(FileReader&& file) : TopicTable(read_settings(file)) {
    archive(file);
    mapping_ = file.finish();
}

void TopicTable::save(const std::string& path) {
    std::unique_lock changing(changing_);  // nobody else writes, and who reads may go on
    const std::lock_guard saving(saving_);
    FileWriter file(path);
    file.text(kind);
    Settings settings = settings_;
    settings.archive(file);
    archive(file);
    changing.unlock();
    file.commit();
}

}  // namespace penstock
