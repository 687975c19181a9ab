#include "check.hpp"

int main() {
    using namespace karat::test;
    int failed = 0;
    for (const Case& test : cases()) {
        const int before = failures();
        test.run();
        if (failures() != before) {
            ++failed;
            std::cerr << "FAILED " << test.name << "\n";
        }
    }
    std::cout << cases().size() - static_cast<std::size_t>(failed) << " passed, " << failed << " failed\n";
    return failed == 0 ? 0 : 1;
}
