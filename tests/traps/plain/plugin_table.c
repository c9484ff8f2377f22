// SPDX-License-Identifier: Apache-2.0
// A library that is loaded while the program runs, with a constant that it writes once, where no other memory is on its page.
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 1 << 15 };
static const int table[WORDS] = {1};

const int *plugin_table(void);
const int *plugin_table(void) {
    return &table[WORDS / 2];
}

int plugin_publish(void);
int plugin_publish(void) {
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)plugin_table() & ~(size - 1);
    if (mprotect((void *)page, size, PROT_READ | PROT_WRITE))
        return 1;
    *(volatile int *)(uintptr_t)plugin_table() = 1;
    return mprotect((void *)page, size, PROT_READ);
}
