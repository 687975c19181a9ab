// Memory of columns that are gone, kept for the next ones.
//
// Text and tokens live in large pieces. The system takes longer to hand out fresh pages for them, and to take them
// back, than it takes to fill them. So each thread keeps a few pieces, up to a limit, and uses them again.
#pragma once

#include <cstddef>

namespace karat {

/// Pieces of at least this many bytes are kept; smaller ones are left to the usual allocator.
inline constexpr std::size_t kept_piece_bytes = std::size_t{1} << 16;

/// How much a thread keeps at most: pieces, and bytes in all of them.
inline constexpr std::size_t kept_pieces = 8;
inline constexpr std::size_t kept_bytes = std::size_t{1} << 24;

/// A piece of memory and its true size, which is what was asked for or more.
struct MemoryPiece {
    void* data;
    std::size_t bytes;
};

/// A kept piece of at least so many bytes and at most four times as many, or a new one. Throws std::bad_alloc.
MemoryPiece take_memory(std::size_t bytes);

/// Keeps a piece, or frees it if enough is kept. Any thread may give back what any other took.
void give_back(MemoryPiece piece) noexcept;

/// For standard containers.
template <class T>
struct KeptAllocator {
    using value_type = T;

    KeptAllocator() = default;
    template <class Other>
    explicit(false) KeptAllocator(const KeptAllocator<Other>&) noexcept {}

    // Containers ask for exact sizes and give them back, so the true size stands before the memory.
    T* allocate(std::size_t count) {
        const MemoryPiece piece = take_memory(count * sizeof(T) + header);
        *static_cast<std::size_t*>(piece.data) = piece.bytes;
        return reinterpret_cast<T*>(static_cast<std::byte*>(piece.data) + header);
    }

    void deallocate(T* data, std::size_t) noexcept {
        void* const start = reinterpret_cast<std::byte*>(data) - header;
        give_back({start, *static_cast<std::size_t*>(start)});
    }

    friend bool operator==(const KeptAllocator&, const KeptAllocator&) noexcept { return true; }

 private:
    static constexpr std::size_t header = alignof(std::max_align_t);
};

}  // namespace karat
