// SPDX-License-Identifier: Apache-2.0
// Files are sorted by extension. The last path is remembered by whoever found it, without the lock of the lists.
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fs = std::filesystem;
static std::mutex lock;
static std::map<std::string, std::vector<fs::path>> lists;
static fs::path last = "none";

static void sort_in(const fs::path &directory, const char *const *names, int n) {
    for (int i = 0; i < n; i++) {
        fs::path path = directory / names[i];
        std::lock_guard<std::mutex> held(lock);
        lists[path.extension().string()].push_back(path);
    }
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    last = directory; // race 1 2
}

int main() {
    static const char *const some[] = {"main.cpp", "main.h"}, *const others[] = {"notes.md", "test.cpp"};
    std::thread one([] { sort_in("a", some, 2); }), other([] { sort_in("b", others, 2); });
    one.join();
    other.join();
    return lists.size() != 3 || last.empty();
}
