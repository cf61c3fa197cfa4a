// The extension module penstock._core.
#include "bind.hpp"

NB_MODULE(_core, module) {
    // At exit nanobind lists what others, such as a test runner's caches, still hold: alarming, and not ours.
    nanobind::set_leak_warnings(false);
    module.doc() = "The native core of penstock. Use the names that penstock itself exports.";
    penstock::bind::bind_errors(module);
    penstock::bind::bind_model(module);
    penstock::bind::bind_language(module);
    penstock::bind::bind_reason(module);
    penstock::bind::bind_table(module);
    penstock::bind::bind_topic(module);
}
