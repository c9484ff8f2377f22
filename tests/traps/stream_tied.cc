// SPDX-License-Identifier: Apache-2.0
// Two threads may write to std::cout at once, by whatever way they come to it (nothing here names it); to a stream of the
// program's own only one after the other. The twin's threads do that without the lock.
// twin: own
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

[[maybe_unused]] static std::mutex lock;
static std::ostringstream own;

static void work(std::ostream *console) {
    {
#ifndef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        own << 2;
    }
    *console << 1;
}

int main() {
    own << "a beginning that is so long that the stream has a buffer for all that comes after it\n";
    std::ostream *console = std::cin.tie();
    std::thread one(work, console), other(work, console);
    one.join();
    other.join();
    return own.str().empty();
}
