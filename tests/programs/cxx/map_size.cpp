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

static void begin_session(int id) {
    auto session = std::make_unique<Session>(Session{id, 0});
    std::lock_guard<std::mutex> held(lock);
    sessions.emplace(id, std::move(session)); // race 1
}

static void end_session(int id) {
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
    begin_session(1);
    std::thread client([] {
        begin_session(2);
        begin_session(3);
        end_session(2);
    });
    std::thread watcher([] {
        begin_session(10);
        end_session(10);
        monitor();
    });
    client.join();
    watcher.join();
    return sessions.size() != 2;
}
