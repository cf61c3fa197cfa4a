#include "penstock/checksum.hpp"

#include <array>
#include <cstring>

#include "penstock/hash.hpp"

namespace penstock {

namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t block = lanes * sizeof(std::uint64_t);
constexpr std::uint64_t step = 0xA0761D6478BD642FU;
constexpr std::uint64_t fold = 0xE7037ED1A0B428DBU;

using State = std::array<std::uint64_t, lanes>;

void take(State& state, const std::byte* bytes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + lane * sizeof(word), sizeof(word));
        state[lane] = mix(state[lane] ^ word, step);
    }
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
    State state;  // lanes that start alike would not see two words change places
    for (std::size_t lane = 0; lane < lanes; ++lane) state[lane] = mix(lane, fold);
    std::uint64_t sum = bytes.size();
    for (; bytes.size() >= block; bytes = bytes.subspan(block)) take(state, bytes.data());
    if (!bytes.empty()) {
        std::array<std::byte, block> last{};
        std::memcpy(last.data(), bytes.data(), bytes.size());
        take(state, last.data());
    }
    for (const std::uint64_t lane : state) sum = mix(sum ^ lane, fold);
    return sum;
}

}  // namespace penstock
