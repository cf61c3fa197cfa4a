#include "penstock/string_pool.hpp"

#include <limits>

#include "penstock/error.hpp"
#include "penstock/hash.hpp"

namespace penstock {

StringPool::Id StringPool::find(std::string_view text) const {
    return table_.find(hash_bytes(text), [&](Id id) { return at(id) == text; });
}

StringPool::Id StringPool::acquire(std::string_view text) {
    if (const Id id = find(text); id != none) {
        ++entries_[id].references;
        return id;
    }
    if (bytes_.size() + text.size() > std::numeric_limits<std::uint32_t>::max() || entries_.size() >= none) {
        throw CapacityError("a table holds at most 4 GiB of distinct strings of one kind");
    }
    const auto offset = static_cast<std::uint32_t>(bytes_.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    const Entry entry{offset, static_cast<std::uint32_t>(text.size()), 1};
    Id id = free_;
    if (id != none) {
        free_ = entries_[id].offset;
        entries_[id] = entry;
    } else {
        id = bound();
        entries_.push_back(entry);
    }
    table_.insert(hash_bytes(text), id, [&](Id other) { return hash_bytes(at(other)); });
    return id;
}

void StringPool::release(Id id) {
    Entry& entry = entries_[id];
    if (--entry.references > 0) return;
    table_.erase(hash_bytes(at(id)), id, [&](Id other) { return hash_bytes(at(other)); });
    dead_bytes_ += entry.length;
    entry = {free_, 0, 0};
    free_ = id;
    if (table_.size() == 0) {
        *this = StringPool();
    } else if (dead_bytes_ > bytes_.size() / 2 && dead_bytes_ > 4096 + entries_.size()) {
        compact();  // visits every entry, dead ones too: rarely enough that it costs little per release
    }
}

void StringPool::compact() {
    std::vector<char> living;
    living.reserve(bytes_.size() - dead_bytes_);
    for (Entry& entry : entries_) {
        if (entry.references == 0) continue;
        const auto offset = static_cast<std::uint32_t>(living.size());
        const char* from = bytes_.data() + entry.offset;
        living.insert(living.end(), from, from + entry.length);
        entry.offset = offset;
    }
    bytes_.swap(living);
    dead_bytes_ = 0;
}

std::size_t StringPool::bytes() const {
    return bytes_.capacity() + entries_.capacity() * sizeof(Entry) + table_.bytes();
}

void StringPool::shrink() {
    bytes_.shrink_to_fit();
    entries_.shrink_to_fit();
}

}  // namespace penstock
