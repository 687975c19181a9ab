#include <atomic>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "karat/parallel.hpp"

using karat::parallel_for;

TEST(every_index_is_visited_once) {
    for (const unsigned threads : {0u, 1u, 2u, 7u}) {
        std::vector<std::atomic<int>> seen(1000);
        parallel_for(seen.size(), 13, threads, {}, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) ++seen[i];
        });
        bool once = true;
        for (const auto& count : seen) once = once && count == 1;
        CHECK(once);
    }
}

TEST(no_work_is_fine) {
    bool called = false;
    parallel_for(0, 10, 4, {}, [&](std::size_t, std::size_t) { called = true; });
    CHECK(!called);
}

TEST(an_exception_reaches_the_caller) {
    bool caught = false;
    try {
        parallel_for(100, 1, 3, {}, [](std::size_t begin, std::size_t) {
            if (begin == 57) throw std::runtime_error("57");
        });
    } catch (const std::runtime_error& error) {
        caught = std::string(error.what()) == "57";
    }
    CHECK(caught);
}
