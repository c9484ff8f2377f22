// SPDX-License-Identifier: Apache-2.0
// Each thread collects in a thread_local buffer that it has registered. A survey reads the others' sizes while they work.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::vector<int> *> buffers;
static size_t surveyed;

struct Registered {
    std::vector<int> items;
    Registered() {
        items.reserve(8);
        std::lock_guard<std::mutex> held(lock);
        buffers.push_back(&items);
    }
    ~Registered() {
        std::lock_guard<std::mutex> held(lock);
        for (auto i = buffers.begin(); i != buffers.end(); ++i)
            if (*i == &items) {
                buffers.erase(i);
                break;
            }
    }
};

static thread_local Registered mine;

static void collect(int n) {
    auto &items = mine.items;
    for (int i = 0; i < n; i++) {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        items.push_back(i); // race 1
    }
}

static void survey() {
    std::lock_guard<std::mutex> held(lock);
    for (auto *items : buffers)
        surveyed += items->size(); // race 2
}

int main() {
    std::thread one(collect, 3), other(collect, 2), surveyor(survey);
    one.join();
    other.join();
    surveyor.join();
    return surveyed > 5;
}
