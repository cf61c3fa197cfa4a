// Many readers at once or one writer, and for each reader a scratch of its own.
//
// A reader takes one of a few slots, each on a cache line of its own, so readers do not disturb each other; a
// writer closes all slots and waits for those that are taken. New readers wait from the moment the first slot
// is closed, but only a few writers in a row may overtake them: neither side can starve the other. (Strict
// turns would make each update wait until sleeping readers are awake. A std::shared_mutex is one word that
// all readers write, and has no place for a scratch.)
//
// A thread may read while it reads, in another slot, as long as nobody wants to write: the inner reader would
// wait for a writer that waits for the outer one. For the same reason a reader must not become a writer, and
// nobody may wait inside for a lock that a thread at the gate can hold.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace penstock {

template <class Scratch>
class Gate {
    struct Slot;

  public:
    static constexpr std::size_t most_slots = 64;      // readers at one time; others wait
    static constexpr std::size_t most_overtakes = 16;  // writers in a row that readers are held up by

    class [[nodiscard]] Reader {
      public:
        Reader(const Reader&) = delete;
        Reader& operator=(const Reader&) = delete;
        ~Reader() { gate_.leave(slot_); }

        Scratch& scratch() const { return slot_.scratch; }

      private:
        friend Gate;
        explicit Reader(Gate& gate) : gate_(gate), slot_(gate.enter()) {}

        Gate& gate_;
        Slot& slot_;
    };

    class [[nodiscard]] Writer {
      public:
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;
        ~Writer() { gate_.open(); }

        template <class Function>
        void for_each_scratch(Function function) const {
            for (std::size_t i = 0; i < gate_.slots(); ++i) function(gate_.slots_[i]->scratch);
        }

      private:
        friend Gate;
        explicit Writer(Gate& gate) : gate_(gate) { gate.close(); }

        Gate& gate_;
    };

    Gate() { add(free); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    Reader read() { return Reader(*this); }
    Writer write() { return Writer(*this); }
    std::size_t slots() const { return count_.load(); }
    std::size_t held_up() const { return held_up_.load(); }  // readers that wait for a writer

  private:
    // `busy` and `closed` are bits: a slot that is both has a reader whom a writer awaits.
    static constexpr std::uint32_t free = 0;
    static constexpr std::uint32_t busy = 1;
    static constexpr std::uint32_t closed = 2;

    struct alignas(64) Slot {
        std::atomic<std::uint32_t> state = free;
        Scratch scratch{};
    };

    // Whoever has the turn may close the slots or add one: a mutex that others can wait for without taking
    // it.
    class Turn {
      public:
        void lock() {
            std::uint32_t now = number_.load();
            while (is_taken(now) || !number_.compare_exchange_weak(now, now + 1)) {
                await_end(now);
                now = number_.load();
            }
        }
        void unlock() {
            number_.fetch_add(1);
            number_.notify_all();
        }
        std::uint32_t now() const { return number_.load(); }
        void await_end(std::uint32_t turn) const {
            if (is_taken(turn)) number_.wait(turn);
        }

      private:
        static bool is_taken(std::uint32_t turn) { return (turn & 1U) != 0; }
        std::atomic<std::uint32_t> number_ = 0;
    };

    // Counts a reader from when it finds the slots closed until it has one, or knows that all are busy.
    class HeldUp {
      public:
        explicit HeldUp(std::atomic<std::uint32_t>& count) : count_(count) { count_.fetch_add(1); }
        HeldUp(const HeldUp&) = delete;
        HeldUp& operator=(const HeldUp&) = delete;
        ~HeldUp() {
            if (count_.fetch_sub(1) == 1) count_.notify_all();
        }

      private:
        std::atomic<std::uint32_t>& count_;
    };

    struct Found {
        Slot* slot;
        bool closed;  // when false, no slot means that all are busy
    };

    // Starts with the slot that this thread had last, so that each keeps to its own.
    Found take() {
        const std::size_t count = slots();
        std::size_t at = home_ < count ? home_ : 0;
        for (std::size_t tried = 0; tried < count; ++tried) {
            std::uint32_t state = free;
            if (slots_[at]->state.compare_exchange_strong(state, busy)) {
                home_ = at;
                return {slots_[at].get(), false};
            }
            if ((state & closed) != 0) return {nullptr, true};
            if (++at == count) at = 0;
        }
        return {nullptr, false};
    }

    Slot& enter() {
        const Found found = take();
        return found.slot != nullptr ? *found.slot : enter_late();
    }

    Slot& enter_late() {
        for (;;) {
            if (Slot* const slot = take_or_grow()) return *slot;
            crowd_.fetch_add(1);
            const std::uint32_t seen = left_.load();
            const Found found = take();
            if (found.slot == nullptr && !found.closed) left_.wait(seen);
            crowd_.fetch_sub(1);
            if (found.slot != nullptr) return *found.slot;
        }
    }

    Slot* take_or_grow() {
        const HeldUp held_up(held_up_);
        for (;;) {
            const std::uint32_t turn =
                turn_.now();  // before the look: slots are closed in this turn or a later
            const Found found = take();
            if (found.slot != nullptr) return found.slot;
            if (!found.closed) return grow();
            turn_.await_end(turn);
        }
    }

    Slot* grow() {
        if (slots() == most_slots) return nullptr;
        const std::lock_guard turn(turn_);
        if (const Found found = take(); found.slot != nullptr) return found.slot;
        if (slots() == most_slots) return nullptr;
        add(busy);
        home_ = slots() - 1;
        return slots_[home_].get();
    }

    void add(std::uint32_t state) {
        const std::size_t count = slots();
        slots_[count] = std::make_unique<Slot>();
        slots_[count]->state.store(state);
        count_.store(count + 1);
    }

    void leave(Slot& slot) {
        if (slot.state.fetch_sub(busy) != busy) slot.state.notify_all();
        if (crowd_.load() == 0) return;
        left_.fetch_add(1);
        left_.notify_all();
    }

    void close() {
        turn_.lock();
        if (held_up_.load() == 0) {
            overtakes_ = 0;
        } else if (++overtakes_ > most_overtakes) {
            let_held_up_go();
        }
        const std::size_t count = slots();
        for (std::size_t i = 0; i < count; ++i) slots_[i]->state.fetch_or(closed);
        for (std::size_t i = 0; i < count; ++i) {
            if (slots_[i]->state.load() != closed) slots_[i]->state.wait(busy | closed);
        }
    }

    void let_held_up_go() {
        while (const std::uint32_t readers = held_up_.load()) {
            turn_.unlock();  // one of them may need the turn for a new slot
            held_up_.wait(readers);
            turn_.lock();
        }
        overtakes_ = 0;
    }

    void open() {
        const std::size_t count = slots();
        for (std::size_t i = 0; i < count; ++i) slots_[i]->state.store(free, std::memory_order_release);
        turn_.unlock();
    }

    static inline constinit thread_local std::size_t home_ = 0;

    std::array<std::unique_ptr<Slot>, most_slots> slots_;
    std::atomic<std::size_t> count_ = 0;
    Turn turn_;
    std::size_t overtakes_ = 0;  // writers since readers are held up; belongs to who has the turn
    std::atomic<std::uint32_t> held_up_ = 0;
    std::atomic<std::uint32_t> crowd_ = 0;  // readers that found most_slots busy
    std::atomic<std::uint32_t> left_ = 0;   // how many slots were left while there was a crowd
};

}  // namespace penstock
