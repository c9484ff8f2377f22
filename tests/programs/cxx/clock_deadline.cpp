// SPDX-License-Identifier: Apache-2.0
// A deadline is put off by heartbeats. The guard compares it with the clock without the lock.
#include <chrono>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;
static std::mutex lock;
static Clock::time_point deadline = Clock::now() + std::chrono::hours(1);
static int beats, late;

static void beat() {
    for (int i = 0; i < 2; i++) {
        std::lock_guard<std::mutex> held(lock);
        deadline = Clock::now() + std::chrono::hours(1); // race 1
        beats++;
    }
}

static void guard() {
    std::unique_lock<std::mutex> held(lock);
    int seen = beats;
#ifndef TWIN
    held.unlock();
#endif
    if (seen >= 0 && Clock::now() > deadline) // race 2
        late++;
}

int main() {
    std::thread heart(beat), watcher(guard);
    heart.join();
    watcher.join();
    return late;
}
