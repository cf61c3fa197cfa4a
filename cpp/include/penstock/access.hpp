// The access engine: every filter stands under one of its constraints, the one least likely to hold.
//
// A message is looked up by what it has: the keys of its values, the patterns in its strings, its place on
// the axes of its names. Filters with a single constraint are sure and go straight to the result; the others
// are candidates, most of which fail their second constraint, which stands beside them; the few that are left
// are read and judged in full. Changes are made in place and cost about as much as a match.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/axis.hpp"
#include "penstock/catalogue.hpp"
#include "penstock/cell.hpp"
#include "penstock/entry.hpp"
#include "penstock/found_ids.hpp"
#include "penstock/fronts.hpp"
#include "penstock/key_index.hpp"
#include "penstock/likelihood.hpp"
#include "penstock/pattern_trie.hpp"
#include "penstock/sheets.hpp"

namespace penstock {

class AccessEngine final : public Follower {
  public:
    explicit AccessEngine(Catalogue& catalogue) : catalogue_(catalogue) {}

    void foresee(FilterId filter) override;
    void add(FilterId filter) override;
    void add_owner(FilterId filter, InterfaceId interface) override;
    void remove(FilterId filter) noexcept override;
    void remove_owner(FilterId filter, InterfaceId interface) noexcept override;

    // Learns from messages, and gives a filter the place that it should have by now.
    void observe(MessageView message) { likelihood_.observe(message, catalogue_.filters()); }
    void replace(FilterId filter);

    class Scratch;  // see access_scratch.hpp
    struct Trace {
        std::uint64_t lookups = 0;     // keys that were looked up
        std::uint64_t candidates = 0;  // postings whose check was asked
        std::uint64_t judged = 0;      // filters that were read, or settled by their checks
    };
    // Tells values of one name and type, 64 at most, what is known of them, if it can: what was found for
    // them lately, or the codes of strings. That holds until the scratch is renewed, which comes first.
    void renew(Scratch& scratch) const;
    bool can_resolve(NameId name, Type type) const;
    void resolve(NameId name, std::span<ValueView* const> values, Scratch& scratch) const;
    // Appends each matching interface once, in no particular order.
    void match(MessageView message, Scratch& scratch, FoundIds& matched) const;
    // The same for several messages, of which some are under way while memory answers for others; says how
    // many interfaces there are after each.
    void match(std::span<const MessageView> messages, Scratch& scratch, FoundIds& matched,
               std::span<std::size_t> ends) const;

    struct Bytes {
        std::size_t keys, axes, fronts, sheets, patterns, names, statistics;
    };
    Bytes bytes() const;
    void shrink();
    template <class Archive>
    void archive(Archive& archive) {
        keys_.archive(archive);
        axes_.archive(archive);
        fronts_.archive(archive);
        sheets_.archive(archive);
        archive(wide_);
        archive(wide_effort_);
        trie_.archive(archive);
        archive(names_);
        archive(always_);
        archive(has_fronts_);
    }

  private:
    friend class AccessLookup;
    friend class AccessMatch;
    friend class AccessRemembering;
    friend class AccessCandidates;
    friend class AccessGrams;
    friend class AccessPoints;

    struct Name {
        // Of keys that there have been, presences and exclusions by type; and what checks have asked for.
        std::uint32_t kinds = 0;
        std::uint32_t strings =
            0;  // keys of strings, and of numbers: how many different values filters ask for
        std::uint32_t numbers = 0;
        std::uint32_t levels = 0;  // of cells that there have been, ten bits for each kind of numbers
        std::array<Axis, axis_kinds> axes{};
        std::array<FrontIndex::Front, axis_kinds> fronts = no_fronts();
    };
    static constexpr std::array<FrontIndex::Front, axis_kinds> no_fronts() {
        std::array<FrontIndex::Front, axis_kinds> none{};
        none.fill(FrontIndex::empty);
        return none;
    }
    // Where values of a name and type lie on sheets: numbers in their order, strings and bools by their
    // codes.
    static constexpr SheetIndex::Axis types = static_cast<SheetIndex::Axis>(Type::bool_) + 1;
    static SheetIndex::Axis sheet_axis(NameId name, Type type) {
        return types * name + static_cast<SheetIndex::Axis>(type);
    }
    static NameId name_of(SheetIndex::Axis axis) { return axis / types; }
    static constexpr ValueCode no_code = INT32_MAX;  // of a string that no filter names: beyond all others
    static AxisKey key_of(ValueCode code, bool later) {
        const std::uint32_t place = code << 1U | (later ? 1U : 0U);
        return {code, later ? 1U : 0U, place, true};
    }
    static std::uint32_t kind_bit(Key::Kind kind) { return 1U << static_cast<unsigned>(kind); }
    static std::uint32_t presence_bit(Type type) { return 1U << (8U + static_cast<unsigned>(type)); }
    static std::uint32_t exclusion_bit(Type type) { return 1U << (16U + static_cast<unsigned>(type)); }
    static constexpr std::uint32_t pattern_bit = 1U << 24U;
    static constexpr std::uint32_t code_bits = 255U | pattern_bit;  // keys that take the code of a value
    static constexpr std::uint32_t type_key_bits = 0xFFFF00U;       // those of presences and exclusions
    static constexpr std::uint32_t bound_bit = 1U << 25U;           // there have been bounds
    static constexpr std::uint32_t inner_bit = 1U << 26U;  // there have been patterns other than prefixes
    static constexpr unsigned asked_shift = 27;            // above: what checks have asked for
    static constexpr std::uint32_t asked_bits(std::uint32_t asked) { return asked << asked_shift; }
    static std::uint32_t asked_of(const Name& name) { return name.kinds >> asked_shift; }

    static unsigned first_level(AxisKind kind) { return static_cast<unsigned>(kind) * CellRange::levels; }
    static std::uint32_t level_bit(AxisKind kind, unsigned level) {
        return 1U << (first_level(kind) + level);
    }

    // The access byte of a filter: the number of its constraint, with a flag if it is a lower bound that
    // stands as an interval, or if it stands under presence although it could stand under a pattern; or that
    // it stands under none, or on a sheet.
    static constexpr std::uint8_t by_presence = 128;
    static constexpr std::uint8_t as_interval = 64;
    static constexpr std::uint8_t on_sheet = 63;
    static constexpr std::uint8_t always = 62;
    static constexpr std::size_t max_access = 61;
    static constexpr double rare = 1.0 / 100;  // a constraint that holds no more often is good enough
    static std::size_t number_of(std::uint8_t access) { return access & (as_interval - 1U); }

    class Placing;

    // Another one whenever what was found for a value may have changed, or the form in which it is kept: that
    // depends on the number of interfaces, even of those that have no filters.
    std::uint64_t version() const {
        const FilterStore& filters = catalogue_.filters();
        const bool few = catalogue_.interfaces().bound() <= InterfaceSet::most;
        const std::uint64_t changes =
            changes_ + filters.names().version() + filters.values().strings().version();
        return 2 * changes + (few ? 1 : 0);
    }

    // What a posting says of the constraints.
    struct Checks {
        std::array<Check, 3> checks{};
        bool complete = false;       // no others are left, and they can be sure of theirs
        bool covers_access = false;  // not even the access constraint
    };
    void put(FilterId filter, std::uint8_t access, const Checks& checks);
    void put_one(FilterId filter, std::uint8_t& access, InterfaceId owner, const Checks& checks);
    void take_one(FilterId filter, std::uint8_t access, InterfaceId owner) noexcept;
    const StoredConstraint* upper_bound(const StoredConstraint& lower) const;
    double likelihood_of_interval(const StoredConstraint& lower, const StoredConstraint& upper) const;
    bool needs_presence(NameId name) const;
    double likelihood_of(const StoredConstraint& constraint) const;
    bool choose(FilterId filter, std::uint8_t& access) const;
    void choose_interval(std::uint8_t& access) const;
    Checks choose_checks(FilterId filter, std::uint8_t access);
    Name& name(NameId id);
    // What there is about a name; of one that no filter in the index has, nothing.
    const Name& about(NameId id) const {
        static const Name nothing;
        return id < names_.size() ? names_[id] : nothing;
    }
    // There may be something to find for its values; otherwise they are only checked.
    static bool is_looked_up(const Name& name) {
        return (name.kinds & (code_bits | type_key_bits | bound_bit)) != 0 || name.levels != 0;
    }
    // What is found for the values of a name takes some searching: more than one look at a key.
    static bool is_worth_remembering(const Name& name) {
        return (name.kinds & (bound_bit | pattern_bit)) != 0 || name.levels != 0;
    }
    void note_asked(const Checks& checks);
    void note_interfaces();
    void read(FilterId filter) const;
    Placing placing(FilterId filter, std::uint8_t access);
    std::span<const SheetIndex::Condition> conditions();
    Owner sole_owner(FilterId filter) const;
    bool suits_sheets() const;
    std::uint32_t effort() const;
    bool is_wide() const;
    bool are_sheets_worthwhile() const;
    void note_as_wide(FilterId filter);
    void forget_as_wide(FilterId filter) noexcept;
    void gather(std::size_t most) noexcept;
    void take_from_sheet(FilterId filter) noexcept;
    bool is_common(NameId name) const;
    void move(FilterId filter, std::uint8_t access, const Checks& checks);
    bool stands_by_owners(FilterId filter, std::uint8_t access);

    Catalogue& catalogue_;
    KeyIndex keys_;
    AxisIndex axes_;
    FrontIndex fronts_;
    SheetIndex sheets_;
    // Filters that could be on sheets, while there are too few of them.
    struct Wide {
        FilterId filter;
        std::uint32_t effort;
    };
    Column<Wide> wide_;
    std::uint64_t wide_effort_ = 0;  // of all of them
    PatternTrie trie_;
    Column<Name> names_;
    Likelihood likelihood_;
    std::uint64_t changes_ = 0;                          // of the index, in all
    std::uint64_t always_ = 0;                           // filters under no constraint
    std::uint64_t has_fronts_ = 1;                       // there have never been many interfaces
    mutable std::vector<StoredConstraint> constraints_;  // of the filter that is being placed
    mutable std::vector<double> likelihoods_;            // of these
    mutable double least_ = 1;                           // of the access that was chosen
    std::array<SheetIndex::Condition, SheetIndex::most_conditions> conditions_{};  // of one for a sheet
};

}  // namespace penstock
