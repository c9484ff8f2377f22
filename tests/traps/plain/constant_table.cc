// SPDX-License-Identifier: Apache-2.0
// A library with a constant that it writes once, where no other memory is on its page.
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 1 << 15 };
static const int table[WORDS] = {1};

extern "C" const int *library_constant(void);
extern "C" const int *library_constant(void) {
    return &table[WORDS / 2];
}

extern "C" int library_publish(void);
extern "C" int library_publish(void) {
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)library_constant() & ~(size - 1);
    if (mprotect((void *)page, size, PROT_READ | PROT_WRITE))
        return 1;
    *(volatile int *)(uintptr_t)library_constant() = 1;
    return mprotect((void *)page, size, PROT_READ);
}
