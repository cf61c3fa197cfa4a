// What the access engine found for values that came lately.
//
// The columns of a batch repeat their values: a carrier, a route, a level, a word. What the index has for one
// (who is sure to get the message, which filters are candidates, what the value says to checks) stays the
// same until the table changes, so the rows that have it need not look for it again. Only what comes a second
// time is kept. Values for which there is much are not, as looking is the least of it then; names whose
// values hardly repeat are left alone for a while.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "penstock/check.hpp"
#include "penstock/hash.hpp"
#include "penstock/id_slot.hpp"
#include "penstock/interface_set.hpp"
#include "penstock/posting.hpp"
#include "penstock/text_ends.hpp"

namespace penstock {

// A value under a name.
class ValueSubject {
  public:
    ValueSubject() = default;
    // Long strings are known by their codes. Precondition: it can be one.
    ValueSubject(NameId name, const ValueView& value)
        : head_(name << 8U | static_cast<std::uint32_t>(value.type)) {
        switch (value.type) {
            case Type::string:
                set_text(value);
                break;
            case Type::int_:
                first_ = static_cast<std::uint64_t>(value.integer);
                break;
            case Type::float_:
                first_ = std::bit_cast<std::uint64_t>(value.real);
                break;
            default:
                first_ = value.boolean ? 1 : 0;
        }
    }
    static bool needs_code(const ValueView& value) { return value.type == Type::string && !is_short(value); }
    static bool can_be(const ValueView& value) {
        return !needs_code(value) || value.coding == ValueView::Coding::known;
    }

    std::uint64_t hash() const { return mix(mix(first_, head_), last_); }
    bool operator==(const ValueSubject&) const = default;

  private:
    static bool is_short(const ValueView& value) { return value.text.size() <= TextEnds::whole; }
    void set_text(const ValueView& value) {
        if (is_short(value)) {
            const TextEnds ends(value.text);
            first_ = ends.head;
            last_ = ends.tail;
            head_ |= static_cast<std::uint32_t>(value.text.size() + 1) << 3U;
        } else {
            first_ = value.code;
        }
    }

    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::uint32_t head_ = 0;  // the name, the length of a short string and the type
};

class ValueFindings {
  public:
    // Where interfaces are few; where they are many, see ValueMemo::owners().
    const InterfaceSet& sure() const { return sure_; }

  private:
    friend class ValueMemo;

    ValueSubject subject_;
    InterfaceSet sure_;
    std::uint32_t first_owner_ = 0;
    std::uint32_t first_candidate_ = 0;
    std::uint32_t owners_ = 0;
    std::uint32_t candidates_ = 0;
    std::uint32_t slot_ = 0;
    bool is_too_much_ = false;  // to be kept: of no use, but known to be so
};

class ValueMemo {
  public:
    // Before the values of some rows are recalled. Forgets all if the table has changed, or if there is no
    // more room.
    void follow(std::uint64_t version, std::size_t names);
    // Whether what is found for these rows may be remembered: once after it followed, while nothing changes.
    bool open(std::uint64_t version) { return std::exchange(is_open_, false) && version_ == version; }

    // Tells values of a name, at most so many, their findings, as far as there are some. These stay where
    // they are until the memo follows another time. Precondition: it has followed.
    static constexpr std::size_t most_at_once = 64;
    void recall(NameId name, std::span<ValueView* const> values) const;

    std::span<const InterfaceId> owners(const ValueFindings& findings) const {
        return {owners_.data() + findings.first_owner_, findings.owners_};
    }
    // So many postings can be read from where candidates begin, even if they are fewer.
    static constexpr std::size_t readable = 4;
    std::span<const Posting> candidates(const ValueFindings& findings) const {
        return {candidates_.data() + findings.first_candidate_, findings.candidates_};
    }
    const Acceptance& answer(const ValueFindings& findings) const {
        return answers_[static_cast<std::size_t>(&findings - findings_.data())];
    }

    // Findings in the making.
    class Draft {
      public:
        explicit Draft(ValueMemo& memo) : memo_(memo) {
            findings_.first_owner_ = static_cast<std::uint32_t>(memo.owners_.size());
            findings_.first_candidate_ = static_cast<std::uint32_t>(memo.candidates_used_);
        }
        Draft(const Draft&) = delete;
        Draft& operator=(const Draft&) = delete;

        // Nothing more is taken once there is too much to keep.
        bool is_too_much() const { return findings_.is_too_much_; }
        void add_sure(const InterfaceSet& interfaces) { findings_.sure_ |= interfaces; }
        void add_sure(InterfaceId interface) { findings_.sure_.insert(interface); }
        void add_owner(InterfaceId interface);
        void add_candidate(const Posting& posting);

      private:
        friend ValueMemo;

        ValueMemo& memo_;
        ValueFindings findings_;
    };
    // Calls fill(draft) to keep what it puts there, with what the value says to checks. Precondition: it was
    // open.
    template <class Fill>
    void remember(NameId name, const ValueView& value, const Acceptance& answer, const Fill& fill) {
        if (!ValueSubject::can_be(value)) return;
        const ValueSubject subject(name, value);
        const std::uint64_t hash = subject.hash();
        if (!was_met(hash)) return;
        TaggedSlot* const slot = find(subject, hash);
        if (slot == nullptr || !slot->is_nothing() || !pay_for(name)) return;
        Draft draft(*this);
        fill(draft);
        keep(draft, subject, answer, *slot);
    }

    std::size_t bytes() const;

  private:
    static constexpr std::size_t most = 1U << 16U;
    static constexpr std::size_t most_of_a_block = 4096;
    static constexpr std::size_t slot_count = 2 * most;
    static constexpr std::size_t met_count = 4 * most;
    static constexpr std::ptrdiff_t farthest = 8;    // from its home that a slot is sought
    static constexpr std::size_t most_of_one = 128;  // owners or candidates
    static constexpr std::size_t most_of_all = 8 * most;
    // What is kept costs a name one of its credits. It gets some more every so many blocks of rows; one that
    // has none left has to wait for several such terms.
    static constexpr std::uint32_t term = 64;
    static constexpr std::int32_t income = 1024;
    static constexpr std::int32_t savings = 4096;
    static constexpr std::int32_t terms_without = 16;

    const TaggedSlot* home(std::uint64_t hash) const { return slots_.data() + (hash >> 32U) % slot_count; }
    // The slot that the subject has, or a free one; null where neither is near.
    const TaggedSlot* find(const ValueSubject& subject, std::uint64_t hash) const {
        const TaggedSlot* const first = home(hash);
        for (const TaggedSlot* slot = first; slot < first + farthest; ++slot) {
            if (slot->is_nothing()) return slot;
            if (slot->may_have(hash) && findings_[slot->id()].subject_ == subject) return slot;
        }
        return nullptr;
    }
    TaggedSlot* find(const ValueSubject& subject, std::uint64_t hash) {
        return const_cast<TaggedSlot*>(std::as_const(*this).find(subject, hash));
    }
    // Whether the value seems to have come before. Most that come once never come again.
    bool was_met(std::uint64_t hash) {
        std::uint16_t& last = met_[(hash >> 16U) % met_count];
        const auto tag = static_cast<std::uint16_t>(hash | 1U);
        return std::exchange(last, tag) == tag;
    }
    bool is_full() const {
        return findings_.size() + most_of_a_block > most || owners_.size() + most_of_one > most_of_all ||
               candidates_used_ + most_of_one > most_of_all;
    }
    void forget();
    void make_room();
    void pay_income();
    bool pay_for(NameId name);
    void keep(const Draft& draft, const ValueSubject& subject, const Acceptance& answer, TaggedSlot& slot);

    std::uint64_t version_ = UINT64_MAX;
    bool is_open_ = false;
    std::vector<std::uint16_t> met_;  // of the last value with some part of the hash, another part of it
    std::vector<TaggedSlot> slots_;
    std::vector<ValueFindings> findings_;
    std::vector<Acceptance> answers_;  // to each of the findings
    std::vector<InterfaceId> owners_;
    std::vector<Posting> candidates_;
    std::size_t candidates_used_ = 0;
    std::vector<std::int32_t> credits_;  // by name
    std::uint32_t blocks_ = 0;
};

}  // namespace penstock
