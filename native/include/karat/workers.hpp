// What threads need for their work, kept from chunk to chunk.
#pragma once

#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace karat {

/// Scratch memory for the chunks of one `parallel_for`: as many as there are threads are ever made, and what one chunk
/// has allocated the next one on its thread finds warm.
template <class Worker>
class Workers {
 public:
    /// A worker that goes back when the lease ends.
    class Lease {
     public:
        Lease(Workers& owner, std::unique_ptr<Worker> worker) noexcept : owner_(owner), worker_(std::move(worker)) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        ~Lease() { owner_.put_back(std::move(worker_)); }

        Worker& operator*() const noexcept { return *worker_; }

     private:
        Workers& owner_;
        std::unique_ptr<Worker> worker_;
    };

    /// A free worker, or a new one by `make`.
    template <class Make>
    Lease take(Make make) {
        std::unique_ptr<Worker> free = take_free();
        return Lease(*this, free ? std::move(free) : make());
    }
    Lease take() {
        return take([] { return std::make_unique<Worker>(); });
    }

 private:
    std::unique_ptr<Worker> take_free() {
        const std::lock_guard lock(mutex_);
        if (free_.empty()) return nullptr;
        std::unique_ptr<Worker> last = std::move(free_.back());
        free_.pop_back();
        return last;
    }

    /// Memory for the list may be lacking; then the worker is lost, and the next chunk makes one.
    void put_back(std::unique_ptr<Worker> worker) noexcept {
        const std::lock_guard lock(mutex_);
        try {
            free_.push_back(std::move(worker));
        } catch (const std::bad_alloc&) {
            return;
        }
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Worker>> free_;
};

}  // namespace karat
