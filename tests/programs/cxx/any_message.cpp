// SPDX-License-Identifier: Apache-2.0
// A letter box of one std::any: put under a lock, looked into without.
#include <any>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::any box;
static int taken, missed;

static void put(std::any message) {
    std::lock_guard<std::mutex> held(lock);
    box = std::move(message); // race 1
}

static void look() {
#ifdef TWIN
    std::unique_lock<std::mutex> held(lock);
#endif
    if (!box.has_value()) { // race 2
        missed++;
        return;
    }
#ifndef TWIN
    std::unique_lock<std::mutex> held(lock);
#endif
    if (auto *text = std::any_cast<std::string>(&box))
        taken += (int)text->size();
}

int main() {
    std::thread sender([] {
        put(7);
        put(std::string("a message that is long enough"));
    });
    std::thread receiver([] {
        put(std::string("mine"));
        look();
    });
    sender.join();
    receiver.join();
    return taken + missed == -1;
}
