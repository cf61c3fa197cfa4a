#include "penstock/gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace penstock {
namespace {

struct Tally {
    std::uint64_t reads = 0;
};
using TallyGate = Gate<Tally>;

// Runs `work(0)`, `work(1)`, … each in a thread of its own, and waits for all.
void in_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
}

std::uint64_t sum(TallyGate& gate) {
    std::uint64_t reads = 0;
    gate.write().for_each_scratch([&](Tally& tally) { reads += tally.reads; });
    return reads;
}

// A reader that can be let go at any time.
std::unique_ptr<TallyGate::Reader> held(TallyGate& gate) {
    return std::unique_ptr<TallyGate::Reader>(new TallyGate::Reader(gate.read()));
}

// A pair that is equal between writes, of plain numbers: a race here is a fault of the gate.
struct Twins {
    std::uint64_t left = 0;
    std::uint64_t right = 0;

    void increment() {
        ++left;
        std::this_thread::yield();
        ++right;
    }
};

TEST(Gate, OneThreadNeedsOneSlot) {
    TallyGate gate;
    for (int i = 0; i < 1000; ++i) {
        ++gate.read().scratch().reads;
        if (i % 3 == 0) static_cast<void>(gate.write());
    }
    EXPECT_EQ(gate.slots(), 1U);
    EXPECT_EQ(sum(gate), 1000U);
}

TEST(Gate, ReadersOfOneThreadHaveAScratchEach) {
    TallyGate gate;
    const auto outer = gate.read();
    const auto middle = gate.read();
    const auto inner = gate.read();
    EXPECT_NE(&outer.scratch(), &middle.scratch());
    EXPECT_NE(&middle.scratch(), &inner.scratch());
    EXPECT_NE(&outer.scratch(), &inner.scratch());
    EXPECT_EQ(gate.slots(), 3U);
}

TEST(Gate, SlotsLieOnCacheLinesOfTheirOwn) {
    TallyGate gate;
    const auto one = gate.read();
    const auto other = gate.read();
    const auto line = [](const Tally& tally) { return reinterpret_cast<std::uintptr_t>(&tally) / 64; };
    EXPECT_NE(line(one.scratch()), line(other.scratch()));
}

TEST(Gate, AWriterSeesEveryScratchOnce) {
    TallyGate gate;
    {
        const auto one = gate.read();
        const auto other = gate.read();
        one.scratch().reads = 3;
        other.scratch().reads = 4;
    }
    EXPECT_EQ(sum(gate), 7U);
    gate.write().for_each_scratch([](Tally& tally) { tally = {}; });
    EXPECT_EQ(sum(gate), 0U);
}

TEST(Gate, ExceptionsOpenItAgain) {
    TallyGate gate;
    const auto fail = [](auto&&) { throw std::runtime_error("inside"); };
    for (int i = 0; i < 3; ++i) {
        EXPECT_THROW(fail(gate.read()), std::runtime_error);
        EXPECT_THROW(fail(gate.write()), std::runtime_error);
    }
    EXPECT_EQ(gate.slots(), 1U);
}

struct Reluctant {
    static inline int left = 0;
    Reluctant() {
        if (left-- == 0) throw std::bad_alloc();
    }
};

TEST(Gate, ASlotThatCannotBeMadeChangesNothing) {
    Reluctant::left = 1;
    Gate<Reluctant> gate;
    {
        const auto reader = gate.read();
        EXPECT_THROW(static_cast<void>(gate.read()), std::bad_alloc);
        EXPECT_EQ(gate.slots(), 1U);
    }
    static_cast<void>(gate.write());
    Reluctant::left = 1;
    const auto reader = gate.read();
    static_cast<void>(gate.read());
    EXPECT_EQ(gate.slots(), 2U);
}

TEST(Gate, NobodySeesAWriteHalfDone) {
    TallyGate gate;
    Twins twins;
    constexpr std::uint64_t rounds = 2000;
    std::atomic<std::uint64_t> torn = 0;
    in_threads(6, [&](std::size_t thread) {
        for (std::uint64_t i = 0; i < rounds; ++i) {
            if (thread < 2) {
                const auto writer = gate.write();
                twins.increment();
            } else {
                const auto reader = gate.read();
                ++reader.scratch().reads;
                if (twins.left != twins.right) ++torn;
            }
        }
    });
    EXPECT_EQ(torn, 0U);
    EXPECT_EQ(twins.left, 2 * rounds);
    EXPECT_EQ(sum(gate), 4 * rounds);
}

TEST(Gate, ReadersAreInsideTogether) {
    TallyGate gate;
    constexpr std::size_t readers = 8;
    std::atomic<std::size_t> inside = 0;
    in_threads(readers, [&](std::size_t) {
        const auto reader = gate.read();
        if (++inside == readers) inside.notify_all();
        for (std::size_t n = inside; n < readers; n = inside) inside.wait(n);  // hangs if one is kept out
    });
    EXPECT_GE(gate.slots(), readers);
}

TEST(Gate, ReadersThatNeverPauseDoNotKeepAWriterOut) {
    TallyGate gate;
    std::atomic<bool> written = false;
    in_threads(4, [&](std::size_t thread) {
        if (thread == 0) {
            for (int i = 0; i < 100; ++i) static_cast<void>(gate.write());
            written = true;
        }
        while (!written) {
            const auto reader = gate.read();
            std::this_thread::yield();  // so that there is hardly a moment without a reader
        }
    });
}

TEST(Gate, WritersThatNeverPauseDoNotKeepAReaderOut) {
    TallyGate gate;
    std::atomic<bool> read = false;
    in_threads(3, [&](std::size_t thread) {
        if (thread == 0) {
            for (int i = 0; i < 100; ++i) ++gate.read().scratch().reads;
            read = true;
        }
        while (!read) static_cast<void>(gate.write());
    });
    EXPECT_EQ(sum(gate), 100U);
}

TEST(Gate, FewWritersOvertakeTheReadersThatWait) {
    TallyGate gate;
    for (int round = 0; round < 20; ++round) {
        std::atomic<std::size_t> entered = 0;
        std::vector<std::jthread> readers;
        {
            const auto writer = gate.write();
            for (int i = 0; i < 3; ++i) {
                readers.emplace_back([&] {
                    const auto reader = gate.read();
                    ++entered;
                });
            }
            while (gate.held_up() < 3) std::this_thread::yield();
        }
        for (std::size_t i = 0; i < TallyGate::most_overtakes; ++i) static_cast<void>(gate.write());
        const auto writer = gate.write();
        EXPECT_EQ(entered, 3U);
    }
}

TEST(Gate, AWriterWaitsForTheLastReader) {
    TallyGate gate;
    std::atomic<bool> written = false;
    std::jthread writer;
    std::unique_ptr<TallyGate::Reader> last = held(gate);
    {
        const auto first = gate.read();
        writer = std::jthread([&] {
            static_cast<void>(gate.write());
            written = true;
        });
        std::this_thread::yield();
        EXPECT_FALSE(written);
    }
    std::this_thread::yield();
    EXPECT_FALSE(written);
    last.reset();
    writer.join();
    EXPECT_TRUE(written);
}

TEST(Gate, NobodyElseIsInsideWithAWriter) {
    TallyGate gate;
    std::atomic<int> entered = 0;
    std::vector<std::jthread> threads;
    {
        const auto writer = gate.write();
        threads.emplace_back([&] {
            static_cast<void>(gate.read());
            ++entered;
        });
        threads.emplace_back([&] {
            static_cast<void>(gate.write());
            ++entered;
        });
        for (int i = 0; i < 100; ++i) std::this_thread::yield();
        EXPECT_EQ(entered, 0);
    }
    threads.clear();
    EXPECT_EQ(entered, 2);
}

TEST(Gate, WhoFindsAllSlotsBusyWaitsForOne) {
    TallyGate gate;
    std::vector<std::unique_ptr<TallyGate::Reader>> readers;
    for (std::size_t i = 0; i < TallyGate::most_slots; ++i) readers.push_back(held(gate));
    EXPECT_EQ(gate.slots(), TallyGate::most_slots);
    std::atomic<int> entered = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            ++gate.read().scratch().reads;
            ++entered;
        });
    }
    for (int i = 0; i < 100; ++i) std::this_thread::yield();
    EXPECT_EQ(entered, 0);
    readers.erase(readers.begin() + 20);  // any one will do, for all of them
    threads.clear();
    EXPECT_EQ(entered, 4);
    EXPECT_EQ(gate.slots(), TallyGate::most_slots);
    readers.clear();
    EXPECT_EQ(sum(gate), 4U);
}

TEST(Gate, MoreThreadsThanSlotsComeAndGo) {
    TallyGate gate;
    Twins twins;
    constexpr std::size_t threads = TallyGate::most_slots + 16;
    std::atomic<std::uint64_t> torn = 0;
    in_threads(threads, [&](std::size_t thread) {
        for (std::size_t i = 0; i < 50; ++i) {
            if ((thread + i) % 10 == 0) {
                const auto writer = gate.write();
                twins.increment();
            }
            const auto reader = gate.read();
            ++reader.scratch().reads;
            std::this_thread::yield();
            if (twins.left != twins.right) ++torn;
        }
    });
    EXPECT_EQ(torn, 0U);
    EXPECT_EQ(twins.left, threads * 5);
    EXPECT_EQ(sum(gate), threads * 50);
}

}  // namespace
}  // namespace penstock
