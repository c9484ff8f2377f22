/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that runs off the end of its memory: load, store, both; mend: a handler opens the memory that is closed. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIZE 65536

static uint8_t *memory;
uint64_t total;

__attribute__((noinline)) static uint64_t load(const uint8_t *p, int n) {
    uint64_t s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
__attribute__((noinline)) static void store(uint8_t *p, int n) {
    for (int i = 0; i < n; i++)
        p[i] = (uint8_t)i;
}
__attribute__((noinline)) static void both(uint16_t *to, const uint8_t *from, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

static void mend(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    uint64_t page = (uint64_t)info->si_addr & ~UINT64_C(65535);
    /* What the loop has done so far, and no more. */
    for (int i = 0; i < SIZE; i++)
        total += memory[i];
    if (mprotect((void *)page, SIZE, PROT_READ | PROT_WRITE))
        _Exit(1);
}

int main(int argc, char **argv) {
    memory = mmap(NULL, 4 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory = (uint8_t *)(((uint64_t)memory + SIZE - 1) & ~(uint64_t)(SIZE - 1));
    mprotect(memory + SIZE, SIZE, PROT_NONE);
    const char *what = argc > 1 ? argv[1] : "";
    store(memory, SIZE);
    if (!strcmp(what, "load"))
        total = load(memory, SIZE + 100);
    else if (!strcmp(what, "store"))
        store(memory + 1, SIZE + 100);
    else if (!strcmp(what, "both"))
        both((uint16_t *)(memory + SIZE - 20), memory, 100); /* the stores fault, the loads do not */
    else if (!strcmp(what, "mend")) {
        struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO};
        sigaction(SIGSEGV, &action, NULL);
        store(memory + 3, SIZE + 100);
        total += load(memory, SIZE + 100);
    }
    printf("%llu\n", (unsigned long long)total);
    return 0;
}
