// The postings of filters whose access constraint asks for a particular value, or for mere presence.
//
// A key is a name, a kind of question and a value; under it lie the postings of the filters that can only
// match if the message has that key: candidates, and sure ones, which match for that alone. A single posting
// lies in the hash table's slot itself, several in a list. Candidates are sorted by their first check, and
// then by their second, a stretch of the list at a time: whoever knows which codes pass need not look at the
// others, and changes move no more than a stretch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "penstock/hash_table.hpp"
#include "penstock/posting.hpp"

namespace penstock {

class Key {
  public:
    enum class Kind : std::uint8_t {
        number = 1,  // no head is zero
        int_,
        float_,
        bool_,
        string,    // the value is equal to a text, or begins with it, ends with it, contains it: see Relation
        presence,  // the value is a type
        exclusion,  // any value of a type but one: see Posting
        cell,       // of an interval of numbers: see CellRange
        always,
    };

    Key(NameId name, Kind kind, ValueCode value)
        : head_(name << 8U | static_cast<std::uint32_t>(kind) << 1U), value_(value) {}

    std::uint32_t head() const { return head_; }  // the lowest bit is zero
    Kind kind() const { return static_cast<Kind>(head_ >> 1U & 127U); }
    ValueCode value() const { return value_; }
    std::uint64_t hash(std::uint64_t seed) const {
        return mix(static_cast<std::uint64_t>(head_) << 32U | value_, seed);
    }

  private:
    std::uint32_t head_;
    ValueCode value_;
};

class KeyIndex {
  public:
    // All may throw for want of memory, and then have changed nothing, except those marked noexcept.
    bool add(const Key& key, const Posting& posting);              // true if the key is new
    bool remove(const Key& key, const Posting& posting) noexcept;  // true if the key is gone

    // A lookup in steps, so that many can be under way while memory answers.
    struct Slot {
        std::uint32_t head = 0;  // of the key; the lowest bit says that there is a list
        ValueCode value = 0;
        Posting posting{};  // the target is the place of the list, if there is one

        bool is_nothing() const { return head == 0; }
        bool is(const Key& key) const { return (((head ^ key.head()) & ~1U) | (value ^ key.value())) == 0; }
        bool has_list() const { return (head & 1U) != 0; }
    };
    std::uint64_t hash(const Key& key) const { return key.hash(seed_); }
    void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
    const Slot* find(const Key& key, std::uint64_t hash) const {
        return table_.find(
            hash, [&](const Slot& other) { return other.is(key); },
            [this](const Slot& other) { return hash_of(other); });
    }
    // As far as a search in a list of middling size goes.
    void prefetch(const Slot& slot) const {
        if (!slot.has_list()) return;
        const std::uint32_t* const list = lists_.at(slot.posting.target);
        for (std::size_t line = 0; line < 4; ++line) __builtin_prefetch(list + 16 * line);
    }
    struct Postings {
        std::span<const Posting> sure;
        std::span<const Posting> candidates;
    };
    Postings postings(const Slot& slot) const {
        if (!slot.has_list()) {
            const std::size_t sure = slot.posting.is_sure() ? 1 : 0;
            return {{&slot.posting, sure}, {&slot.posting, 1 - sure}};
        }
        const List* const list = list_of(slot);
        const Posting* const all = postings_of(list);
        const std::size_t candidates = list->candidates();
        return {{all + candidates, list->sure}, {all, candidates}};
    }
    std::size_t count(const Key& key) const;
    // Candidates from a multiple of this to the next are sorted.
    static constexpr std::size_t stretch = 1024;

    std::size_t bytes() const { return table_.bytes() + lists_.bytes(); }
    void shrink() {
        table_.shrink();
        lists_.shrink();
    }
    template <class Archive>
    void archive(Archive& archive) {
        table_.archive(archive);
        lists_.archive(archive);
        archive(seed_);
    }

  private:
    struct List {
        std::uint32_t room;
        std::uint32_t size;
        std::uint32_t sure;  // these come last

        std::uint32_t candidates() const { return size - sure; }
    };
    static constexpr std::size_t header_words = sizeof(List) / 4;
    static constexpr std::size_t posting_words = sizeof(Posting) / 4;
    static std::size_t list_words(std::uint32_t room) {
        return header_words + posting_words * std::size_t{room};
    }
    List* list_of(const Slot& slot) { return reinterpret_cast<List*>(lists_.at(slot.posting.target)); }
    const List* list_of(const Slot& slot) const {
        return reinterpret_cast<const List*>(lists_.at(slot.posting.target));
    }
    static Posting* postings_of(List* list) { return reinterpret_cast<Posting*>(list + 1); }
    static const Posting* postings_of(const List* list) { return reinterpret_cast<const Posting*>(list + 1); }
    std::uint64_t hash_of(const Slot& slot) const {
        return mix(static_cast<std::uint64_t>(slot.head & ~1U) << 32U | slot.value, seed_);
    }
    Slot* find_slot(const Key& key) { return const_cast<Slot*>(std::as_const(*this).find(key, hash(key))); }
    void erase(Slot* slot);
    Slot* insert(const Key& key, const Posting& posting, bool list);
    Arena::Place new_list(std::uint32_t room);
    List* with_room(Slot* slot, std::uint32_t more);
    static void insert_candidate(Posting* postings, std::uint32_t count, const Posting& posting);
    static void erase_candidate(Posting* postings, std::uint32_t count, std::uint32_t at);
    void remove_at(Slot* slot, std::uint32_t at);

    HashTable<Slot, 8, true> table_;
    Arena lists_;
    std::uint64_t seed_ = hash_seed;
};

}  // namespace penstock
