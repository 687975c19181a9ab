#include "karat/kept_memory.hpp"

#include <new>

namespace karat {
namespace {

/// What a thread keeps. It has no destructor, so that it can be asked even when the thread is about to end.
struct Store {
    MemoryPiece pieces[kept_pieces];
    std::size_t count;
    std::size_t bytes;
    bool closed;

    MemoryPiece remove(std::size_t i) noexcept {
        const MemoryPiece piece = pieces[i];
        pieces[i] = pieces[--count];
        bytes -= piece.bytes;
        return piece;
    }
};

thread_local Store store{};

/// Frees what is kept when the thread ends; what is given back later is freed at once.
struct Closer {
    ~Closer() {
        while (store.count > 0) ::operator delete(store.remove(0).data);
        store.closed = true;
    }
    void touch() const noexcept {}
};

thread_local const Closer closer;

}  // namespace

MemoryPiece take_memory(std::size_t bytes) {
    if (bytes >= kept_piece_bytes) {
        for (std::size_t i = 0; i < store.count; ++i) {
            if (store.pieces[i].bytes >= bytes && store.pieces[i].bytes / 4 <= bytes) return store.remove(i);
        }
    }
    return {::operator new(bytes), bytes};
}

void give_back(MemoryPiece piece) noexcept {
    const bool keeps = piece.bytes >= kept_piece_bytes && store.count < kept_pieces && !store.closed &&
                       store.bytes + piece.bytes <= kept_bytes;
    if (!keeps) return ::operator delete(piece.data);
    closer.touch();
    store.pieces[store.count++] = piece;
    store.bytes += piece.bytes;
}

}  // namespace karat
