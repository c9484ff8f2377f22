/* SPDX-License-Identifier: Apache-2.0 */
/* Memory is unmapped when the other one has used it; in the twin nobody waits for that. */
#include "../clean/trap.h"

#include <sys/mman.h>

enum { SIZE = 1 << 16 };
static char *map;
static int is_used;

__attribute__((constructor)) static void begin(void) {
    map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void T1(void) {
    map[100] = 1;
#ifndef RACY
    set(&is_used, 1);
#endif
}

static void T2(void) {
#ifndef RACY
    if (!get(&is_used))
        return;
#endif
    munmap(map, SIZE);
}
