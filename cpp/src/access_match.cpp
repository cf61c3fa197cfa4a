// One match of the access engine, in stages: what is cheap and yields much comes first, since the work ends
// as soon as every interface is found.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

#include "access_lookup.hpp"
#include "penstock/access.hpp"

namespace penstock {

class AccessMatch {
  public:
    using Scratch = AccessEngine::Scratch;

    AccessMatch(const AccessEngine& engine, Scratch& scratch, std::vector<InterfaceId>& matched)
        : engine_(engine),
          catalogue_(engine.catalogue_),
          filters_(engine.catalogue_.filters()),
          scratch_(scratch),
          matched_(matched),
          distinct_(catalogue_.one_filter_each()),
          few_(!distinct_ && catalogue_.interfaces().size() <= few_interfaces) {}

    void run(MessageView message) {
        scratch_.trace_ = {};
        if (scratch_.present_.size() < filters_.names().bound())
            scratch_.present_.resize(filters_.names().bound());
        if (!distinct_ && scratch_.seen_.size() < catalogue_.interfaces().bound())
            scratch_.seen_.resize(catalogue_.interfaces().bound());
        resolve(message);
        walk();
        matched_.insert(matched_.end(), scratch_.output_.data(), scratch_.output_.data() + found_);
        clean();
    }

  private:
    // Each stage returns false when every interface is found. Where that is not to be expected, the keys are
    // worked out first, so that memory answers while the bounds are searched.
    bool walk() {
        if (few_) {
            if (!search_axes<true>()) return false;
            look_up();
        } else {
            look_up();
            search_axes<false>();
            for (const Scratch::Search& search : scratch_.searches_) emit_bounds(search);
        }
        find_keys();
        return std::ranges::all_of(scratch_.searches_,
                                   [&](const Scratch::Search& search) { return consider_bounds(search); }) &&
               match_keys() && judge();
    }

    // Values of one type come one after the other: what has to be done depends on the type, and a processor
    // foresees what it did last.
    void resolve(MessageView message) {
        scratch_.names_.follow(filters_.names());
        const auto in_order = [](const Attribute& a, const Attribute& b) {
            return a.value.type <= b.value.type;
        };
        if (std::ranges::adjacent_find(message, std::not_fn(in_order)) == message.end()) {
            for (const Attribute& attribute : message) take(attribute);
        } else {
            sort_by_type(message);
            for (const Attribute* const attribute : scratch_.by_type_) take(*attribute);
        }
    }
    void sort_by_type(MessageView message) {
        scratch_.by_type_.resize(message.size());
        std::array<std::uint32_t, types> places{};
        const auto place = [&](const Attribute& attribute) -> std::uint32_t& {
            return places[static_cast<std::size_t>(attribute.value.type)];
        };
        for (const Attribute& attribute : message) ++place(attribute);
        std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
        for (const Attribute& attribute : message) scratch_.by_type_[place(attribute)++] = &attribute;
    }
    void take(const Attribute& attribute) {
        const NameId name = attribute.name_id != Attribute::unknown
                                ? attribute.name_id
                                : scratch_.names_.find(attribute.name, filters_.names());
        if (name == StringPool::none) return;
        const Scratch::Value& value =
            scratch_.values_.emplace_back(name, engine_.about(name), attribute.value);
        scratch_.present_[name] = static_cast<std::uint16_t>(scratch_.values_.size());
        if ((value.about->kinds & AccessEngine::bound_bit) != 0) note_axes(value);
    }
    // Which keys the values have, and what they say to checks: in full only where some ask, since filters may
    // name far more than is ever checked.
    void look_up() {
        static const Acceptance absent;
        AccessLookup lookup(engine_, scratch_);
        lookup.begin();
        const std::size_t count = scratch_.values_.size();
        if (scratch_.answers_.size() <= count) {
            scratch_.acceptances_.resize(count);
            scratch_.answers_.resize(count + 1);
        }
        scratch_.answers_[0] = &absent;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Scratch::Value& value = scratch_.values_[i];
            scratch_.answers_[i + 1] = (value.about->kinds & AccessEngine::value_bit) != 0
                                           ? std::construct_at(&scratch_.acceptances_[i], *value.known.view)
                                           : &Acceptance::of_presence(*value.known.view);
            lookup.look_up(i);
        }
        scratch_.trace_.lookups = scratch_.lookups_.size();
    }
    // The axes that the value has a place on.
    void note_axes(const Scratch::Value& value) {
        const auto note = [&](AxisKind kind, const auto&... place) {
            const Axis& axis = value.about->axes[static_cast<std::size_t>(kind)];
            if (axis.is_empty()) return;
            engine_.axes_.prefetch(axis);
            scratch_.searches_.emplace_back(axis, place...);
        };
        const ValueView& view = *value.known.view;
        if (view.type == Type::string) {
            note(AxisKind::string, view.text, filters_.values().strings());
        } else if (value.known.is_number) {
            note(AxisKind::number, value.known.number);
            note(view.type == Type::int_ ? AxisKind::int_ : AxisKind::float_, value.known.number);
        }
    }
    // Where few interfaces are left to find, each axis is asked as soon as it is searched.
    template <bool at_once>
    bool search_axes() {
        const AxisIndex& axes = engine_.axes_;
        for (Scratch::Search& search : scratch_.searches_) {
            search.cut.chunk = axes.find_chunk(*search.axis, search.point);
            axes.prefetch(*search.axis, search.cut.chunk);
        }
        for (Scratch::Search& search : scratch_.searches_) {
            search.cut = axes.cut(*search.axis, search.cut.chunk, search.point);
            if (at_once && !emit_bounds(search)) return false;
        }
        return true;
    }
    void clean() {
        for (const Scratch::Value& value : scratch_.values_) scratch_.present_[value.name] = 0;
        scratch_.values_.clear();
        scratch_.grams_.clear();
        scratch_.searches_.clear();
        scratch_.lookups_.clear();
        scratch_.found_.clear();
        if (distinct_) return;
        for (std::size_t i = 0; i < found_; ++i) scratch_.seen_.reset(scratch_.output_[i]);
    }

    bool all_found() const { return !distinct_ && found_ == catalogue_.interfaces().size(); }
    // Before so many are emitted.
    void make_place(std::size_t more) {
        if (scratch_.output_.size() < found_ + more) scratch_.output_.resize(2 * (found_ + more));
    }
    // Precondition: there is a place for it.
    void emit(InterfaceId interface) { emit_if(true, interface); }
    void emit_if(bool condition, InterfaceId interface) {
        scratch_.output_[found_] = interface;
        found_ += distinct_ ? condition : condition & scratch_.seen_.insert_if(condition, interface);
    }
    bool emit_all(std::span<const InterfaceId> interfaces) {
        make_place(interfaces.size());
        if (distinct_) {
            std::memcpy(scratch_.output_.data() + found_, interfaces.data(), interfaces.size_bytes());
            found_ += interfaces.size();
            return true;
        }
        for (const InterfaceId interface : interfaces) emit(interface);
        return !all_found();
    }

    // What the message's attributes say to checks. A copy of it stays at hand in a loop that writes.
    struct Answers {
        const std::uint16_t* present;
        const Acceptance* const* of_values;

        const Acceptance& operator[](Check check) const { return *of_values[present[check.name()]]; }
        bool pass(Check check) const { return (*this)[check].passes(check); }
        // The filter matches, as far as the texts have the grams that are asked for.
        bool settle(const Posting& posting) const {
            const auto& [first, second, third] = posting.checks;
            const bool last = third.asks_nothing() || (*this)[third].is_sure(third);
            return posting.is_complete() & (*this)[first].is_sure(first) & (*this)[second].is_sure(second) &
                   last;
        }
    };
    Answers answers() const { return {scratch_.present_.data(), scratch_.answers_.data()}; }
    // Before so many are considered.
    void make_room(std::size_t more) {
        if (scratch_.survivors_.size() < survivors_ + more)
            scratch_.survivors_.resize(survivors_ + more + more / 2);
    }

    bool emit_bounds(const Scratch::Search& search) {
        return engine_.axes_.for_each<true>(*search.axis, search.cut, [&](const AxisIndex::Stretch& stretch) {
            return emit_all(stretch.targets);
        });
    }
    bool consider_bounds(const Scratch::Search& search) {
        const Answers answers = this->answers();
        return engine_.axes_.for_each<false>(
            *search.axis, search.cut, [&](const AxisIndex::Stretch& stretch) {
                const std::size_t count = stretch.targets.size();
                scratch_.trace_.candidates += count;
                make_room(count);
                Posting* end = scratch_.survivors_.data() + survivors_;
                for (std::size_t i = 0; i < count; ++i) {
                    *end = stretch[i];
                    end += answers.pass(end->checks[0]) ? 1 : 0;
                }
                survivors_ = static_cast<std::size_t>(end - scratch_.survivors_.data());
                return survivors_ < block() || judge();
            });
    }

    void find_keys() {
        for (const Scratch::Lookup& lookup : scratch_.lookups_) {
            const KeyIndex::Slot* const slot = engine_.keys_.find(lookup.key, lookup.hash);
            if (slot == nullptr) continue;
            engine_.keys_.prefetch(*slot);
            scratch_.found_.push_back({slot, lookup.relations, lookup.value});
        }
    }
    bool match_keys() {
        return std::ranges::all_of(scratch_.found_, [&](const Scratch::Found& found) {
            const KeyIndex::Postings postings = engine_.keys_.postings(*found.slot);
            if (found.relations == AccessLookup::exclusion)
                match_exclusions(postings.candidates, scratch_.answers_[found.value + 1]->hash());
            else
                emit_owners(postings.sure, found.relations);
            if (all_found()) return false;
            return found.relations == AccessLookup::exclusion ||
                   consider_postings(postings.candidates, found.relations);
        });
    }
    void emit_owners(std::span<const Posting> postings, std::uint32_t relations) {
        make_place(postings.size());
        for (const Posting& posting : postings) {
            if (is_related(posting, relations)) emit(posting.target);
        }
    }
    bool consider_postings(std::span<const Posting> postings, std::uint32_t relations) {
        scratch_.trace_.candidates += postings.size();
        make_room(postings.size());
        if (postings.size() < often) {
            consider_each(postings, relations);
            return survivors_ < block() || judge();
        }
        while (!postings.empty()) {
            auto stretch = postings.first(std::min(postings.size(), KeyIndex::stretch));
            postings = postings.subspan(stretch.size());
            while (!stretch.empty()) {
                const std::size_t least = std::min(stretch.size(), block());
                stretch = stretch.subspan(consider_sorted(stretch, least, relations));
                if (survivors_ >= block() && !judge()) return false;
            }
        }
        return true;
    }
    // Precondition: there is room for all.
    void consider_each(std::span<const Posting> postings, std::uint32_t relations) {
        const Answers answers = this->answers();
        Posting* end = scratch_.survivors_.data() + survivors_;
        for (const Posting& posting : postings) {
            *end = posting;
            end += is_related(posting, relations) & answers.pass(posting.checks[0]) ? 1 : 0;
        }
        survivors_ = static_cast<std::size_t>(end - scratch_.survivors_.data());
    }
    // Considers the first ones, at least so many of them, and returns how many: where a question comes often,
    // those that do not pass are passed over. Precondition: they are sorted, and there is room for all.
    std::size_t consider_sorted(std::span<const Posting> postings, std::size_t least,
                                std::uint32_t relations) {
        std::size_t at = 0;
        while (at < least) {
            const Check check = postings[at].checks[0];
            const std::size_t further = at + often - 1;
            if (further >= postings.size() || postings[further].checks[0].question() != check.question()) {
                const std::size_t end = std::min(at + often, postings.size());
                consider_each(postings.subspan(at, end - at), relations);
                at = end;
                continue;
            }
            auto same = postings.subspan(at);
            const std::uint32_t start = check.question() * Check::codes;
            if (same.back().checks[0].question() != check.question())
                same = same.first(count_before(same, start + Check::codes));
            const CodeRange passing = answers()[check].passing(check);
            const std::size_t first = count_before(same, start + passing.first);
            const std::size_t last = count_before(same, start + passing.first + passing.count);
            for (const Posting& posting : same.subspan(first, last - first)) {
                scratch_.survivors_[survivors_] = posting;
                survivors_ += is_related(posting, relations) ? 1 : 0;
            }
            at += same.size();
        }
        return at;
    }
    // Without branches, which nobody could foretell. Precondition: there are some, and they are sorted.
    static std::size_t count_before(std::span<const Posting> sorted, std::uint32_t order) {
        const auto is_before = [&](std::size_t at) { return sorted[at].checks[0].order() < order ? 1U : 0U; };
        std::size_t first = 0;
        for (std::size_t left = sorted.size(); left > 1;) {
            const std::size_t half = left / 2;
            first += half * is_before(first + half - 1);
            left -= half;
        }
        return first + is_before(first);
    }
    static bool is_related(const Posting& posting, std::uint32_t relations) {
        return (relations >> posting.checks[0].mark() & 1U) != 0;
    }
    void match_exclusions(std::span<const Posting> postings, std::uint32_t hash) {
        make_room(postings.size());
        make_place(postings.size());
        for (const Posting& posting : postings) {
            if (posting.excluded_hash() != hash) {
                emit(posting.target);
            } else {
                scratch_.survivors_[survivors_++] = {posting.excluding_filter()};
            }
        }
    }

    static bool asks_for_grams(const Posting& posting) {
        const auto is_gram = [](Check check) { return check.kind() == Check::Kind::gram; };
        const auto& [first, second, third] = posting.checks;
        return is_gram(first) | is_gram(second) | is_gram(third);
    }
    bool has_gram(Check check) {
        if (check.kind() != Check::Kind::gram) return true;
        const std::uint16_t value = scratch_.present_[check.name()];
        auto& known = scratch_.grams_;
        auto found = std::ranges::find(known, value, [](const auto& pair) { return pair.first; });
        if (found == known.end())
            found = known.emplace(found, value, GramSet(scratch_.values_[value - 1U].known.view->text));
        return found->second.has(check);
    }
    // Of the survivors, those that pass their other checks too; the rest need not be read.
    void sift() {
        const Answers answers = this->answers();
        Posting* const survivors = scratch_.survivors_.data();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < survivors_; ++i) {
            const Posting posting = survivors[i];
            filters_.prefetch(posting.target);
            survivors[kept] = posting;
            const auto& [first, second, third] = posting.checks;
            const bool last = third.asks_nothing() || answers.pass(third);
            kept += answers.pass(second) & last ? 1 : 0;
        }
        survivors_ = kept;
    }
    // Settles the survivors, first those that need not be read, and begins anew.
    bool judge() {
        sift();
        scratch_.trace_.judged += survivors_;
        make_place(survivors_);
        const Answers answers = this->answers();
        Posting* const survivors = scratch_.survivors_.data();
        std::size_t left = 0;
        for (std::size_t i = 0; i < survivors_; ++i) {
            const Posting posting = survivors[i];
            const Owner owner = filters_.owner(posting.target);
            const bool is_group = OwnerGroups::is_group(owner);
            const bool is_settled = answers.settle(posting) & !asks_for_grams(posting) & !is_group;
            emit_if(is_settled, is_group ? 0 : owner);
            survivors[left] = posting;
            left += is_settled ? 0 : 1;
        }
        for (std::size_t i = 0; i < left; ++i) read(survivors[i]);
        survivors_ = 0;
        return !all_found();
    }
    // Precondition: there is a place for each of the survivors.
    void read(const Posting& posting) {
        if (!std::ranges::all_of(posting.checks, [&](Check check) { return has_gram(check); })) return;
        const Owner owner = filters_.owner(posting.target);
        const bool is_group = OwnerGroups::is_group(owner);
        if (!distinct_ && !is_group && scratch_.seen_.test(owner)) return;
        if (!answers().settle(posting) && !matches(posting.target)) return;
        if (!is_group) return emit(owner);
        emit_all(catalogue_.groups().members(owner));
        make_place(survivors_);
    }
    bool matches(FilterId filter) {
        StoredConstraint constraint{};
        for (ConstraintCursor cursor(filters_.at(filter)); cursor.next(constraint);) {
            const std::uint16_t at = scratch_.present_[constraint.name];
            KnownValue* const value = at == 0 ? nullptr : &scratch_.values_[at - 1U].known;
            if (!settle(constraint, value)) return false;
        }
        return true;
    }
    static bool asks_for_code(Operator op) { return op == Operator::eq || op == Operator::ne || is_set(op); }
    // The commonest questions at once, the others through the general answer.
    bool settle(const StoredConstraint& constraint, KnownValue* value) const {
        if (value == nullptr) return constraint.op == Operator::not_exists;
        if (!value->is_sought && asks_for_code(constraint.op)) value->find_code(filters_.values());
        if (constraint.op == Operator::eq && constraint.type == Type::string)
            return value->view->type == Type::string && value->code == constraint.value;
        if (value->is_number && is_numeric(constraint.type) && accepts(constraint.type, value->view->type)) {
            switch (constraint.op) {
                case Operator::eq:
                    return value->code == constraint.value;
                case Operator::ne:
                    return value->code != constraint.value;
                case Operator::lt:
                    return value->number < filters_.values().number(constraint.value);
                case Operator::le:
                    return value->number <= filters_.values().number(constraint.value);
                case Operator::gt:
                    return value->number > filters_.values().number(constraint.value);
                case Operator::ge:
                    return value->number >= filters_.values().number(constraint.value);
                default:
                    break;
            }
        }
        return holds(constraint, value, filters_.values());
    }

    // So many survivors are judged at a time: soon, where that may be the end of it.
    std::size_t block() const { return few_ ? 64 : 1024; }
    static constexpr std::size_t types = static_cast<std::size_t>(Type::bool_) + 1;
    static constexpr std::size_t few_interfaces = 64;
    static constexpr std::size_t often = 8;  // so many postings with the same question are searched

    const AccessEngine& engine_;
    const Catalogue& catalogue_;
    const FilterStore& filters_;
    Scratch& scratch_;
    std::vector<InterfaceId>& matched_;
    bool distinct_;  // no interface can be found twice
    bool few_;       // all of them may soon be found
    std::size_t survivors_ = 0;
    std::size_t found_ = 0;  // how many results there are in the output by now
};

void AccessEngine::match(MessageView message, Scratch& scratch, std::vector<InterfaceId>& matched) const {
    const std::size_t before = matched.size();
    try {
        AccessMatch(*this, scratch, matched).run(message);
    } catch (...) {  // memory ran out halfway
        matched.resize(before);
        scratch = Scratch();
        throw;
    }
}

std::size_t AccessEngine::Scratch::bytes() const {
    return sizeof(names_) + memos_.capacity() * sizeof(Memo) + present_.capacity() * sizeof(present_[0]) +
           by_type_.capacity() * sizeof(by_type_[0]) + values_.capacity() * sizeof(Value) +
           acceptances_.capacity() * sizeof(Acceptance) + answers_.capacity() * sizeof(answers_[0]) +
           grams_.capacity() * sizeof(grams_[0]) + patterns_.capacity() * sizeof(Pattern) +
           searches_.capacity() * sizeof(Search) + lookups_.capacity() * sizeof(Lookup) +
           found_.capacity() * sizeof(Found) + survivors_.capacity() * sizeof(Posting) + seen_.bytes() +
           output_.capacity() * sizeof(InterfaceId);
}

}  // namespace penstock
