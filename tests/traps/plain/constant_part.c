/* SPDX-License-Identifier: Apache-2.0 */
/* A constant that the loader has to fill in, so that it can be read alone only from then on; and who makes one byte of its
 * page writable, which makes all of it so. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int somewhere;
const struct {
    const int *where;
    char text[16];
} constant_part = {&somewhere, "old"};

const char *part_text(void) { return constant_part.text; }

int part_publish(void) {
    char *text = (char *)(uintptr_t)constant_part.text;
    char *page = (char *)((uintptr_t)text & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
    if (mprotect(page, 1, PROT_READ | PROT_WRITE))
        return 1;
    __atomic_store_n(text, 'c', __ATOMIC_RELEASE);
    return 0;
}
