// Which keys does a message have? What the access engine looks up, before it looks.
//
// For each value: presence and exclusions of its type, its own key, the cells that it lies in, and the
// patterns in a text. The memory behind each key is asked for at once, so that it is there when the keys are
// searched.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "penstock/access_scratch.hpp"

namespace penstock {

class AccessLookup {
  public:
    using Scratch = AccessEngine::Scratch;
    static constexpr std::uint32_t exclusion = 1U << 31U;  // in place of relations
    static constexpr std::uint32_t any_relation = 15;      // where filters stand in but one to a key
    static constexpr std::uint32_t no_value = UINT32_MAX;  // has that key

    AccessLookup(const AccessEngine& engine, Scratch& scratch, Scratch::Row& row)
        : engine_(engine), filters_(engine.catalogue_.filters()), scratch_(scratch), row_(row) {}

    void begin() {
        if (engine_.always_ > 0) look_up(always_key(), no_value, any_relation);
    }
    // The keys of a value, by its number.
    void look_up(std::uint32_t number) {
        Scratch::Value& value = row_.values[number];
        const ValueView& view = *value.view;
        const std::uint32_t kinds = value.about->kinds;
        const auto has = [&](std::uint32_t bits) { return (kinds & bits) != 0; };
        if (has(AccessEngine::code_bits)) value.known().find_code(filters_.values());
        if (has(AccessEngine::type_key_bits)) look_up_type(number);
        if (view.type == Type::string) {
            if (has(AccessEngine::code_bits)) look_up_text(number, kinds);
            return;
        }
        if (value.about->levels != 0 && value.known().is_number) look_up_cells(number);
        if (!has(AccessEngine::code_bits) || !value.known().code) return;
        for (const Type asked : asked_types(view.type)) {
            const Key key = equality_key(value.name, asked, *value.known().code);
            if (has(AccessEngine::kind_bit(key.kind()))) look_up(key, number, any_relation);
        }
    }

  private:
    void look_up(const Key& key, std::uint32_t value, std::uint32_t relations) {
        const std::uint64_t hash = engine_.keys_.hash(key);
        engine_.keys_.prefetch(hash);
        row_.lookups.push_back({key, hash, relations, value});
    }
    void look_up_type(std::uint32_t number) {
        Scratch::Value& value = row_.values[number];
        const auto look_up_as = [&](Type asked) {
            if ((value.about->kinds & AccessEngine::presence_bit(asked)) != 0)
                look_up(presence_key(value.name, asked), number, any_relation);
            if ((value.about->kinds & AccessEngine::exclusion_bit(asked)) != 0 && !value.view->is_nan())
                look_up(exclusion_key(value.name, asked), number, exclusion);
        };
        look_up_as(Type::any);
        for (const Type asked : asked_types(value.view->type)) look_up_as(asked);
    }
    void look_up_cells(std::uint32_t number) {
        Scratch::Value& value = row_.values[number];
        const AxisKind strict = value.view->type == Type::int_ ? AxisKind::int_ : AxisKind::float_;
        for (const AxisKind kind : {AxisKind::number, strict}) {
            const unsigned first = AccessEngine::first_level(kind);
            std::uint32_t used = value.about->levels >> first & ((1U << CellRange::levels) - 1);
            for (; used != 0; used &= used - 1) {
                const auto level = static_cast<unsigned>(std::countr_zero(used));
                look_up(CellRange::key_at(value.name, kind, level, value.known().number), number,
                        any_relation);
            }
        }
    }
    // A text's own key and those of the patterns in it; each once, with all that is true of it.
    void look_up_text(std::uint32_t number, std::uint32_t kinds) {
        Scratch::Value& value = row_.values[number];
        const bool by_value = value.known().code && (kinds & AccessEngine::kind_bit(Key::Kind::string)) != 0;
        if ((kinds & AccessEngine::pattern_bit) == 0) {
            if (by_value)
                look_up(Key(value.name, Key::Kind::string, *value.known().code), number, any_relation);
            return;
        }
        const bool anywhere = (kinds & AccessEngine::inner_bit) != 0;
        const auto code = value.known().code;
        const std::string_view text = value.view->text;
        const auto patterns = code ? recall_patterns(*code, text, anywhere) : find_patterns(text, anywhere);
        bool is_due = by_value;  // the text's own key, unless it is among the patterns
        for (const PatternSet::Pattern& pattern : patterns) {
            const bool is_own = by_value && pattern.text == *code;
            is_due &= !is_own;
            look_up(Key(value.name, Key::Kind::string, pattern.text), number,
                    pattern.relations | (is_own ? relation_bit(Relation::equal) : 0));
        }
        if (is_due) look_up(Key(value.name, Key::Kind::string, *code), number, relation_bit(Relation::equal));
    }
    // Strings that filters name come again and again.
    std::span<const PatternSet::Pattern> recall_patterns(StringPool::Id id, std::string_view text,
                                                         bool anywhere) {
        if (scratch_.pattern_memos_.empty()) scratch_.pattern_memos_.resize(Scratch::pattern_memos);
        Scratch::PatternMemo& memo = scratch_.pattern_memos_[id % Scratch::pattern_memos];
        const std::uint64_t changes = engine_.trie_.version() + filters_.values().strings().version();
        const std::uint64_t version = 2 * changes + (anywhere ? 1 : 0);
        if (memo.text == id && memo.version == version) return {memo.patterns.data(), memo.count};
        const std::span<const PatternSet::Pattern> found = find_patterns(text, anywhere);
        if (found.size() > Scratch::PatternMemo::room) return found;
        memo.version = version;
        memo.text = id;
        memo.count = static_cast<std::uint32_t>(found.size());
        std::ranges::copy(found, memo.patterns.begin());
        return found;
    }
    // Anywhere in the text, or only those that it begins with.
    std::span<const PatternSet::Pattern> find_patterns(std::string_view text, bool anywhere) {
        scratch_.patterns_.clear();
        const auto note = [&](StringPool::Id pattern, std::size_t begin, std::size_t end) {
            std::uint32_t relations = relation_bit(Relation::substring);
            if (begin == 0) relations |= relation_bit(Relation::prefix);
            if (end == text.size()) relations |= relation_bit(Relation::suffix);
            scratch_.patterns_.insert(pattern, relations);
        };
        if (anywhere) {
            engine_.trie_.search(text, note);
        } else if (!text.empty()) {
            engine_.trie_.search_at(0, text, note);
        }
        return scratch_.patterns_.patterns();
    }

    static std::uint32_t relation_bit(Relation relation) { return 1U << static_cast<unsigned>(relation); }
    // The types that a constraint may have to accept a value of the given one, besides any.
    static std::span<const Type> asked_types(Type given) {
        static constexpr std::array strings{Type::string};
        static constexpr std::array ints{Type::number, Type::int_};
        static constexpr std::array floats{Type::number, Type::float_};
        static constexpr std::array bools{Type::bool_};
        switch (given) {
            case Type::string:
                return strings;
            case Type::int_:
                return ints;
            case Type::float_:
                return floats;
            default:
                return bools;
        }
    }

    const AccessEngine& engine_;
    const FilterStore& filters_;
    Scratch& scratch_;
    Scratch::Row& row_;
};

}  // namespace penstock
