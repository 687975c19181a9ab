#include <nanobind/stl/string.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>

#include "binding.hpp"

#ifdef _WIN32
#include <io.h>
#include <process.h>
#else
#include <unistd.h>
#endif

namespace karat::python {
namespace {

#ifdef _WIN32
long process_number() { return _getpid(); }
void say_on_stderr(const std::string& text) { _write(2, text.data(), static_cast<unsigned>(text.size())); }
#else
long process_number() { return getpid(); }
void say_on_stderr(const std::string& text) {
    if (write(2, text.data(), text.size()) < 0) return;  // Nobody reads stderr: the code still tells.
}
#endif

/// The process that is not meant to end yet; 0 if none. A child made by fork has another number.
std::atomic<long> unfinished{0};
std::string sentence;
int status = 0;

/// Runs within exit() and abort(), whoever called them; Python's own ways to end have let go before they come here.
void change_status() {
    if (unfinished.load() != process_number()) return;
    say_on_stderr(sentence);
    _exit(status);
}

/// Returns where the process is none of ours, and abort() goes on as usual.
void on_abort(int) { change_status(); }

void guard_exit(const std::string& what_to_say, int exit_status) {
    sentence = what_to_say;
    status = exit_status;
    static const bool registered = std::atexit(change_status) == 0;
    if (!registered) return;
    unfinished.store(process_number());
    std::signal(SIGABRT, on_abort);
}

}  // namespace

void register_exits(nb::module_& module) {
    module.def("guard_exit", &guard_exit, nb::arg("sentence"), nb::arg("status"),
               "From now on, a library that calls exit() or abort() ends this process with this sentence and status.");
    module.def("unguard_exit", [] { unfinished.store(0); }, "Let exit() and abort() end the process as usual.");
}

}  // namespace karat::python
