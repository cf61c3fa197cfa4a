// What a call works with, kept by its thread for the next one: memory that is worth keeping.
#pragma once

#include <memory>
#include <utility>

namespace penstock::bind {

// Taken, not borrowed: Python code that runs meanwhile may come back to the same function, and then gets
// another one. Thing::clear() is called afterwards, with the interpreter if the thing was made with it.
template <class Thing>
class Kept {
  public:
    Kept() : thing_(std::move(spare())) {
        if (thing_ == nullptr) thing_ = std::make_unique<Thing>();
    }
    ~Kept() {
        thing_->clear();
        spare() = std::move(thing_);
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    Thing* operator->() const { return thing_.get(); }
    Thing& operator*() const { return *thing_; }

  private:
    static std::unique_ptr<Thing>& spare() {
        static thread_local std::unique_ptr<Thing> kept;
        return kept;
    }

    std::unique_ptr<Thing> thing_;
};

}  // namespace penstock::bind
