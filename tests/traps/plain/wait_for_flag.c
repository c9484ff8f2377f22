// SPDX-License-Identifier: Apache-2.0
// Functions of code that is not recorded, which the C library is given to call: each waits until `flag` is set.
#include <printf.h>
#include <sched.h>
#include <stdio.h>

extern int flag;

static void wait_for_flag(void) {
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        sched_yield();
}

int plain_compare(const void *a, const void *b);
int plain_compare(const void *a, const void *b) {
    wait_for_flag();
    return *(const int *)a - *(const int *)b;
}

int plain_print(FILE *stream, const struct printf_info *info, const void *const *arguments);
int plain_print(FILE *stream, const struct printf_info *info, const void *const *arguments) {
    (void)info;
    wait_for_flag();
    return fprintf(stream, "<%d>", **(const int *const *)arguments);
}

int plain_sizes(const struct printf_info *info, size_t n, int *kinds, int *sizes);
int plain_sizes(const struct printf_info *info, size_t n, int *kinds, int *sizes) {
    (void)info;
    if (n)
        kinds[0] = PA_INT, sizes[0] = sizeof(int);
    return 1;
}

void plain_once(void);
void plain_once(void) { wait_for_flag(); }
