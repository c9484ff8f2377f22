// SPDX-License-Identifier: Apache-2.0
// Lines are appended to a journal under its lock. Whether it is long enough to be written is asked without.
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::string journal;
static int flushes;

static void log(const std::string &line) {
    std::lock_guard<std::mutex> held(lock);
    journal.append(line).push_back('\n'); // race 1
}

static void flush_if_long() {
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    if (journal.size() > 1000) // race 2
        flushes++;
}

int main() {
    std::thread writer([] {
        for (int i = 0; i < 3; i++)
            log("a line that is longer than a short string");
    });
    std::thread flusher([] {
        log("begin");
        flush_if_long();
    });
    writer.join();
    flusher.join();
    return flushes || journal.empty();
}
