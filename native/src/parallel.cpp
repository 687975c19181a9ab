#include "karat/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace karat {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(50);

class Job {
 public:
    Job(std::size_t count, std::size_t chunk, const RangeWork& work) : count_(count), chunk_(chunk), work_(work) {}

    /// Takes one chunk and works on it; false when none is left or another thread failed.
    bool step() noexcept {
        if (stopped_.load(std::memory_order_relaxed)) return false;
        const std::size_t begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
        if (begin >= count_) return false;
        try {
            work_(begin, std::min(count_, begin + chunk_));
        } catch (...) {
            fail(std::current_exception());
        }
        return true;
    }

    void fail(std::exception_ptr error) noexcept {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::move(error);
        stopped_.store(true, std::memory_order_relaxed);
    }

    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

 private:
    const std::size_t count_;
    const std::size_t chunk_;
    const RangeWork& work_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;
    std::exception_ptr error_;
};

unsigned useful_threads(std::size_t count, std::size_t chunk, unsigned wanted) {
    if (wanted == 0) wanted = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t chunks = (count + chunk - 1) / chunk;
    return static_cast<unsigned>(std::min<std::size_t>(wanted, std::max<std::size_t>(chunks, 1)));
}

}  // namespace

void parallel_for(std::size_t count, std::size_t chunk, unsigned threads, const Interrupted& interrupted,
                  const RangeWork& work) {
    Job job(count, std::max<std::size_t>(chunk, 1), work);
    std::vector<std::jthread> others;
    const unsigned total = useful_threads(count, std::max<std::size_t>(chunk, 1), threads);
    others.reserve(total - 1);
    try {
        for (unsigned i = 1; i < total; ++i) {
            others.emplace_back([&job] {
                while (job.step()) {
                }
            });
        }
    } catch (const std::system_error&) {
        // No more threads to be had: the ones that started, and this one, do the work.
    }
    auto last_poll = std::chrono::steady_clock::now();
    while (job.step()) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_poll < poll_interval) continue;
        last_poll = now;
        if (interrupted && interrupted()) job.fail(std::make_exception_ptr(Cancelled()));
    }
    others.clear();
    job.rethrow();
}

}  // namespace karat
