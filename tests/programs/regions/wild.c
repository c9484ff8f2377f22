/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses where no memory can be, one by argument: what the kernel says of them may be another address, or none. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cell;
static volatile uint64_t beyond = UINT64_C(1) << 48;
uint64_t total;

__attribute__((noinline)) static uint64_t sum(const uint8_t *p, size_t n) {
    uint64_t s = 0;
    for (size_t i = 0; i < n; i++)
        s += p[i];
    return s;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    char *wild = (char *)&cell + beyond, buffer[64] = {0};
    size_t n = strlen(what) * 9;
    cell = 1;
    if (!strcmp(what, "load"))
        total = *(int *)wild;
    else if (!strcmp(what, "store"))
        *(int *)wild = 2;
    else if (!strcmp(what, "rmw"))
        atomic_fetch_add((atomic_int *)wild, 1);
    else if (!strcmp(what, "from"))
        memcpy(buffer, wild, n);
    else if (!strcmp(what, "to"))
        memcpy(wild, buffer, n);
    else if (!strcmp(what, "fill"))
        memset(wild, 1, n);
    else if (!strcmp(what, "loop"))
        total = sum((uint8_t *)wild, n);
    printf("%llu %d\n", (unsigned long long)total, buffer[3]);
    return 0;
}
