/* SPDX-License-Identifier: Apache-2.0 */
/* The C library's memory functions by pointer, and as _FORTIFY_SOURCE has them; comparisons of a few bytes. */
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 2
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096 };

static void *(*const copies[])(void *, const void *, size_t) = {memcpy, memmove, mempcpy};
static void *(*volatile fill)(void *, int, size_t) = memset;

int main(int argc, char **argv) {
    (void)argv;
    size_t n = (size_t)argc;
    char *a = malloc(SIZE), *b = malloc(SIZE), *end = NULL;
    fill(a, argc, SIZE);
    memset(b, argc + 1, n * SIZE);
    for (int i = 0; i < 200; i++) {
        end = copies[i % 3](b + i, a, n * 1000);
        memcpy(a, b + n, n * 500);
        memmove(a + n, a, n * 700);
        a[i] ^= (char)i;
        char *e = mempcpy(b, a, n * 300);
        *e = 'x';
    }
    unsigned sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum = sum * 31 + (unsigned char)a[i] + 7 * (unsigned char)b[i];
    static const char words[] = "abcdefghabcdefgiabcdefghabcdefgh0123456789";
    int order = 0;
    for (size_t i = 0; i < sizeof words - 32; i++) {
        const char *x = words + i, *y = words + (i * 7) % 16;
        order = order * 5 + (memcmp(x, y, 4) > 0) - (memcmp(x, y, 8) < 0) + (memcmp(x, y, 1) <= 0) * 2;
        order = order * 3 + !memcmp(x, y, 3) + (memcmp(x, y, 16) != 0) + !memcmp(x, y, n * 5) + (memcmp(x, y, 2) == 0);
    }
    sum += (unsigned)order;
    printf("%u %d %d\n", sum, copies[0] == memcpy, (int)(end - b));
    return 0;
}
