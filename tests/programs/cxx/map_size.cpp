// SPDX-License-Identifier: Apache-2.0
// Sessions by number in a map; opening and closing one takes the lock. The monitor reads how many there are without it.
#include <map>
#include <memory>
#include <mutex>
#include <thread>

struct Session {
    int id, bytes;
};

static std::mutex lock;
static std::map<int, std::unique_ptr<Session>> sessions;
static int limit_reached;

static void open(int id) {
    auto session = std::make_unique<Session>(Session{id, 0});
    std::lock_guard<std::mutex> held(lock);
    sessions.emplace(id, std::move(session)); // race 1
}

static void close(int id) {
    std::lock_guard<std::mutex> held(lock);
    sessions.erase(id); // race 1
}

static void monitor() {
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    if (sessions.size() > 3) // race 2
        limit_reached = 1;
}

int main() {
    open(1);
    std::thread client([] {
        open(2);
        open(3);
        close(2);
    });
    std::thread watcher([] {
        open(10);
        close(10);
        monitor();
    });
    client.join();
    watcher.join();
    return sessions.size() != 2;
}
