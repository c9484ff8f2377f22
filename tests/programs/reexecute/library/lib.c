/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is linked: a constructor, thread-local and shared variables, callbacks into the program. */
#include <stdlib.h>
#include <string.h>
_Thread_local long mine;
long shared_counter;
static int table[16];
__attribute__((constructor)) static void start(void) {
    for (int i = 0; i < 16; i++)
        table[i] = i * i;
}
long twice(long x) {
    mine += x;
    return 2 * x + table[x & 15];
}
long call(long (*f)(long), long x) {
    __atomic_fetch_add(&shared_counter, 1, __ATOMIC_RELAXED); /* what is printed must not depend on the schedule */
    return f(x) + mine;
}
char *text(int n) {
    char *p = malloc(n + 1);
    memset(p, 'a' + n % 26, n);
    p[n] = 0;
    return p;
}
