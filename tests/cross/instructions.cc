// SPDX-License-Identifier: Apache-2.0
// Instructions of an architecture's own, as assembly and as intrinsics: those that say that a loop waits, and the machine's
// clock. What the clock says is other each time; nothing that is printed hangs on it but that it does not go back.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

static void pass() {
#if defined __aarch64__
    __asm__ volatile("yield" ::: "memory");
    __builtin_arm_yield();
#else
    __asm__ volatile("rep; nop" ::: "memory");
    __builtin_ia32_pause();
#endif
}

static uint64_t ticks() {
#if defined __aarch64__
    uint64_t value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return low | static_cast<uint64_t>(high) << 32;
#endif
}

static uint64_t ticks_by_intrinsic() {
#if defined __aarch64__
    return __builtin_readcyclecounter() <= ticks() ? __builtin_arm_rsr64("cntvct_el0") : 0;
#else
    unsigned processor;
    return __builtin_readcyclecounter() <= __builtin_ia32_rdtsc() ? __builtin_ia32_rdtscp(&processor) : 0;
#endif
}

int main() {
    std::atomic<int> turn{0};
    int order[4], n = 0;
    uint64_t since = ticks(), went_back = 0;
    std::vector<std::thread> threads;
    for (int me = 0; me < 4; me++)
        threads.emplace_back([&, me] {
            while (turn != me)
                pass();
            uint64_t now = me % 2 ? ticks() : ticks_by_intrinsic();
            went_back |= now < since;
            since = now;
            order[n++] = me;
            turn = me + 1;
        });
    for (std::thread &t : threads)
        t.join();
    for (int i = 0; i < n; i++)
        std::printf("%d\n", order[i]);
    std::printf("%s\n", went_back ? "back" : "forward");
}
