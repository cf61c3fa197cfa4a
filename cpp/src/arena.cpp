#include "penstock/arena.hpp"

#include "penstock/error.hpp"

namespace penstock {

Arena::Place Arena::allocate(std::size_t words) {
    const std::size_t number = class_of(words);
    if (number >= free_.size()) free_.resize(number + 1, none);
    if (free_[number] != none) {
        const Place place = free_[number];
        free_[number] = words_[place];
        return place;
    }
    const std::size_t length = length_of(number);
    if (words_.size() + length >= none) throw CapacityError("a part of the table would exceed 16 GiB");
    const auto place = static_cast<Place>(words_.size());
    words_.resize(words_.size() + length);
    return place;
}

void Arena::release(Place place, std::size_t words) {
    const std::size_t number = class_of(words);
    words_[place] = free_[number];
    free_[number] = place;
}

}  // namespace penstock
