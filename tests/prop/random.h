/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers that depend on their seed alone (splitmix64), so that a failing test is run again by its seed on every
 * machine.
 */
#ifndef RECIPE_PROP_RANDOM_H
#define RECIPE_PROP_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_random {
    uint64_t state;
} rcp_random;

static inline uint64_t rcp_random_next(rcp_random *random) {
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Below n; n is small, so the bias of the remainder does not matter. */
static inline uint32_t rcp_random_below(rcp_random *random, uint32_t n) {
    return n ? (uint32_t)((rcp_random_next(random) >> 16) % n) : 0;
}

static inline bool rcp_random_percent(rcp_random *random, uint32_t percent) {
    return rcp_random_below(random, 100) < percent;
}

#endif
