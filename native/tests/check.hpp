// A test framework in one page: TEST registers a function, CHECK counts a failure and goes on.
#pragma once

#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace karat::test {

struct Case {
    std::string name;
    std::function<void()> run;
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

inline int& failures() {
    static int count = 0;
    return count;
}

struct Register {
    Register(const char* name, std::function<void()> run) { cases().push_back({name, std::move(run)}); }
};

}  // namespace karat::test

#define TEST(name)                                                          \
    static void test_##name();                                              \
    static const karat::test::Register register_##name(#name, test_##name); \
    static void test_##name()

#define CHECK(condition)                                                                    \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            ++karat::test::failures();                                                      \
            std::cerr << __FILE__ << ":" << __LINE__ << ": failed: " << #condition << "\n"; \
        }                                                                                   \
    } while (false)
