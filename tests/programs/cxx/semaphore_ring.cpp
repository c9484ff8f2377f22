// SPDX-License-Identifier: Apache-2.0
// c++20
// A ring with semaphores for free and used places: right for one producer, but there are two.
#include <array>
#include <mutex>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> room(4), used(0);
static std::array<int, 4> ring;
[[maybe_unused]] static std::mutex lock;
static unsigned head, tail;

static void put(int n) {
    room.acquire();
    {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        ring[head % 4] = n;
        head++; // race 1 2
    }
    used.release();
}

static int take() {
    used.acquire();
    int n = ring[tail % 4];
    tail++;
    room.release();
    return n;
}

int main() {
    std::thread one([] { put(1); }), other([] { put(2); });
    int sum = take() + take();
    one.join();
    other.join();
    return sum > 4;
}
