// SPDX-License-Identifier: Apache-2.0
// Counts of words in a map under a lock. The reporter looks one word up without it.
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<std::string, int> counts{{"error", 0}, {"request", 0}};

static void note(const std::string &word) {
    std::lock_guard<std::mutex> held(lock);
    counts[word]++; // race 1
}

static void serve() {
    for (int i = 0; i < 4; i++)
        note("request");
    note("error");
}

static int errors() {
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    auto found = counts.find("error");
    return found == counts.end() ? 0 : found->second; // race 2
}

int main() {
    int seen = 0;
    std::thread server(serve), reporter([&] {
        note("request");
        seen = errors();
    });
    server.join();
    reporter.join();
    return seen > 1 || counts["request"] != 5;
}
