// SPDX-License-Identifier: Apache-2.0
// A connection's state is a variant that changes under a lock; a poller looks which one it is without.
#include <mutex>
#include <string>
#include <thread>
#include <variant>

struct Idle {};
struct Running {
    int job;
};
struct Failed {
    std::string why;
};

static std::mutex lock;
static std::variant<Idle, Running, Failed> state;
static int polls;

static void advance(int job) {
    std::lock_guard<std::mutex> held(lock);
    if (job < 2)
        state = Running{job};
    else
        state = Failed{"job number too large"}; // race 1
}

static bool has_failed() {
    {
        std::lock_guard<std::mutex> held(lock);
        polls++;
    }
#ifdef TWIN
    std::lock_guard<std::mutex> held(lock);
#endif
    return std::holds_alternative<Failed>(state); // race 2
}

int main() {
    bool failed = false;
    std::thread worker([] {
        for (int job = 0; job < 3; job++)
            advance(job);
    });
    std::thread poller([&] { failed = has_failed(); });
    worker.join();
    poller.join();
    return polls != 1 || (failed && state.index() != 2);
}
