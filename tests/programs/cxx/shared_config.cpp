// SPDX-License-Identifier: Apache-2.0
// Readers take the current configuration, a shared_ptr, under a lock. Who reloads it forgets the lock.
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Config {
    int level;
    std::string name;
};

static std::mutex lock;
static std::shared_ptr<const Config> current = std::make_shared<Config>(Config{0, "default"});

static std::shared_ptr<const Config> take() {
    std::lock_guard<std::mutex> held(lock);
    return current; // race 1
}

static void reload(int level) {
    auto next = std::make_shared<Config>(Config{level, "reloaded"});
    std::shared_ptr<const Config> before = take(); // keeps it until the new one is there
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    current = std::move(next); // race 2
}

static void serve(int requests) {
    for (int i = 0; i < requests; i++)
        if (auto config = take(); config->name.empty())
            std::terminate();
}

int main() {
    std::thread server(serve, 3), loader(reload, 1);
    server.join();
    loader.join();
    return current->level != 1;
}
