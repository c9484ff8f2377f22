// SPDX-License-Identifier: Apache-2.0
// c++20
// A worker runs until it is asked to stop, and leaves a last word. Who asked reads it before the thread was joined.
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

static std::mutex lock;
static int rounds;
static std::string last = "none";

static void work(std::stop_token token) {
    for (int i = 0; i < 3 && !token.stop_requested(); i++) {
        std::lock_guard<std::mutex> held(lock);
        rounds++;
    }
    last = "done"; // race 1
}

int main() {
    std::jthread worker(work);
    {
        std::lock_guard<std::mutex> held(lock);
        if (rounds > 3)
            return 1;
    }
    worker.request_stop();
#ifdef TWIN
    worker.join();
#endif
    return last.size() != 4; // race 2
}
