/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of many shapes, most of which have a plain copy (src/instrument/regions.h), with bounds, steps and overlaps for
 * which it may or may not be taken. Two threads do the same to memory of their own. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROOM   4096
#define SHAPES 44
#define APART  __attribute__((noinline)) static

uint64_t sums[2][SHAPES];
static uint8_t wide[65536];

struct pair {
    int32_t a;
    int16_t b, c;
    double d;
};

typedef struct space {
    uint8_t bytes[ROOM], other[ROOM], third[ROOM];
    int32_t ints[ROOM];
    int16_t shorts[ROOM];
    float floats[ROOM];
    double doubles[ROOM];
    struct pair pairs[ROOM / 4];
} space;

APART uint64_t sum_bytes(const uint8_t *p, int n) {
    uint64_t s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
APART uint64_t sum_sizes(const int32_t *p, size_t n) {
    uint64_t s = 0;
    for (size_t i = 0; i < n; i++)
        s = s * 3 + (uint64_t)p[i];
    return s;
}
APART uint64_t sum_up_to(const int32_t *p, int n) {
    uint64_t s = 0;
    for (int i = 0; i <= n; i++)
        s += (uint64_t)p[i];
    return s;
}
APART uint64_t sum_down(const int16_t *p, int n) {
    uint64_t s = 0;
    for (int i = n - 1; i >= 0; i--)
        s = s * 5 + (uint16_t)p[i];
    return s;
}
APART uint64_t sum_down_unsigned(const int16_t *p, unsigned n) {
    uint64_t s = 0;
    for (unsigned i = n; i-- > 0;)
        s = s * 5 + (uint16_t)p[i];
    return s;
}
APART uint64_t sum_every_third(const uint8_t *p, int n) {
    uint64_t s = 0;
    for (int i = 1; i < n; i += 3)
        s += p[i] * (unsigned)i;
    return s;
}
APART uint64_t sum_every_fourth(const uint8_t *p, unsigned n) {
    uint64_t s = 0;
    for (unsigned i = 0; i != (n & ~3u); i += 4)
        s += p[i] + (p[i + 1] << 3) + (p[i + 3] << 5);
    return s;
}
APART uint64_t sum_pointers(const int32_t *p, const int32_t *end) {
    uint64_t s = 0;
    for (; p < end; p++)
        s += (uint64_t)*p;
    return s;
}
APART uint64_t sum_iterators(const double *p, const double *end) {
    double s = 0;
    for (; p != end; ++p)
        s += *p;
    return (uint64_t)(int64_t)s;
}
/* The counter wraps around: 250 … 255, 0 … */
APART uint64_t sum_wrapping(const uint8_t *p, uint8_t from, uint8_t to) {
    uint64_t s = 0;
    for (uint8_t i = from; i != to; i++)
        s = s * 7 + p[i];
    return s;
}
/* What is added to the counter makes it wrap around. */
APART uint64_t sum_shifted(const uint8_t *p, unsigned by, int n) {
    uint64_t s = 0;
    for (unsigned i = 0; i < (unsigned)n; i++)
        s += p[(uint8_t)(i + by)];
    return s;
}
APART uint64_t sum_far(const uint8_t *p, unsigned by, int n) {
    uint64_t s = 0;
    for (uint16_t i = 0; i < n; i++)
        s = s * 3 + p[(uint16_t)(i + by)];
    return s;
}
APART void fill(int32_t *p, int n, int32_t v) {
    for (int i = 0; i < n; i++)
        p[i] = v + i;
}
APART void add_one(uint8_t *p, int n) {
    for (int i = 0; i < n; i++)
        p[i]++;
}
APART void copy(uint8_t *to, const uint8_t *from, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}
APART void propagate(int32_t *p, int n) {
    for (int i = 0; i + 1 < n; i++)
        p[i + 1] = (int32_t)((uint32_t)p[i] * 3 + 1);
}
APART void smooth(int16_t *p, int n) {
    for (int i = 1; i < n - 1; i++)
        p[i] = (int16_t)((p[i - 1] + 2 * p[i] + p[i + 1]) >> 2);
}
static uint8_t clip(int x) { return (uint8_t)(x & ~255 ? (-x) >> 31 & 255 : x); }
APART void filter(uint8_t *to, int16_t *kept, const uint8_t *from, intptr_t stride, int width) {
    for (int x = -2; x < width + 3; x++) {
        int v = from[x - 2 * stride] - 5 * from[x - stride] + 20 * from[x] + 20 * from[x + stride];
        kept[x + 2] = (int16_t)v;
        to[x] = clip((v + 16) >> 5);
    }
}
APART unsigned difference(const uint8_t *a, intptr_t sa, const uint8_t *b, intptr_t sb, int rows) {
    unsigned s = 0;
    for (int y = 0; y < rows; y++, a += sa, b += sb)
        for (int x = 0; x < 16; x++)
            s += (unsigned)(a[x] < b[x] ? b[x] - a[x] : a[x] - b[x]);
    return s;
}
APART unsigned columns(const uint8_t *p, intptr_t stride, int n) {
    unsigned s = 0, t[4][2];
    for (int i = 0; i < 4; i++, p += stride) {
        t[i][0] = p[0] + p[1] + p[2] + p[3];
        t[i][1] = (unsigned)(p[4] - p[5] + p[6] - p[7]);
    }
    for (int i = 0; i < 2; i++)
        s += t[0][i] * 3 + t[1][i] * 5 + t[2][i] * 7 + t[3][i];
    for (int i = 0; i < n; i++, p -= stride)
        s = s * 3 + p[0] + p[2];
    return s;
}
APART uint64_t fields(struct pair *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        p[i].d = p[i].a * 0.5 + p[i].c;
        p[i].b = (int16_t)(p[i].a ^ p[i].c);
        s += p[i].d;
    }
    return (uint64_t)(int64_t)s;
}
APART float dot(const float *a, const float *b, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[n - 1 - i];
    return s;
}
APART void scale(double *to, const float *from, int n, double by) {
    for (int i = 0; i < n; i++)
        to[i] = from[i] * by + i;
}
/* One address for all iterations, read and written. */
APART void count_into(int32_t *to, const uint8_t *p, int n) {
    for (int i = 0; i < n; i++)
        *to = (int32_t)((uint32_t)*to * 3 + p[i]);
}
/* Both arms have the same events; where only one has them there is no copy. */
APART int quantise(int16_t *p, const uint8_t *by, const uint8_t *bias, int n) {
    int any = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] > 0)
            p[i] = (int16_t)((bias[i] + p[i]) * by[i] >> 8);
        else
            p[i] = (int16_t)-((bias[i] - p[i]) * by[i] >> 8);
        any |= p[i];
    }
    return any;
}
APART unsigned sometimes(const uint8_t *p, const uint8_t *q, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        if (p[i] & 1)
            s += q[i];
        else
            s ^= p[i];
    return s;
}
APART int first_of(const uint8_t *p, int n, uint8_t what) {
    for (int i = 0; i < n; i++)
        if (p[i] == what)
            return i;
    return -1;
}

static void work(space *m, uint64_t *s, int n) {
    int k = 0;
    s[k++] += sum_bytes(m->bytes, n);
    s[k++] += sum_bytes(m->bytes + 3, -n);
    s[k++] += sum_sizes(m->ints, (size_t)n);
    s[k++] += sum_up_to(m->ints, n - 1);
    s[k++] += sum_down(m->shorts, n);
    s[k++] += sum_down_unsigned(m->shorts, (unsigned)n);
    s[k++] += sum_every_third(m->bytes, n);
    s[k++] += sum_every_fourth(m->bytes, (unsigned)n);
    s[k++] += sum_pointers(m->ints + 2, m->ints + 2 + n);
    s[k++] += sum_iterators(m->doubles, m->doubles + n);
    s[k++] += sum_wrapping(m->bytes, (uint8_t)(250 - n), (uint8_t)(n / 2));
    s[k++] += sum_shifted(m->bytes, (unsigned)(250 - n), n);
    s[k++] += sum_far(wide, 65530u - (unsigned)n / 2, n);
    s[k++] += sum_far(wide, 1000u - (unsigned)n, n);
    fill(m->ints, n, (int32_t)s[0]);
    s[k++] += (uint64_t)m->ints[n / 2];
    add_one(m->bytes, n);
    copy(m->other, m->bytes, n);
    copy(m->third + 1, m->third, n); /* overlaps: the first byte goes everywhere */
    copy(m->third + 40, m->third + 49, n);
    copy(m->third + 80, m->third + 80, n);
    s[k++] += sum_bytes(m->third, 4 * n + 90);
    propagate(m->ints + 5, n);
    s[k++] += (uint64_t)m->ints[n + 3];
    smooth(m->shorts, n);
    s[k++] += (uint64_t)m->shorts[n / 3];
    for (int stride = -40; stride <= 40; stride += 40) {
        filter(m->other + 1000, m->shorts + 1000, m->bytes + 1000, stride, n);
        s[k++] += sum_bytes(m->other + 998, n + 5);
        s[k++] += difference(m->bytes + 1000, stride, m->other + 1000, -stride, n % 20);
        s[k++] += columns(m->other + 1000, stride, n % 16);
    }
    s[k++] += fields(m->pairs, n);
    s[k++] += (uint64_t)(int64_t)dot(m->floats, m->floats, n);
    scale(m->doubles, m->floats, n, 0.25);
    s[k++] += (uint64_t)(int64_t)m->doubles[n / 2];
    count_into(&m->ints[7], m->bytes, n);
    count_into((int32_t *)(m->bytes + 12), m->bytes, n); /* within what it reads */
    s[k++] += (uint64_t)m->ints[7];
    s[k++] += (uint64_t)first_of(m->bytes, n, 77);
    s[k++] += (uint64_t)quantise(m->shorts + 100, m->bytes, m->other, n);
    s[k++] += (uint64_t)m->shorts[100 + n / 2];
    s[k++] += sometimes(m->bytes, m->other, n);
    memcpy(m->third, m->bytes, ROOM);
    s[k++] += m->third[n];
}

static space spaces[2];

static void *thread(void *argument) {
    int which = (int)(intptr_t)argument;
    space *m = &spaces[which];
    for (int i = 0; i < ROOM; i++) {
        m->bytes[i] = (uint8_t)(i * 7 + which);
        m->ints[i] = i * 1003 - which;
        m->shorts[i] = (int16_t)(i * 33);
        m->floats[i] = (float)i * 0.125f;
        m->doubles[i] = i * 0.5;
        if (i < ROOM / 4)
            m->pairs[i] = (struct pair){.a = i * 17, .c = (int16_t)(i - which)};
    }
    for (int n = 0; n < 70; n++)
        work(m, sums[which], n);
    work(m, sums[which], 700);
    return NULL;
}

int main(void) {
    pthread_t other;
    for (int i = 0; i < 65536; i++)
        wide[i] = (uint8_t)(i >> 3 ^ i);
    pthread_create(&other, NULL, thread, (void *)1);
    thread(NULL);
    pthread_join(other, NULL);
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < SHAPES; k++)
            printf("%016llx\n", (unsigned long long)sums[which][k]);
    return 0;
}
