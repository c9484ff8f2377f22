/* SPDX-License-Identifier: Apache-2.0 */
/* What a program computes must not depend on what the optimiser may assume: overflow, shifts, conversions,
 * uninitialised variables; and values of every kind of type that go through memory. Each line is one case. */
#include <alloca.h>
#include <complex.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))
typedef int int4 __attribute__((vector_size(16)));
typedef float float8 __attribute__((vector_size(32)));
typedef char char3 __attribute__((ext_vector_type(3)));

/* undefined in the language, defined by the machine */

APART static int overflows(int a, int b) {
    int sum = a + b;
    return a > 0 && b > 0 && sum < 0 ? -1 : sum;
}
APART static int shifted(int a, int by) { return a << by; }
APART static int uninitialised(int which) {
    int x;
    if (which > 100)
        x = 5;
    return which > 50 ? x + which : which;
}
APART static int to_int(double d) { return (int)d; }
APART static unsigned long to_unsigned(float f) { return (unsigned long)f; }
APART static int wraps_round(int n) {
    int times = 0;
    for (int i = INT_MAX - n; i > 0 && times < 100; i++)
        times++;
    return times;
}

/* types */

APART static int4 vector(const int4 *p, int i) {
    int4 a = p[0] + p[1] * 3;
    a[i & 3] = 9;
    return (a > 4) & a;
}
APART static float wide_vector(float8 *p) {
    *p = *p * *p + 1.0f;
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += (*p)[i];
    return sum;
}
APART static char3 odd_vector(char3 *p) { return *p = *p + 1; }
APART static __int128 wide(__int128 *p, long by) {
    *p = *p * by + 1;
    return *p / 7;
}
APART static long double long_double(long double *p) { return *p = *p * 1.25L + 3; }
APART static double complex complex_number(double complex *p) { return *p = *p * (1 + 2 * I); }
APART static bool boolean(bool *p) { return *p = !*p; }

struct bits {
    unsigned a : 3, b : 7;
    int c : 12;
    unsigned long d : 40;
};
APART static int bit_fields(struct bits *p) {
    p->a += 5, p->b ^= 77, p->c -= 900, p->d *= 12345;
    return (int)(p->a + p->b + (unsigned)p->c + (unsigned)p->d);
}

struct large {
    long a[6];
};
APART static struct large returned(int x) { return (struct large){{x, x * 2, x * 3, x * 4, x * 5, x * 6}}; }
APART static long passed(int x, struct large s, long y) {
    s.a[2] += y;
    return s.a[0] + s.a[2] + s.a[5] + x;
}
struct point {
    double x, y;
};
APART static struct point in_registers(struct point a, struct point b) { return (struct point){a.x + b.y, a.y * b.x}; }

static _Alignas(16) _Atomic __int128 shared_wide;
static _Atomic short shared_short;
static _Atomic double shared_double;
static _Atomic bool shared_bool;
APART static int atomics(void) {
    shared_wide += 5;
    __int128 expected = 5;
    bool done = atomic_compare_exchange_strong(&shared_wide, &expected, ((__int128)9 << 64) + 7);
    shared_short -= 3, shared_double += 2.5, shared_bool ^= 1;
    return done + (int)(shared_wide >> 64) + shared_short + (int)(shared_double * 2) + shared_bool;
}

/* the stack */

APART static int on_the_stack(int n) {
    int total = 0;
    for (int i = 1; i < n; i++) {
        char of_this_length[i * 3];
        memset(of_this_length, i, sizeof of_this_length);
        char *more = alloca((size_t)i);
        more[0] = (char)i;
        _Alignas(64) char aligned[i];
        aligned[0] = (char)((unsigned long)aligned & 15);
        total += of_this_length[i] + more[0] + aligned[0];
    }
    return total;
}
APART static double variadic(int n, ...) {
    va_list all, copy;
    va_start(all, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += i & 1 ? va_arg(all, double) : va_arg(all, int);
    va_copy(copy, all);
    sum += (double)va_arg(copy, long double);
    va_end(copy);
    va_end(all);
    return sum;
}
static int compare(const void *a, const void *b) {
    double d = *(const double *)a - *(const double *)b;
    return d < 0 ? -1 : d > 0;
}

/* control flow */

APART static int threaded(const char *code) {
    static const void *const ops[] = {&&increment, &&decrement, &&twice, &&end};
    int a = 1;
    goto *ops[*code - '0'];
increment:
    a++;
    goto *ops[*++code - '0'];
decrement:
    a--;
    goto *ops[*++code - '0'];
twice:
    a *= 2;
    goto *ops[*++code - '0'];
end:
    return a;
}
APART static int switched(unsigned long x) {
    switch (x) {
    case 1UL << 40: return 1;
    case 0 ... 5: return 2;
    case ULONG_MAX: return 3;
    default: return 4;
    }
}

int main(int argc, char **argv) {
    (void)argv;
    printf("%d %d %d\n", overflows(INT_MAX, argc), shifted(3, 33 * argc), uninitialised(200 * argc));
#ifdef __aarch64__ /* it saturates, and so do we everywhere; x86_64 has a value of its own for what does not fit */
    printf("%d %d %lu\n", to_int(1e300 * argc), to_int(0.0 / (argc - 1)), to_unsigned(-5.0f * argc));
#endif
    printf("%d %d %lu %d\n", to_int(-7.9 * argc), to_int(0.5), to_unsigned(3e9f * argc), wraps_round(argc));
    int4 vectors[] = {{1, -2, 3, 4}, {5, 6, -7, 8}}, v = vector(vectors, argc);
    float8 f = {1, 2, 3, 4, 5, 6, 7, 8};
    char3 c = {1, 2, 3};
    printf("%d %d %d %d %g %d\n", v[0], v[1], v[2], v[3], wide_vector(&f), odd_vector(&c)[2]);
    __int128 i = (__int128)1 << 90, q = wide(&i, -3L * argc);
    long double l = argc;
    double complex z = 1 + argc * I;
    bool b = argc;
    printf("%lx %lx %Lg %g %g %d\n", (long)(q >> 64), (long)q, long_double(&l), creal(complex_number(&z)), cimag(z),
           boolean(&b));
    struct bits bits = {1, 2, 3, 4};
    struct large large = returned(argc);
    struct point p = in_registers((struct point){1, 2}, (struct point){3, argc});
    printf("%d %ld %ld %g %g %d\n", bit_fields(&bits), passed(1, large, 10), large.a[2], p.x, p.y, atomics());
    double sorted[] = {3, 1, 2, 5, 4};
    qsort(sorted, 5, sizeof *sorted, compare);
    printf("%d %g %g %g\n", on_the_stack(20), variadic(4, 1, 2.5, 3, 4.5, 10.0L), sorted[0], sorted[4]);
    printf("%d %d %d %d\n", threaded("0020123"), switched(1UL << 40), switched(0UL - (unsigned long)argc), switched(3));
    return 0;
}
