// SPDX-License-Identifier: Apache-2.0
// Workers take lines from one stream under a lock, and remember the longest one outside of it.
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex lock;
static std::istringstream input("first\nthe second line\nthird\nfourth line\n");
static size_t longest;

static bool next(std::string &line) {
    std::lock_guard<std::mutex> held(lock);
    return static_cast<bool>(std::getline(input, line));
}

static void work() {
    std::string line;
    while (next(line)) {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        if (line.size() > longest) // race 1
            longest = line.size(); // race 2
    }
}

int main() {
    std::thread one(work), other(work);
    one.join();
    other.join();
    return longest == 0;
}
