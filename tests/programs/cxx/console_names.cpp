// SPDX-License-Identifier: Apache-2.0
// Greetings are printed under a lock. The list of names is cut while another thread counts it.
#include <iostream>
#include <mutex>
#include <set>
#include <string>
#include <thread>

static std::mutex lock;
static std::set<std::string> names{"anna", "ben", "cleo"};

static void greet(const std::string &name) {
    std::lock_guard<std::mutex> held(lock);
    if (names.count(name))
        std::cout << "hello " << name << std::endl;
}

static void leave(const std::string &name) {
    std::lock_guard<std::mutex> held(lock);
    names.erase(name); // race 1
}

static size_t present() {
    greet("anna");
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    return names.size(); // race 2
}

int main() {
    size_t seen = 0;
    std::thread one([] {
        greet("cleo");
        leave("ben");
    });
    std::thread other([&] { seen = present(); });
    one.join();
    other.join();
    return seen < 2;
}
