/* SPDX-License-Identifier: Apache-2.0 */
/* Switches dense and sparse, computed gotos, function pointers, recursion, variable arrays, structures by value,
 * variable arguments, unions, volatile. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct small {
    int a;
    char b;
} small;
typedef struct pair {
    double x, y;
} pair;
typedef struct large {
    long v[9];
} large;

__attribute__((noinline)) static small make_small(int i) { return (small){i, (char)(i * 3)}; }
__attribute__((noinline)) static pair add(pair p, pair q) { return (pair){p.x + q.x, p.y * q.y}; }
__attribute__((noinline)) static large spread(large l, int by) {
    for (int i = 0; i < 9; i++)
        l.v[i] += by * i;
    return l;
}

__attribute__((noinline)) static long sum(int n, ...) {
    va_list list, other;
    va_start(list, n);
    va_copy(other, list);
    long s = 0;
    for (int i = 0; i < n; i++)
        switch (i % 3) {
        case 0: s += va_arg(list, int); break;
        case 1: s += (long)va_arg(list, double); break;
        default: s += va_arg(list, long);
        }
    s += va_arg(other, int);
    va_end(other);
    va_end(list);
    return s;
}

static int sparse(int x) {
    switch (x) {
    case -1000000: return 1;
    case 7: return 2;
    case 99: return 3;
    case 1 << 20: return 4;
    case 0x7fffffff: return 5;
    default: return 6;
    }
}

static long run(const unsigned char *code) {
    static const void *const labels[] = {&&increment, &&twice, &&negate, &&skip, &&end};
    long a = 1;
    goto *labels[*code++];
increment:
    a++;
    goto *labels[*code++];
twice:
    a *= 2;
    goto *labels[*code++];
negate:
    a = -a;
    goto *labels[*code++];
skip:
    code++;
    goto *labels[*code++];
end:
    return a;
}

static long fibonacci(long n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__attribute__((noinline)) static long variable(int n) {
    long v[n], s = 0;
    for (int i = 0; i < n; i++)
        v[i] = i * n;
    for (int round = 0; round < 3; round++) {
        char more[n + round];
        memset(more, round, sizeof more);
        s += more[n / 2];
    }
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

static long twice(long x) { return 2 * x; }
static long square(long x) { return x * x; }
static long (*const table[])(long) = {twice, square, labs};
static volatile int flag;
static union {
    float f;
    uint32_t u;
    char c[8];
} view;

int main(int argc, char **argv) {
    long h = argc + (argv[0] != NULL);
    for (int i = 0; i < 40; i++) {
        small s = make_small(i);
        pair p = add((pair){i, 2}, (pair){0.5, i});
        large l = spread((large){{i, 2, 3}}, i);
        large copy = l;
        h = h * 31 + s.a + s.b + (long)p.x + (long)p.y + l.v[8] + copy.v[1];
        h = h * 31 + sum(5, i, 2.5, 3L, 4, 5.5) + sparse(i) + sparse(-1000000 * (i & 1)) + variable(i + 1);
        h = h * 31 + table[i % 3](i - 20);
        flag = i;
        h += flag * flag;
        view.f = (float)i;
        h += view.u + view.c[2];
        h += run((const unsigned char[]){0, 1, 2, 3, 0, 1, 4});
    }
    h += fibonacci(15);
    char text[64], *end;
    snprintf(text, sizeof text, "%ld %s %d", h, "word", 17);
    h += (long)strlen(text) + strtol(text, &end, 10) + (end - text) + (strstr(text, "word") - text);
    int *heap = calloc(100, sizeof *heap);
    for (int i = 0; i < 100; i++)
        heap[i] += i;
    heap = realloc(heap, 1000 * sizeof *heap);
    memmove(heap + 3, heap, 90 * sizeof *heap);
    for (int i = 0; i < 100; i++)
        h = h * 3 + heap[i];
    free(heap);
    printf("%lx\n", (unsigned long)h);
    return 0;
}
