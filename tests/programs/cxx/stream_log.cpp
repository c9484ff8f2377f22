// SPDX-License-Identifier: Apache-2.0
// Threads write to a log that is a string stream, and each forgets the lock; and to std::cout and streams of their own, which need none.
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

[[maybe_unused]] static std::mutex lock;
static std::ostringstream report;

static void work(int n) {
    std::ostringstream own;
    own << "worker " << n << '\n';
    std::cout << n << '\n';
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    report << n; // race 1 2
}

int main() {
    report << "a report that begins with a long line, so that its buffer is not made anew soon\n";
    std::thread one(work, 1), other(work, 2);
    one.join();
    other.join();
    return report.str().empty();
}
