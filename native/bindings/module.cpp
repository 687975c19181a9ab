#include "binding.hpp"

namespace karat::python {

Interrupted python_interrupt() {
    return [] {
        nb::gil_scoped_acquire acquire;
        return PyErr_CheckSignals() != 0;
    };
}

}  // namespace karat::python

NB_MODULE(_native, module) {
    nb::set_leak_warnings(false);  // The command ends without collecting: what it leaves goes back with all its memory.
    module.doc() = "The compiled core of karat. Import karat.kernels instead.";
    karat::python::register_text(module);
    karat::python::register_analysis(module);
    karat::python::register_bleu(module);
    karat::python::register_chrf(module);
    karat::python::register_crossing(module);
    karat::python::register_edit_distance(module);
    karat::python::register_exits(module);
    karat::python::register_matching(module);
    karat::python::register_pair_counts(module);
    karat::python::register_meteor(module);
    karat::python::register_ter(module);
    karat::python::register_terp(module);
    karat::python::register_weights(module);
    karat::python::register_word_facts(module);
    karat::python::register_word_types(module);
}
