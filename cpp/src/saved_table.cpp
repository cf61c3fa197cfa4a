// Tables to files, and back.
#include <optional>

#include "penstock/table.hpp"

namespace penstock {

namespace {

Table::Settings read_settings(FileReader& file) {
    Table::Settings settings;
    settings.archive(file);
    const bool known = settings.engine <= Table::Engine::selectivity && settings.limits.depth <= max_depth &&
                       settings.limits.constraints <= max_constraints;
    if (!known) file.refuse("has settings that no table can have");
    return settings;
}

}  // namespace

Table::Table(FileReader&& file) : Table(read_settings(file)) {
    archive(file);
    mapping_ = file.finish();
}

void Table::save(const std::string& path) {
    // Not the gate alone: in the middle of a bulk, readers pass while the catalogue has what is not
    // committed.
    std::optional<Change> change(std::in_place, *this);
    const std::lock_guard saving(saving_);
    FileWriter file(path);
    Settings settings = settings_;
    settings.archive(file);
    if (by_access()) {
        archive(file);
    } else {
        const auto writer = gate_.write();  // a match might build, which moves the catalogue
        archive(file);
    }
    change.reset();
    file.commit();
}

}  // namespace penstock
