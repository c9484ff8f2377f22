// SPDX-License-Identifier: Apache-2.0
// c++20
// A consumer waits on an atomic for a payload; the producer notifies, and mends the payload's tail afterwards.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> state;
static std::vector<std::string> payload;
static int checksum;

static void produce() {
    payload.push_back("head");
    payload.push_back("a body that does not fit into a short string");
    int sum = 0;
    for (auto &part : payload)
        sum += (int)part.size();
#ifdef TWIN
    checksum = sum;
    state.store(1);
    state.notify_one();
#else
    state.store(1);
    state.notify_one();
    checksum = sum; // race 1
#endif
}

int main() {
    std::thread producer(produce);
    state.wait(0);
    int size = 0;
    for (auto &part : payload)
        size += (int)part.size();
    bool good = checksum == size || checksum == 0; // race 2
    producer.join();
    return !good;
}
