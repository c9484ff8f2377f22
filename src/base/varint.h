/* SPDX-License-Identifier: Apache-2.0 */
/* LEB128 and zigzag: how every number goes to disk.
 *
 * A writer has RCP_VARINT_MAX bytes of room before each put. A reader never passes `end`: a varint that is cut off or
 * longer than 64 bits makes rcp_varint_get() return NULL.
 */
#ifndef RECIPE_BASE_VARINT_H
#define RECIPE_BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>

#define RCP_VARINT_MAX 10

static inline uint8_t *rcp_varint_put(uint8_t *at, uint64_t x) {
    while (x >= 0x80) {
        *at++ = (uint8_t)(x | 0x80);
        x >>= 7;
    }
    *at++ = (uint8_t)x;
    return at;
}

static inline const uint8_t *rcp_varint_get(const uint8_t *at, const uint8_t *end, uint64_t *x) {
    if (at < end && *at < 0x80) { /* nearly every number is small */
        *x = *at;
        return at + 1;
    }
    uint64_t sum = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        uint8_t byte = *at++;
        if (shift == 63 && byte > 1)
            return NULL;
        sum |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *x = sum;
            return at;
        }
    }
    return NULL;
}

static inline uint64_t rcp_zigzag(int64_t x) { return ((uint64_t)x << 1) ^ (uint64_t)(x >> 63); }
static inline int64_t rcp_unzigzag(uint64_t x) { return (int64_t)(x >> 1) ^ -(int64_t)(x & 1); }

#endif
