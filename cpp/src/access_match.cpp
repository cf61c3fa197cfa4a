// Matches of the access engine, in stages: what is cheap and yields much comes first, since the work ends as
// soon as every interface is found.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>

#include "access_candidates.hpp"
#include "access_lookup.hpp"
#include "access_output.hpp"
#include "access_points.hpp"
#include "access_remembering.hpp"
#include "penstock/access_scratch.hpp"

namespace penstock {

class AccessMatch {
  public:
    using Scratch = AccessEngine::Scratch;
    using Row = Scratch::Row;

    // It may remember what it finds for values. The interfaces that it finds go to their place at once if no
    // other match is under way.
    AccessMatch(const AccessEngine& engine, Scratch& scratch, Row& row, bool remembers, FoundIds* matched)
        : engine_(engine),
          filters_(engine.catalogue_.filters()),
          scratch_(scratch),
          row_(row),
          output_(engine.catalogue_, row, matched),
          candidates_(engine, scratch.trace_, row, output_),
          by_fronts_(engine.has_fronts_ != 0 && output_.is_for_few()),
          remembers_(remembers) {
        const std::size_t names = filters_.names().bound();
        if (row.present.size() < names) row.present.resize(names);
        if (row.answers.size() < names) row.answers.resize(names, &Acceptance::absent);
    }
    AccessMatch(const AccessMatch&) = delete;
    AccessMatch& operator=(const AccessMatch&) = delete;

    // The stages, one after the other; each has asked memory for what the next one needs. What is likely not
    // to be needed comes last.
    void begin(MessageView message) {
        make_room(message.size());
        done_ = !resolve(message);
        if (done_) {
            remembers_ = false;
        } else {
            look_up();
        }
    }
    void search() {
        if (done_) return;
        const AxisIndex& axes = engine_.axes_;
        for (Scratch::Search& search : row_.searches) {
            search.cut.chunk = axes.find_chunk(*search.axis, search.point);
            axes.prefetch(*search.axis, search.cut.chunk);
        }
        for (Scratch::Search& search : row_.searches) {
            search.cut = axes.cut(*search.axis, search.cut.chunk, search.point);
            axes.prefetch(search.cut);
        }
        for (const Scratch::Search& search : row_.searches) note_bounds(search);
        output_.emit_all(row_.sure_bounds);
    }
    void find_keys() {
        if (done_) return;
        scratch_.trace_.lookups += row_.lookups.size();
        for (const Scratch::Lookup& lookup : row_.lookups) {
            const KeyIndex::Slot* const slot = engine_.keys_.find(lookup.key, lookup.hash);
            if (slot == nullptr) continue;
            engine_.keys_.prefetch(*slot);
            row_.found.push_back({slot, lookup.relations, lookup.value});
        }
    }
    void consider() {
        if (done_) return;
        if (engine_.sheets_.size() > 0) done_ = !consider_sheets();
        if (!done_) done_ = !consider_recalled() || !consider_bounds() || !match_keys();
        if (!done_) candidates_.sift();
    }
    void finish(FoundIds& matched) {
        if (!done_) done_ = !candidates_.settle();
        look_up_late();
        output_.append_to(matched);
        if (remembers_ && is_new_)
            AccessRemembering(engine_, scratch_, row_, by_fronts_, output_.is_for_few()).remember();
        for (const Scratch::Value& value : row_.taken()) {
            row_.present[value.name] = 0;
            row_.answers[value.name] = &Acceptance::absent;
        }
        row_.count = 0;
        row_.texts.clear();
        row_.looked_up.clear();
        row_.has_grams.clear();
        row_.late.clear();
        row_.searches.clear();
        row_.sure_bounds.clear();
        row_.bounds.clear();
        row_.points.clear();
        row_.lookups.clear();
        row_.found.clear();
    }

  private:
    // False if every interface is found. Values of one type come one after the other: what has to be done
    // depends on the type, and a processor foresees what it did last.
    bool resolve(MessageView message) {
        name(message);
        if (by_fronts_ && !ask_fronts(message)) return false;
        const auto in_order = [](const Attribute& a, const Attribute& b) {
            return a.value.type <= b.value.type;
        };
        if (std::ranges::adjacent_find(message, std::not_fn(in_order)) == message.end()) {
            for (std::size_t i = 0; i < message.size(); ++i) {
                if (!take(message[i], scratch_.ids_[i])) return false;
            }
        } else {
            sort_by_type(message);
            for (const std::size_t at : scratch_.by_type_) {
                if (!take(message[at], scratch_.ids_[at])) return false;
            }
        }
        return recalled_ == 0 || !output_.is_for_few() || output_.count();
    }
    void name(MessageView message) {
        scratch_.names_.follow(filters_.names());
        if (scratch_.ids_.size() < message.size()) scratch_.ids_.resize(message.size());
        for (std::size_t i = 0; i < message.size(); ++i) {
            const Attribute& attribute = message[i];
            scratch_.ids_[i] = attribute.name_id != Attribute::unknown
                                   ? attribute.name_id
                                   : scratch_.names_.find(attribute.name, filters_.names());
        }
    }
    // What axes are sure of is soon told, and often all that there is: so it is asked for before anything
    // else is. False if every interface is found.
    bool ask_fronts(MessageView message) {
        const auto for_each = [&](const auto& visit) {
            for (std::size_t i = 0; i < message.size(); ++i) {
                const NameId name = scratch_.ids_[i];
                if (name == StringPool::none || message[i].value.findings != nullptr) continue;
                const AccessEngine::Name& about = engine_.about(name);
                if ((about.kinds & AccessEngine::bound_bit) != 0 && !visit(about, message[i].value))
                    return false;
            }
            return true;
        };
        for_each([&](const AccessEngine::Name& about, const ValueView& value) {
            return for_each_axis(value, [&](AxisKind kind, const auto&...) {
                const FrontIndex::Front front = about.fronts[static_cast<std::size_t>(kind)];
                if (front != FrontIndex::empty) engine_.fronts_.prefetch(front);
                return true;
            });
        });
        return for_each([&](const AccessEngine::Name& about, const ValueView& value) {
            return for_each_axis(value, [&](AxisKind kind, const auto&... place) {
                const FrontIndex::Front front = about.fronts[static_cast<std::size_t>(kind)];
                return front == FrontIndex::empty ||
                       output_.emit_all(engine_.fronts_.find(front, AxisPoint(place...)));
            });
        });
    }
    // Calls visit(kind, place...) for the axes that the value has a place on, until it returns false.
    template <class Visit>
    bool for_each_axis(const ValueView& value, const Visit& visit) const {
        if (value.type == Type::string)
            return visit(AxisKind::string, value.text, filters_.values().strings());
        if ((value.type != Type::int_ && value.type != Type::float_) || value.is_nan()) return true;
        const Number number = value.number();
        return visit(AxisKind::number, number) &&
               visit(value.type == Type::int_ ? AxisKind::int_ : AxisKind::float_, number);
    }
    void make_room(std::size_t values) {
        if (row_.values.size() >= values) return;
        row_.acceptances.resize(values);
        row_.values.resize(values);
    }
    void sort_by_type(MessageView message) {
        scratch_.by_type_.resize(message.size());
        std::array<std::uint32_t, static_cast<std::size_t>(Type::bool_) + 1> places{};
        const auto place = [&](const Attribute& attribute) -> std::uint32_t& {
            return places[static_cast<std::size_t>(attribute.value.type)];
        };
        for (const Attribute& attribute : message) ++place(attribute);
        std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
        for (std::size_t i = 0; i < message.size(); ++i) scratch_.by_type_[place(message[i])++] = i;
    }
    // False if every interface is found.
    bool take(const Attribute& attribute, NameId name) {
        if (name == StringPool::none) return true;
        const ValueView& view = attribute.value;
        const std::uint32_t number = row_.count++;
        Scratch::Value& value = row_.values[number];
        row_.present[name] = static_cast<std::uint16_t>(number + 1);
        if (view.findings != nullptr) {
            value.set(name, view, nullptr);
            return take(name, *view.findings);
        }
        const AccessEngine::Name& about = engine_.about(name);
        value.set(name, view, &about);
        row_.answers[name] = answers_of(view, about, row_.acceptances[number]);
        if (AccessEngine::is_looked_up(about)) note(value, number);
        return true;
    }
    // What was found for a value. False if every interface is known to be found.
    bool take(NameId name, const ValueFindings& findings) {
        ++recalled_;
        row_.answers[name] = &scratch_.memo_.answer(findings);
        if (!output_.is_for_few()) return output_.emit_all(scratch_.memo_.owners(findings));
        output_.unite(findings.sure());
        return true;
    }
    // As far as some ask, since filters may name far more than is ever checked.
    static const Acceptance* answers_of(const ValueView& view, const AccessEngine::Name& about,
                                        Acceptance& place) {
        const std::uint32_t asked = AccessEngine::asked_of(about);
        if (asked == 0) return &Acceptance::of_presence(view);
        place.set(view, asked);
        return &place;
    }
    // One for which there may be something to find.
    void note(Scratch::Value& value, std::uint32_t number) {
        const ValueView& view = *value.view;
        const std::uint32_t kinds = value.about->kinds;
        is_new_ |= AccessEngine::is_worth_remembering(*value.about);
        if ((kinds & AccessEngine::bound_bit) != 0) note_axes(value, number);
        if (view.type == Type::string && (kinds & AccessEngine::code_bits) != 0 &&
            view.coding == ValueView::Coding::unknown)
            row_.texts.push_back(number);
        row_.looked_up.push_back(number);
    }
    void note_axes(const Scratch::Value& value, std::uint32_t number) {
        for_each_axis(*value.view, [&](AxisKind kind, const auto&... place) {
            const Axis& axis = value.about->axes[static_cast<std::size_t>(kind)];
            if (axis.is_empty()) return true;
            engine_.axes_.prefetch(axis);
            row_.searches.emplace_back(axis, value.about->fronts[static_cast<std::size_t>(kind)], number,
                                       place...);
            return true;
        });
    }
    // Which keys the values have.
    void look_up() {
        AccessLookup lookup(engine_, scratch_, row_);
        lookup.begin();
        if (!row_.texts.empty()) find_codes();
        // Texts can have hundreds of patterns: where interfaces are few, all of them may be found without.
        const bool may_end_early = output_.is_for_few();
        for (const std::uint32_t number : row_.looked_up) {
            const Scratch::Value& value = row_.values[number];
            if (may_end_early && value.view->type == Type::string &&
                (value.about->kinds & AccessEngine::inner_bit) != 0) {
                row_.late.push_back(number);
            } else {
                lookup.look_up(number);
            }
        }
    }
    // Leaves those that need not be looked up any more.
    void look_up_late() {
        std::size_t at = 0;
        for (; at < row_.late.size() && !done_; ++at) {
            const std::size_t known = row_.found.size();
            row_.lookups.clear();
            AccessLookup(engine_, scratch_, row_).look_up(row_.late[at]);
            find_keys();
            done_ = !match_keys(known) || !candidates_.judge();
        }
        row_.late.erase(row_.late.begin(), row_.late.begin() + static_cast<std::ptrdiff_t>(at));
    }
    // Of strings, all at once: while memory answers for one, the others are looked for.
    void find_codes() {
        constexpr std::size_t most = StringPool::most_at_once;
        std::array<std::string_view, most> texts;
        std::array<StringPool::Id, most> ids;
        for (std::span<const std::uint32_t> left = row_.texts; !left.empty();) {
            const auto some = left.first(std::min(most, left.size()));
            for (std::size_t i = 0; i < some.size(); ++i) texts[i] = row_.values[some[i]].view->text;
            filters_.values().strings().find({texts.data(), some.size()}, {ids.data(), some.size()});
            for (std::size_t i = 0; i < some.size(); ++i) row_.values[some[i]].known().set_code(ids[i]);
            left = left.subspan(some.size());
        }
    }
    // Where the bounds that hold lie. Memory is asked for them before any is read; of candidates only where
    // all will be, and of none where they would drive each other out.
    void note_bounds(const Scratch::Search& search) {
        if (by_fronts_) return;
        const Axis& axis = *search.axis;
        const bool few = output_.is_for_few();
        row_.sure_bounds.make_room(axis.chunks);
        if (!few) row_.bounds.make_room(axis.chunks);
        engine_.axes_.for_each_chunk(
            axis, search.cut, [&](std::span<const std::uint32_t> sure, std::span<const Posting> candidates) {
                if (axis.chunks <= AxisIndex::few_chunks) {
                    prefetch_ends(sure);
                    if (!few) prefetch_ends(candidates);
                }
                row_.sure_bounds.add(sure);
                if (!few) row_.bounds.add(candidates);
            });
    }
    template <class T>
    static void prefetch_ends(std::span<const T> stretch) {
        __builtin_prefetch(stretch.data());
        __builtin_prefetch(stretch.data() + stretch.size());
    }
    bool consider_bounds() {
        if (!output_.is_for_few()) return candidates_.consider(row_.bounds);
        const auto consider = [&](std::span<const Posting> bounds) { return candidates_.consider(bounds); };
        return std::ranges::all_of(row_.searches, [&](const Scratch::Search& search) {
            return engine_.axes_.for_each<false>(*search.axis, search.cut, consider);
        });
    }
    bool match_keys(std::size_t first = 0) {
        return std::ranges::all_of(std::span(row_.found).subspan(first), [&](const Scratch::Found& found) {
            const KeyIndex::Postings postings = engine_.keys_.postings(*found.slot);
            if (found.relations == AccessLookup::exclusion) {
                candidates_.consider_exclusions(postings.candidates, answers_of(found)->hash());
                return !output_.has_all();
            }
            emit_owners(postings.sure, found.relations);
            return !output_.has_all() && candidates_.consider(postings.candidates, found.relations);
        });
    }
    const Acceptance* answers_of(const Scratch::Found& found) const {
        return row_.answers[row_.values[found.value].name];
    }
    [[gnu::noinline]] bool consider_sheets() {
        AccessPoints(engine_, row_).note();
        const auto visit = [&](FilterId filter, Owner owner, bool sure) {
            ++scratch_.trace_.candidates;
            if (sure && owner != no_owner) {
                output_.make_place(1);
                output_.emit(owner);
            } else {
                candidates_.add(filter, sure);
            }
        };
        const auto is_enough = [&] {
            return output_.has_all() || (candidates_.are_many() && !candidates_.judge());
        };
        return engine_.sheets_.for_each_match(row_.points, visit, is_enough);
    }
    void emit_owners(std::span<const Posting> postings, std::uint32_t relations) {
        if (postings.empty()) return;
        output_.emit_many(postings.size(), [&](const auto& emit_if) {
            for (const Posting& posting : postings)
                emit_if(AccessCandidates::is_related(posting, relations), posting.target);
        });
    }

    // First in one place, and without asking how many each value has, which nobody could foretell.
    bool consider_recalled() {
        if (recalled_ == 0) return true;
        std::size_t count = 0;
        for (const Scratch::Value& value : row_.taken()) {
            if (value.view->findings == nullptr) continue;
            const std::span<const Posting> candidates = scratch_.memo_.candidates(*value.view->findings);
            const std::size_t end = count + std::max(candidates.size(), ValueMemo::readable);
            if (row_.recalled.size() < end) row_.recalled.resize(2 * end);
            Posting* const place = row_.recalled.data() + count;
            std::memcpy(place, candidates.data(), ValueMemo::readable * sizeof(Posting));
            for (std::size_t i = ValueMemo::readable; i < candidates.size(); ++i) place[i] = candidates[i];
            count += candidates.size();
        }
        return candidates_.consider({row_.recalled.data(), count});
    }

    const AccessEngine& engine_;
    const FilterStore& filters_;
    Scratch& scratch_;
    Row& row_;
    AccessOutput output_;
    AccessCandidates candidates_;
    bool by_fronts_;  // they say what axes are sure of
    bool remembers_;
    bool is_new_ = false;       // some of the values are worth remembering
    std::size_t recalled_ = 0;  // so many of the values have findings
    bool done_ = false;         // every interface is found
};

namespace {

// Leaves everything as it was if memory runs out halfway.
template <class Scratch, class Body>
void attempt(Scratch& scratch, FoundIds& matched, const Body& body) {
    const std::size_t before = matched.size();
    try {
        body();
    } catch (...) {
        matched.resize(before);
        scratch = Scratch();
        throw;
    }
}

}  // namespace

void AccessEngine::match(MessageView message, Scratch& scratch, FoundIds& matched) const {
    scratch.trace_ = {};
    attempt(scratch, matched, [&] {
        AccessMatch match(*this, scratch, scratch.rows_[0], false, &matched);
        match.begin(message);
        match.search();
        match.find_keys();
        match.consider();
        match.finish(matched);
    });
}

void AccessEngine::match(std::span<const MessageView> messages, Scratch& scratch, FoundIds& matched,
                         std::span<std::size_t> ends) const {
    const bool remembers = scratch.memo_.open(version()) && messages.size() > 1;
    attempt(scratch, matched, [&] {
        for (std::size_t first = 0; first < messages.size(); first += Scratch::rows) {
            scratch.trace_ = {};
            const std::size_t count = std::min(Scratch::rows, messages.size() - first);
            std::array<std::optional<AccessMatch>, Scratch::rows> matches;
            const auto each = [&](const auto& stage) {
                for (std::size_t i = 0; i < count; ++i) stage(*matches[i], first + i);
            };
            for (std::size_t i = 0; i < count; ++i)
                matches[i].emplace(*this, scratch, scratch.rows_[i], remembers,
                                   count == 1 ? &matched : nullptr);
            each([&](AccessMatch& match, std::size_t at) { match.begin(messages[at]); });
            each([&](AccessMatch& match, std::size_t) { match.search(); });
            each([&](AccessMatch& match, std::size_t) { match.find_keys(); });
            each([&](AccessMatch& match, std::size_t) { match.consider(); });
            each([&](AccessMatch& match, std::size_t at) {
                match.finish(matched);
                ends[at] = matched.size();
            });
        }
    });
}

}  // namespace penstock
