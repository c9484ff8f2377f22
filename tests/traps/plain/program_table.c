// SPDX-License-Identifier: Apache-2.0
// A file of the program with a constant that it changes once, where no other memory is on its page: by writing, or by another page.
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 1 << 15 };
static const int table[WORDS] = {1};

const int *program_constant(void);
const int *program_constant(void) {
    return &table[WORDS / 2];
}

int program_publish(void);
int program_publish(void) {
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)program_constant() & ~(size - 1);
    if (mprotect((void *)page, size, PROT_READ | PROT_WRITE))
        return 1;
    *(volatile int *)(uintptr_t)program_constant() = 1;
    return mprotect((void *)page, size, PROT_READ);
}

int program_replace(void);
int program_replace(void) {
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)program_constant() & ~(size - 1);
    char *other = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (other == MAP_FAILED)
        return 1;
    *(int *)(other + ((uintptr_t)program_constant() - page)) = 1;
    return mprotect(other, size, PROT_READ) || mremap(other, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)page) == MAP_FAILED;
}
