// SPDX-License-Identifier: Apache-2.0
// Asynchronous tasks fill slots of a vector of strings. One slot is read before its future was waited for.
#include <future>
#include <mutex>
#include <string>
#include <vector>

static std::mutex lock;
static std::string journal;

static void render(std::string &slot, int page) {
    std::string text = "page ";
    text += std::to_string(page);
    slot = text; // race 1
    std::lock_guard<std::mutex> held(lock);
    journal += text[5];
}

int main() {
    std::vector<std::string> slots(3);
    std::vector<std::future<void>> pending;
    for (int i = 0; i < 3; i++)
        pending.push_back(std::async(std::launch::async, render, std::ref(slots[i]), i));
    pending[0].get();
    pending[1].get();
#ifdef TWIN
    pending[2].get();
#else
    { // everybody has written the journal, so everything is there: or is it?
        std::lock_guard<std::mutex> held(lock);
        if (journal.size() > 3)
            return 1;
    }
#endif
    bool empty = slots[2].empty(); // race 2
    for (auto &one : pending)
        if (one.valid())
            one.get();
    return empty && slots[2].empty();
}
