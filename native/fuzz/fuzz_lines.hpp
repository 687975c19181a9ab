// Bytes from the fuzzer as one segment: the first line is the hypothesis, the others are its references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "karat/text_column.hpp"

namespace karat::fuzz {

/// Whether all bytes are UTF-8: what the kernels may take for granted.
inline bool is_utf8(const std::string& bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
        const auto at = [&](std::size_t k) { return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u; };
        const unsigned lead = at(i);
        const std::size_t length = lead < 0x80   ? 1
                                   : lead < 0xC2 ? 0
                                   : lead < 0xE0 ? 2
                                   : lead < 0xF0 ? 3
                                   : lead < 0xF5 ? 4
                                                 : 0;
        if (length == 0) return false;
        for (std::size_t k = 1; k < length; ++k) {
            if ((at(i + k) & 0xC0) != 0x80) return false;
        }
        const unsigned second = at(i + 1);
        if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
            (lead == 0xF4 && second > 0x8F)) {
            return false;
        }
        i += length;
    }
    return true;
}

class Lines {
 public:
    Lines(const std::uint8_t* data, std::size_t size) : bytes_(reinterpret_cast<const char*>(data), size) {
        for (std::size_t i = 0; i < size; ++i) {
            if (bytes_[i] == '\n') ends_.push_back(i);
        }
        ends_.push_back(size);
    }

    bool usable() const { return ends_.size() > 1 && is_utf8(bytes_); }
    std::shared_ptr<const TextColumn> hypothesis() const { return column(0, 1); }
    std::shared_ptr<const TextColumn> references() const { return column(1, ends_.size()); }
    std::vector<std::int64_t> offsets() const { return {0, static_cast<std::int64_t>(ends_.size()) - 1}; }

 private:
    std::shared_ptr<const TextColumn> column(std::size_t first, std::size_t last) const {
        std::string arena;
        std::vector<std::uint64_t> offsets{0};
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t begin = i == 0 ? 0 : ends_[i - 1] + 1;
            arena.append(bytes_, begin, ends_[i] - begin);
            offsets.push_back(arena.size());
        }
        return std::make_shared<const TextColumn>(std::move(arena), std::move(offsets));
    }

    std::string bytes_;
    std::vector<std::size_t> ends_;
};

}  // namespace karat::fuzz
