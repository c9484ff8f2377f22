/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes for tables in memory. What goes to disk is checksummed with XXH3 (trace/store/chunk.c) instead. */
#ifndef RECIPE_BASE_HASH_H
#define RECIPE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* A strong mix of one word (the finaliser of MurmurHash3). */
static inline uint64_t rcp_hash_u64(uint64_t x) {
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

static inline uint64_t rcp_hash_join(uint64_t a, uint64_t b) {
    return rcp_hash_u64(a * UINT64_C(0x9e3779b97f4a7c15) + b + 1);
}

static inline uint64_t rcp_hash_bytes(const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return rcp_hash_u64(h);
}

#endif
