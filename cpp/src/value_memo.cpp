#include "penstock/value_memo.hpp"

#include <algorithm>
#include <array>

namespace penstock {

void ValueMemo::follow(std::uint64_t version, std::size_t names) {
    if (credits_.size() < names) credits_.resize(names, savings);
    if (++blocks_ % term == 0) pay_income();
    if (version_ != version || is_full()) forget();
    make_room();
    version_ = version;
    is_open_ = true;
}

void ValueMemo::forget() {
    for (const ValueFindings& findings : findings_) slots_[findings.slot_] = TaggedSlot();
    findings_.clear();
    answers_.clear();
    owners_.clear();
    candidates_used_ = 0;
}

// For a block: findings stay where they are while it is being matched.
void ValueMemo::make_room() {
    if (slots_.empty()) {
        slots_.resize(slot_count + farthest);
        met_.resize(met_count);
    }
    if (findings_.capacity() - findings_.size() >= most_of_a_block) return;
    findings_.reserve(2 * findings_.size() + most_of_a_block);
    answers_.reserve(findings_.capacity());
}

void ValueMemo::pay_income() {
    for (std::int32_t& credit : credits_)
        credit = credit >= 0 ? std::min(credit + income, savings) : credit + 1;
}

// In steps: while memory answers for one, the others are looked for.
void ValueMemo::recall(NameId name, std::span<ValueView* const> values) const {
    if (findings_.empty() || credits_[name] <= 0) return;
    std::array<std::uint64_t, most_at_once> hashes;
    std::array<ValueView*, most_at_once> sought;
    std::size_t count = 0;
    for (ValueView* const value : values) {
        if (!ValueSubject::can_be(*value)) continue;
        sought[count] = value;
        hashes[count] = ValueSubject(name, *value).hash();
        __builtin_prefetch(home(hashes[count++]));
    }
    for (std::size_t i = 0; i < count; ++i)
        __builtin_prefetch(findings_.data() + (home(hashes[i])->id() & (most - 1)));
    for (std::size_t i = 0; i < count; ++i) {
        const TaggedSlot* const slot = find(ValueSubject(name, *sought[i]), hashes[i]);
        if (slot == nullptr || slot->is_nothing()) continue;
        const ValueFindings& findings = findings_[slot->id()];
        if (findings.is_too_much_) continue;
        sought[i]->findings = &findings;
        __builtin_prefetch(candidates_.data() + findings.first_candidate_);
    }
}

void ValueMemo::Draft::add_owner(InterfaceId interface) {
    findings_.is_too_much_ |= findings_.owners_ == most_of_one;
    if (is_too_much()) return;
    memo_.owners_.push_back(interface);
    ++findings_.owners_;
}

void ValueMemo::Draft::add_candidate(const Posting& posting) {
    findings_.is_too_much_ |= findings_.candidates_ == most_of_one;
    if (is_too_much()) return;
    memo_.candidates_[findings_.first_candidate_ + findings_.candidates_++] = posting;
}

// False if the name has not the credit for it, or if there is no room. Otherwise there is room for a draft.
bool ValueMemo::pay_for(NameId name) {
    std::int32_t& credit = credits_[name];
    if (credit <= 0 || findings_.size() == findings_.capacity()) return false;
    if (--credit == 0) credit = -terms_without;
    const std::size_t room = candidates_used_ + most_of_one + readable;
    if (candidates_.size() < room) candidates_.resize(2 * room);
    return true;
}

void ValueMemo::keep(const Draft& draft, const ValueSubject& subject, const Acceptance& answer,
                     TaggedSlot& slot) {
    if (draft.is_too_much()) {
        owners_.resize(draft.findings_.first_owner_);
    } else {
        candidates_used_ += draft.findings_.candidates_;
    }
    slot = TaggedSlot(static_cast<std::uint32_t>(findings_.size()), subject.hash());
    findings_.push_back(draft.findings_);
    findings_.back().subject_ = subject;
    findings_.back().slot_ = static_cast<std::uint32_t>(&slot - slots_.data());
    answers_.push_back(answer);
}

std::size_t ValueMemo::bytes() const {
    return met_.capacity() * sizeof(met_[0]) + slots_.capacity() * sizeof(TaggedSlot) +
           findings_.capacity() * sizeof(ValueFindings) + answers_.capacity() * sizeof(Acceptance) +
           owners_.capacity() * sizeof(InterfaceId) + candidates_.capacity() * sizeof(Posting) +
           credits_.capacity() * sizeof(credits_[0]);
}

}  // namespace penstock
