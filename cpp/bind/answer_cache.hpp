// Names of the destinations of topics that come again: streams publish to the same topics all the time.
//
// A topic is kept when it is met for the second time, so that those that never come again do not drive out
// others. What is kept is bounded in topics, in names and in the length of a topic. Everything
// here needs the interpreter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bind.hpp"

namespace penstock::bind {

class AnswerCache {
  public:
    // Topics of other types may run Python code to be hashed and compared.
    static bool takes(nb::handle topic) {
        return PyUnicode_CheckExact(topic.ptr()) && PyUnicode_GET_LENGTH(topic.ptr()) <= longest;
    }

    // The answer kept under this stamp; not valid if there is none.
    nb::tuple find(nb::handle topic, std::uint64_t stamp) const {
        if (sets_.empty()) return nb::steal<nb::tuple>(nullptr);
        const Py_hash_t hash = PyObject_Hash(topic.ptr());
        const Set& set = sets_[place(hash, sets_.size())];
        for (std::size_t way = 0; way < ways; ++way) {
            const Answer& answer = set.answers[way];
            if (set.hashes[way] == hash && answer.stamp == stamp && is_of(answer, topic)) return answer.names;
        }
        return nb::steal<nb::tuple>(nullptr);
    }

    void note(nb::handle topic, std::uint64_t stamp, const nb::tuple& names) {
        const Py_hash_t hash = PyObject_Hash(topic.ptr());
        if (sets_.empty()) {
            sets_.resize(sets);
            met_.resize(recent);
        }
        Set& set = sets_[place(hash, sets_.size())];
        if (!was_met(hash) && std::ranges::find(set.hashes, hash) == set.hashes.end()) return;
        if (held_ + names.size() > most_names) forget();
        if (names.size() > most_names) return;
        const std::size_t way = way_for(set, hash, topic);
        Answer& answer = set.answers[way];
        held_ += names.size() - (answer.names.is_valid() ? answer.names.size() : 0);
        set.hashes[way] = hash;
        answer = {nb::borrow(topic), names, stamp};
    }

  private:
    static constexpr std::size_t sets = 2048;
    static constexpr std::size_t ways = 4;
    static constexpr std::size_t recent = 1U << 15U;
    static constexpr std::size_t most_names = 1U << 20U;
    static constexpr Py_ssize_t longest = 1024;

    struct Answer {
        nb::object topic;
        nb::tuple names = nb::steal<nb::tuple>(nullptr);
        std::uint64_t stamp = 0;
    };
    struct Set {
        std::array<Py_hash_t, ways> hashes{};
        std::array<Answer, ways> answers;
        std::size_t oldest = 0;
    };

    static std::size_t place(Py_hash_t hash, std::size_t count) {
        return static_cast<std::size_t>(hash) % count;
    }
    static bool is_of(const Answer& answer, nb::handle topic) {
        return answer.topic.is_valid() &&
               (answer.topic.is(topic) || PyUnicode_Compare(answer.topic.ptr(), topic.ptr()) == 0);
    }
    bool was_met(Py_hash_t hash) {
        const auto rest = static_cast<std::uint32_t>(static_cast<std::uint64_t>(hash) >> 32U);
        return std::exchange(met_[place(hash, met_.size())], rest) == rest;
    }
    // Where the topic is already, or else in place of the oldest.
    static std::size_t way_for(Set& set, Py_hash_t hash, nb::handle topic) {
        for (std::size_t way = 0; way < ways; ++way) {
            if (set.hashes[way] == hash && is_of(set.answers[way], topic)) return way;
        }
        return set.oldest++ % ways;
    }
    void forget() {
        for (Set& set : sets_) set = {};
        held_ = 0;
    }

    std::vector<Set> sets_;
    std::vector<std::uint32_t> met_;  // halves of the hashes of topics met last
    std::size_t held_ = 0;            // names in all answers
};

}  // namespace penstock::bind
