/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of what a recorded directory holds, where the runtime writes it and where the tools read it. (The trace
 * and its chunks have XXH3: trace/store/chunk.h.)
 *
 * It is a hash of a sequence of bytes, as words of eight, the last one filled up with zeros, then their number. Each
 * step is reversible: two sequences of one length that differ in one word only never have the same sum. It protects
 * against damage, not against somebody who means it.
 *
 * Whoever has all the bytes in one place asks rcp_sum(); whoever writes them in pieces keeps a struct rcp_sum, which
 * begins as RCP_SUM_BEGIN; whoever writes them into mapped memory takes whole words as they become whole.
 */
#ifndef RECIPE_ABI_SUM_H
#define RECIPE_ABI_SUM_H

#include <stdint.h>
#include <string.h>

#define RCP_SUM_SEED UINT64_C(0x2545f4914f6cdd1d)

static inline uint64_t rcp_sum_step(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

/* `n` bytes, a multiple of 8. */
static inline uint64_t rcp_sum_words(uint64_t sum, const uint8_t *at, uint64_t n) {
    for (const uint8_t *end = at + n; at < end; at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        sum = rcp_sum_step(sum, word);
    }
    return sum;
}

/* The sum of `length` bytes, of whose whole words `sum` is; the others are the low bytes of `rest`. */
static inline uint64_t rcp_sum_last(uint64_t sum, uint64_t rest, uint64_t length) {
    sum = rcp_sum_step(rcp_sum_step(sum, rest), length);
    sum *= UINT64_C(0xff51afd7ed558ccd);
    return sum ^ sum >> 29;
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
            s->sum = rcp_sum_step(s->sum, s->rest);
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
