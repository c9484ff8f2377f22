/* SPDX-License-Identifier: Apache-2.0 */
/* Release sequences as C++20 has them: a later plain store of the same thread does not go on with one any more. A read-modify-write does.
 * With ADD the second step is one; part.c is a further unit of the program, in C. (tests/cli/c11.sh) */
#include <atomic>
#include <cstdio>
#include <thread>

extern "C" int part(void);

static int data;
static std::atomic<int> step;

static void publish() {
    data = 42;
    step.store(1, std::memory_order_release);
#ifdef ADD
    step.fetch_add(1, std::memory_order_relaxed);
#else
    step.store(2, std::memory_order_relaxed);
#endif
}

static void take() {
    if (step.load(std::memory_order_acquire) == 2)
        std::printf("%d\n", data);
}

int main() {
    std::thread first(publish), second(take);
    first.join();
    second.join();
    return part();
}
