/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 9: a read takes its bytes from several writes. T1 writes the low byte, then v, then the high byte; T2 reads
 * v where both are there. Bit fields of one word likewise. */
#include "trap.h"

#include <stdint.h>

#define WHOLE (0x0101 ONLY_RACY(&0xff))

static union {
    uint8_t byte[2];
    uint16_t both;
} flag;
static struct {
    unsigned low : 3, high : 5;
} bits;
static int w;

static void T1(void) {
    pthread_mutex_lock(&m);
    flag.byte[0] = 1;
    bits.low = 5;
    pthread_mutex_unlock(&m);
    v = 1;
    w = 1;
    pthread_mutex_lock(&m);
    flag.byte[1] = 1;
    bits.high = 9;
    pthread_mutex_unlock(&m);
}

static void T2(void) {
    pthread_mutex_lock(&m);
    uint16_t seen = flag.both;
    unsigned high = bits.high;
    pthread_mutex_unlock(&m);
    if ((seen & WHOLE) == WHOLE)
        printed = v;
    if (high == 9)
        printed += w;
}
