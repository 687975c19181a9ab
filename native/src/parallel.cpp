#include "karat/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace karat {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(50);
constexpr std::uint64_t work_between_polls = 2'000'000;

class Job;
thread_local Job* current_job = nullptr;
thread_local std::uint64_t work_since_poll = 0;

class Job {
 public:
    Job(std::size_t count, std::size_t chunk, const Interrupted& interrupted, const RangeWork& work)
        : count_(count), chunk_(chunk), interrupted_(interrupted), work_(work) {}

    /// Takes one chunk and works on it; false when none is left or another thread failed.
    bool step() noexcept {
        if (stopped_.load(std::memory_order_relaxed)) return false;
        const std::size_t begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
        if (begin >= count_) return false;
        Job* const outer = std::exchange(current_job, this);
        try {
            work_(begin, std::min(count_, begin + chunk_));
        } catch (...) {
            fail(std::current_exception());
        }
        current_job = outer;
        return true;
    }

    /// Asks, on the calling thread and not too often, whether to stop.
    void poll() {
        if (std::this_thread::get_id() != caller_) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_poll_ < poll_interval) return;
        last_poll_ = now;
        if (interrupted_ && interrupted_()) fail(std::make_exception_ptr(Cancelled()));
    }

    bool is_stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

    /// What another thread does from its start to its end.
    void run_beside() noexcept {
        while (step()) {
        }
        const std::lock_guard lock(mutex_);
        --beside_;
        ended_.notify_one();
    }

    void expect_beside() {
        const std::lock_guard lock(mutex_);
        ++beside_;
    }

    /// The calling thread has nothing left to do, but must go on asking while others work on long segments.
    void wait() {
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, poll_interval, [this] { return beside_ == 0; })) {
            lock.unlock();
            poll();
            lock.lock();
        }
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
    const Interrupted& interrupted_;
    const RangeWork& work_;
    const std::thread::id caller_ = std::this_thread::get_id();
    std::chrono::steady_clock::time_point last_poll_ = std::chrono::steady_clock::now();
    std::condition_variable ended_;
    int beside_ = 0;  // other threads that have not ended; below 0 while one ends before it is counted
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

void keep_going(std::uint64_t work) {
    work_since_poll += work;
    if (work_since_poll < work_between_polls || current_job == nullptr) return;
    work_since_poll = 0;
    current_job->poll();
    if (current_job->is_stopped()) throw Cancelled();
}

void parallel_for(std::size_t count, std::size_t chunk, unsigned threads, const Interrupted& interrupted,
                  const RangeWork& work) {
    Job job(count, std::max<std::size_t>(chunk, 1), interrupted, work);
    std::vector<std::jthread> others;
    const unsigned total = useful_threads(count, std::max<std::size_t>(chunk, 1), threads);
    others.reserve(total - 1);
    try {
        for (unsigned i = 1; i < total; ++i) {
            others.emplace_back([&job] { job.run_beside(); });
            job.expect_beside();
        }
    } catch (const std::exception&) {
        // No more threads to be had, or no memory for one: the ones that started, and this one, do the work.
    }
    while (job.step()) job.poll();
    job.wait();
    others.clear();
    job.rethrow();
}

}  // namespace karat
