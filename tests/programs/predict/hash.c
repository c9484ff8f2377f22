/* SPDX-License-Identifier: Apache-2.0 */
/* A hash decides. */
static unsigned hashed(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}
typedef unsigned decider;
#ifdef TWIN
#define FIRST 77u
#else
#define FIRST 78u
#endif
#define SECOND        5u
#define DECIDES(seen) (hashed(seen) % 3 == hashed(5u) % 3)
#include "decides.h"
