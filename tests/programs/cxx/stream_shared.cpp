// SPDX-License-Identifier: Apache-2.0
// Two threads write lines to one ostringstream; one of them forgets the lock.
#include <iomanip>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;
static std::ostringstream report;

static void careful(int n) {
    std::ostringstream line;
    line << "worker " << std::setw(4) << n;
    std::lock_guard<std::mutex> held(lock);
    report << line.str() << '\n'; // race 1
}

static void careless(int n) {
    careful(n);
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    report << n; // race 2
}

int main() {
    report << "a report that begins with a long line, so that its buffer is not made anew soon\n";
    std::thread one(careful, 1), other(careless, 2);
    one.join();
    other.join();
    return report.str().empty();
}
