// The matrix of edit distances column by column, 64 rows to a word.
//
// Myers (1999), A Fast Bit-Vector Algorithm for Approximate String Matching Based on Dynamic Programming; Hyyrö (2003).
#pragma once

#include <cstddef>
#include <cstdint>

namespace karat::edit {

/// Moves to the next column. `match` has the rows whose symbol is that of the column; `last` is the bit of the last
/// row; `up` and `down` tell which cells are one more and one less than the cell above. `keep` sees of each block the
/// cells that are what the cell before on the diagonal is, and those that are one more than the cell to the left.
/// Returns by how much the cell of the last row changes.
template <class Keep>
int advance(const std::uint64_t* match, std::size_t blocks, std::uint64_t last, std::uint64_t* up, std::uint64_t* down,
            const Keep& keep) noexcept {
    using Word = std::uint64_t;
    Word right_in = 1;  // the cell above the first row grows by one
    Word left_in = 0;
    int change = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        const Word equal = match[b] | left_in;
        const Word diagonal = (((equal & up[b]) + up[b]) ^ up[b]) | equal | down[b];
        Word right = down[b] | ~(diagonal | up[b]);
        Word left = up[b] & diagonal;
        keep(b, diagonal, right);
        if (b + 1 == blocks) change = static_cast<int>((right & last) != 0) - static_cast<int>((left & last) != 0);
        const Word right_out = right >> 63;
        const Word left_out = left >> 63;
        right = right << 1 | right_in;
        left = left << 1 | left_in;
        up[b] = left | ~(diagonal | right);
        down[b] = right & diagonal;
        right_in = right_out;
        left_in = left_out;
    }
    return change;
}

/// The bit of the last of `length` rows, at least one, in its block.
inline std::uint64_t last_bit(std::size_t length) noexcept { return std::uint64_t{1} << ((length - 1) % 64); }

}  // namespace karat::edit
