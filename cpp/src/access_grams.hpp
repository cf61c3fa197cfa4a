// Whether the texts of a message have the grams that checks ask for. Texts are gone through when the first
// check asks.
#pragma once

#include <algorithm>
#include <cstddef>

#include "penstock/access_scratch.hpp"

namespace penstock {

class AccessGrams {
  public:
    using Row = AccessEngine::Scratch::Row;

    explicit AccessGrams(Row& row) : row_(row) {
        const std::size_t size = row.taken().size() + 1;
        if (row.grams.size() < size) row.grams.resize(size);
        row.has_grams.resize(size);
    }

    // Of a posting whose checks pass otherwise, here and below.
    bool has(const Posting& posting) const {
        return !posting.asks_for_grams() ||
               std::ranges::all_of(posting.checks, [this](Check check) { return has(check); });
    }

    // Where many ask: without a branch, once all texts are gone through that any filter asks about.
    auto of_all_texts(const AccessEngine& engine) const {
        for (std::size_t i = 1; i <= row_.taken().size(); ++i) {
            const AccessEngine::Scratch::Value& value = row_.values[i - 1];
            const bool is_asked = (AccessEngine::asked_of(engine.about(value.name)) & Check::asks_grams) != 0;
            if (is_asked && value.view->type == Type::string) make(i);
        }
        return [present = row_.present.data(), grams = row_.grams.data()](const Posting& posting) {
            const auto has = [=](Check check) {
                return (check.kind() != Check::Kind::gram) | grams[present[check.name()]].has(check);
            };
            return has(posting.checks[0]) & has(posting.checks[1]) & has(posting.checks[2]);
        };
    }

  private:
    bool has(Check check) const {
        if (check.kind() != Check::Kind::gram) return true;
        const std::size_t number = row_.present[check.name()];
        make(number);
        return row_.grams[number].has(check);
    }
    // Unless that is done: of the value with that number, counted from one.
    void make(std::size_t number) const {
        if (row_.has_grams[number] != 0) return;
        row_.has_grams[number] = 1;
        row_.grams[number] = GramSet(row_.values[number - 1].view->text);
    }

    Row& row_;
};

}  // namespace penstock
