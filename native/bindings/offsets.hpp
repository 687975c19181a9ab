// References of several segments in one column come with the places where each segment's references start.
#pragma once

#include <string>

#include "binding.hpp"

namespace karat::python {

using Offsets = nb::ndarray<const std::int64_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The offsets, after a look at whether they cut `count` references into segments that have one at least.
inline std::vector<std::int64_t> checked_offsets(const Offsets& offsets, std::size_t count) {
    std::vector<std::int64_t> starts(offsets.data(), offsets.data() + offsets.size());
    if (starts.empty() || starts.front() != 0 || starts.back() != static_cast<std::int64_t>(count)) {
        throw nb::value_error("the offsets must start at 0 and end at the number of references");
    }
    for (std::size_t i = 1; i < starts.size(); ++i) {
        if (starts[i] <= starts[i - 1]) {
            throw nb::value_error(("segment " + std::to_string(i) + " has no reference").c_str());
        }
    }
    return starts;
}

}  // namespace karat::python
