/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of what a recorded directory holds, where the runtime writes it and where the tools read it. (The trace
 * and its chunks have XXH3: trace/store/chunk.h.)
 *
 * The bytes are words of eight, the last one filled up with zeros, and these the coefficients of a polynomial, modulo
 * 2^64, at an odd number; their number goes in last. Two sequences of one length that differ in one word only never
 * have the same sum. It protects against damage, not against somebody who means it.
 *
 * Whoever has all the bytes in one place asks rcp_sum(); whoever writes them in pieces keeps a struct rcp_sum, which
 * begins as RCP_SUM_BEGIN; whoever writes them into mapped memory takes whole words as they become whole.
 */
#ifndef RECIPE_ABI_SUM_H
#define RECIPE_ABI_SUM_H

#include <stdint.h>
#include <string.h>

#define RCP_SUM_SEED UINT64_C(0x2545f4914f6cdd1d)
#define RCP_SUM_BASE UINT64_C(0x9e3779b97f4a7c15)

/* `n` bytes, a multiple of 8. Four words at a time, which the machine can multiply beside each other. */
static inline uint64_t rcp_sum_words(uint64_t sum, const uint8_t *at, uint64_t n) {
    const uint64_t k = RCP_SUM_BASE, k2 = k * k, k3 = k2 * k, k4 = k3 * k;
    uint64_t w[4];
    for (; n >= sizeof w; at += sizeof w, n -= sizeof w) {
        memcpy(w, at, sizeof w);
        sum = sum * k4 + (w[0] * k3 + w[1] * k2 + w[2] * k + w[3]);
    }
    for (; n; at += sizeof *w, n -= sizeof *w) {
        memcpy(w, at, sizeof *w);
        sum = sum * k + w[0];
    }
    return sum;
}

/* The sum of `length` bytes, of whose whole words `sum` is; the others are the low bytes of `rest`. The upper bits say
 * the most. */
static inline uint64_t rcp_sum_last(uint64_t sum, uint64_t rest, uint64_t length) {
    return ((sum * RCP_SUM_BASE + rest) * RCP_SUM_BASE ^ length) * UINT64_C(0xff51afd7ed558ccd);
}

static inline uint64_t rcp_sum(const void *bytes, uint64_t n) {
    const uint8_t *at = bytes;
    uint64_t rest = 0, whole = n & ~UINT64_C(7);
    uint64_t sum = rcp_sum_words(RCP_SUM_SEED, at, whole);
    if (n > whole)
        memcpy(&rest, at + whole, n - whole);
    return rcp_sum_last(sum, rest, n);
}

struct rcp_sum {
    uint64_t sum, rest, length;
};
#define RCP_SUM_BEGIN {RCP_SUM_SEED, 0, 0}

static inline void rcp_sum_add(struct rcp_sum *s, const void *bytes, uint64_t n) {
    const uint8_t *at = bytes;
    for (; n && s->length % 8; n--) {
        s->rest |= (uint64_t)*at++ << s->length % 8 * 8;
        if (++s->length % 8 == 0) {
            s->sum = s->sum * RCP_SUM_BASE + s->rest;
            s->rest = 0;
        }
    }
    uint64_t whole = n & ~UINT64_C(7);
    s->sum = rcp_sum_words(s->sum, at, whole);
    if (n > whole)
        memcpy(&s->rest, at + whole, n - whole);
    s->length += n;
}

static inline uint64_t rcp_sum_end(const struct rcp_sum *s) { return rcp_sum_last(s->sum, s->rest, s->length); }

#endif
