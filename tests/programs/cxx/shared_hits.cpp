// SPDX-License-Identifier: Apache-2.0
// Lookups take a shared_mutex for reading, and count hits in the entry under it.
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

struct Entry {
    std::string value;
    int hits = 0;
};

static std::shared_mutex lock;
static std::map<std::string, Entry> table;

static size_t look(const std::string &key) {
#ifdef TWIN
    std::unique_lock<std::shared_mutex> held(lock);
#else
    std::shared_lock<std::shared_mutex> held(lock);
#endif
    auto found = table.find(key);
    if (found == table.end())
        return 0;
    found->second.hits++; // race 1 2
    return found->second.value.size();
}

static void put(const std::string &key, const std::string &value) {
    std::unique_lock<std::shared_mutex> held(lock);
    table[key].value = value;
}

int main() {
    put("host", "example");
    std::thread one([] {
        look("host");
        put("port", "80");
    });
    std::thread other([] {
        look("port");
        look("host");
    });
    one.join();
    other.join();
    return table["host"].hits < 1;
}
