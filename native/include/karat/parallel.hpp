// Work shared out over threads that live for one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace karat {

/// Asked now and then on the calling thread while work goes on; true means "stop".
using Interrupted = std::function<bool()>;

/// Thrown by `parallel_for` when `Interrupted` answered true.
struct Cancelled : std::runtime_error {
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Lets a kernel be stopped within a long segment: called now and then with the work done since, a unit for about a
/// nanosecond. Throws `Cancelled` when the `parallel_for` that it works for is to stop; does nothing outside of one.
void keep_going(std::uint64_t work);

/// Called with a half-open range of indices.
using RangeWork = std::function<void(std::size_t begin, std::size_t end)>;

/// Runs `work` over [0, count) in chunks, on the calling thread and up to `threads - 1` others (0 = one per core).
/// The ranges of two calls are the same for every number of threads. The first exception is rethrown here, after
/// all threads have ended. No thread survives the call, so nothing is left to break after a fork.
void parallel_for(std::size_t count, std::size_t chunk, unsigned threads, const Interrupted& interrupted,
                  const RangeWork& work);

}  // namespace karat
