// SPDX-License-Identifier: Apache-2.0
// An index of words in an unordered_map, filled by two threads under a lock; one asks for its size outside.
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::mutex lock;
static std::unordered_map<std::string, std::vector<int>> index_of;
static size_t largest;

static void add(const std::string &word, int page) {
    std::lock_guard<std::mutex> held(lock);
    index_of[word].push_back(page); // race 1
}

static void scan(int page) {
    static const char *const words[] = {"race", "lock", "thread"};
    for (const char *word : words)
        add(word + std::to_string(page), page);
    if (page != 1)
        return;
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    largest = index_of.size(); // race 2
}

int main() {
    std::thread one(scan, 1), other(scan, 2);
    one.join();
    other.join();
    return largest > 6 || index_of.size() != 6;
}
