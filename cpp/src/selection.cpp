#include "penstock/selection.hpp"

#include "penstock/bit_vector.hpp"

namespace penstock {

void keep_only(FoundIds& matched, std::span<const std::string_view> names, const Catalogue& catalogue) {
    if (matched.empty()) return;
    const InterfacePool& interfaces = catalogue.interfaces();
    // A bit for each interface of the table is quick to clear; searching the chosen ids for each of the
    // matched ones would be far slower where many match.
    BitVector chosen;
    chosen.resize(interfaces.bound());
    for (const std::string_view name : names) {
        const InterfaceId id = interfaces.find(name);
        if (id != StringPool::none) chosen.set(id);
    }
    std::erase_if(matched, [&](InterfaceId id) { return !chosen.test(id); });
}

}  // namespace penstock
