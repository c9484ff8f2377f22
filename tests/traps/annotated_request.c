// SPDX-License-Identifier: Apache-2.0
// ANNOTATE_HAPPENS_BEFORE and _AFTER of valgrind/helgrind.h, as a program that includes it has them: instructions that do
// nothing. The twin's second one is another request.
// twin: data
// exact: the race is between two recorded accesses
#include <pthread.h>
#include <stdatomic.h>

enum { FIRST = ('H' << 24 | 'G' << 16) + 256, BEFORE = FIRST + 33, AFTER = FIRST + 34 };

static inline unsigned long request(unsigned long code, const volatile void *at) {
    volatile unsigned long words[6] = {code, (unsigned long)at, 0, 0, 0, 0};
    unsigned long answer = 7;
#ifdef __aarch64__
    __asm__ volatile("ror x12, x12, #3  ;  ror x12, x12, #13 \n\t"
                     "ror x12, x12, #51 ;  ror x12, x12, #61 \n\t"
                     "mov x3, %1\n\t"
                     "mov x4, %2\n\t"
                     "orr x10, x10, x10\n\t"
                     "mov %0, x3"
                     : "=r"(answer)
                     : "r"(answer), "r"(&words[0])
                     : "cc", "memory", "x3", "x4");
#else
    __asm__ volatile("rolq $3,  %%rdi ; rolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi ; rolq $51, %%rdi\n\t"
                     "xchgq %%rbx,%%rbx"
                     : "=d"(answer)
                     : "a"(&words[0]), "0"(answer)
                     : "cc", "memory");
#endif
    return answer;
}

static atomic_int ready;
static int data;

static void *publishes(void *unused) {
    data = 42;
    if (request(BEFORE, &ready) != 7)
        data = 0;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, publishes, NULL))
        return 1;
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
#ifdef TWIN
    request(AFTER + 1, &ready);
#else
    request(AFTER, &ready);
#endif
    const int seen = data;
    pthread_join(thread, NULL);
    return seen != 42;
}
