// Containment and disjointness of wildcard patterns.
//
// Whatever a wildcard of the inner pattern stands for, a character that occurs nowhere else is the hardest
// case for the outer one; so containment need only be tried with such fresh characters.
#include "penstock/wildcard.hpp"

#include <algorithm>
#include <utility>

#include "penstock/utf8.hpp"

namespace penstock {

namespace {

// Bounds on the effort: steps of a plain match, the product of two sizes, the number of cases followed at
// once.
constexpr std::size_t max_steps = std::size_t{1} << 22U;
constexpr std::size_t max_table = std::size_t{1} << 14U;
constexpr std::size_t max_cases = 64;

constexpr Symbol fresh = 0xFFFFFFFDU;

bool small(const Symbols& a, const Symbols& b) {
    return (a.size() + 1) * (b.size() + 1) <= max_table;
}

// Matches the outer pattern against the inner one as if that were a text, each wildcard one fresh character
// (but `_` never takes a run). Exact if the outer pattern has no `_`.
bool encloses_as_text(const Symbols& outer, const Symbols& inner) {
    std::size_t o = 0;
    std::size_t i = 0;
    std::size_t after_run = outer.size() + 1;
    std::size_t retry_from = 0;
    for (std::size_t steps = 0; i < inner.size(); ++steps) {
        if (steps == max_steps) return false;
        if (o < outer.size() && outer[o] == any_run) {
            after_run = ++o;
            retry_from = i;
        } else if (o < outer.size() && inner[i] != any_run && (outer[o] == any_one || outer[o] == inner[i])) {
            ++o;
            ++i;
        } else if (after_run <= outer.size()) {
            o = after_run;
            i = ++retry_from;
        } else {
            return false;
        }
    }
    return std::all_of(outer.begin() + static_cast<std::ptrdiff_t>(o), outer.end(),
                       [](Symbol symbol) { return symbol == any_run; });
}

// Follows all texts of the inner pattern at once. A state is the set of places where the outer pattern may be
// after one of them; of two states only the smaller matters, since it is the harder one to bring to an end.
class Pursuit {
  public:
    explicit Pursuit(const Symbols& outer) : outer_(outer) {
        State start(outer.size() + 1);
        enter(start, 0);
        states_.push_back(std::move(start));
    }

    // False when there are too many cases to go on.
    bool read(Symbol symbol) {
        const auto states = std::move(states_);
        states_.clear();
        for (const State& state : states) {
            if (symbol != any_run) {
                keep(step(state, symbol == any_one ? fresh : symbol));
                continue;
            }
            // With ever more fresh characters, a state soon stays as it is.
            State current = state;
            for (State next = step(current, fresh); next != current; next = step(current, fresh)) {
                keep(std::exchange(current, std::move(next)));
            }
            keep(std::move(current));
        }
        return states_.size() <= max_cases;
    }

    bool always_at_end() const {
        return std::all_of(states_.begin(), states_.end(), [](const State& state) { return state.back(); });
    }

  private:
    using State = std::vector<bool>;

    void enter(State& state, std::size_t place) const {
        state[place] = true;
        // A run may be empty.
        while (place < outer_.size() && outer_[place] == any_run) state[++place] = true;
    }

    State step(const State& state, Symbol character) const {
        State next(state.size());
        for (std::size_t place = 0; place < outer_.size(); ++place) {
            if (!state[place]) continue;
            if (outer_[place] == any_run) enter(next, place);
            if (outer_[place] == any_one || outer_[place] == character) enter(next, place + 1);
        }
        return next;
    }

    static bool subset(const State& a, const State& b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a[i] && !b[i]) return false;
        }
        return true;
    }

    void keep(State state) {
        if (states_.size() > max_cases) return;
        if (std::any_of(states_.begin(), states_.end(), [&](const State& s) { return subset(s, state); }))
            return;
        std::erase_if(states_, [&](const State& s) { return subset(state, s); });
        states_.push_back(std::move(state));
    }

    const Symbols& outer_;
    std::vector<State> states_;
};

bool compatible(Symbol a, Symbol b) {
    return a == b || a == any_one || b == any_one;
}

// Do the two patterns differ before either comes to its first run?
template <typename Iterator>
bool heads_differ(Iterator a, Iterator a_end, Iterator b, Iterator b_end) {
    for (; a != a_end && b != b_end; ++a, ++b) {
        if (*a == any_run || *b == any_run) return false;
        if (!compatible(*a, *b)) return true;
    }
    return false;
}

// Walks both patterns at once: reachable[j] says whether some text leads to the i-th symbol of a and the j-th
// of b.
bool share_a_text(const Symbols& a, const Symbols& b) {
    std::vector<bool> reachable(b.size() + 1);
    reachable[0] = true;
    for (std::size_t i = 0; i <= a.size(); ++i) {
        std::vector<bool> following(b.size() + 1);
        const bool a_left = i < a.size();
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (!reachable[j]) continue;
            const bool b_left = j < b.size();
            const bool run = (a_left && a[i] == any_run) || (b_left && b[j] == any_run);
            if (run && b_left) reachable[j + 1] = true;
            if (run && a_left) following[j] = true;
            if (a_left && b_left && compatible(a[i], b[j])) following[j + 1] = true;
        }
        if (a_left) reachable = std::move(following);
    }
    return reachable[b.size()];
}

}  // namespace

void append_text(Symbols& symbols, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        Symbol symbol = 0;
        for (std::size_t left = character_size(text, at); left > 0; --left) {
            symbol = symbol << 8U | static_cast<unsigned char>(text[at++]);
        }
        symbols.push_back(symbol);
    }
}

void append_like(Symbols& symbols, std::string_view pattern) {
    const auto first = static_cast<std::ptrdiff_t>(symbols.size());
    append_text(symbols, pattern);
    std::replace(symbols.begin() + first, symbols.end(), Symbol{'%'}, any_run);
    std::replace(symbols.begin() + first, symbols.end(), Symbol{'_'}, any_one);
}

bool encloses(const Symbols& outer, const Symbols& inner) {
    if (encloses_as_text(outer, inner)) return true;
    if (std::find(outer.begin(), outer.end(), any_one) == outer.end() || !small(outer, inner)) return false;
    Pursuit pursuit(outer);
    return std::all_of(inner.begin(), inner.end(), [&](Symbol symbol) { return pursuit.read(symbol); }) &&
           pursuit.always_at_end();
}

bool disjoint(const Symbols& a, const Symbols& b) {
    if (heads_differ(a.begin(), a.end(), b.begin(), b.end())) return true;
    if (heads_differ(a.rbegin(), a.rend(), b.rbegin(), b.rend())) return true;
    return small(a, b) && !share_a_text(a, b);
}

}  // namespace penstock
