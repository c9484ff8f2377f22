/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/objects.c on its own: the runtime is an archive for other programs, so it is compiled in here. */
#include "runtime/objects.c"
#include "runtime/own.c"

#include "base/hash.h"

#include "suite.h"

#include <stdio.h>

enum { PLACES = 4096, STRIDE = 40 };
#define BASE UINT64_C(0xffff00000ff0)

static uint8_t destroyed[PLACES]; /* by the log, in this step */
static size_t wrong;
static enum rcp_sync_op expected = RCP_SYNC_DESTROY;

void rcp_log_sync(enum rcp_sync_op op, uint64_t object, enum rcp_sync_object kind, enum rcp_sync_outcome outcome) {
    uint64_t place = (object - BASE) / STRIDE;
    wrong += op != expected || outcome != RCP_SYNC_DONE || place >= PLACES || (object - BASE) % STRIDE;
    wrong += kind != (enum rcp_sync_object)(place % RCP_SYNC_THREAD);
    destroyed[place]++;
    /* As logging.c does: the object may have to be named in full, and then it is gone. */
    rcp_objects_saw(object, kind);
    rcp_objects_gone(object);
}

_Noreturn void rcp_refuse(const char *why, const char *what) {
    fprintf(stderr, "%s: %s\n", why, what);
    abort();
}

static uint64_t address_of(uint64_t place) { return BASE + place * STRIDE; }

static bool is_even(uint64_t address, enum rcp_sync_object kind) {
    wrong += kind != (enum rcp_sync_object)((address - BASE) / STRIDE % RCP_SYNC_THREAD);
    return (address - BASE) / STRIDE % 2 == 0;
}

/* The naive model: a flag per place. */
START_TEST(same_as_flags) {
    static uint8_t alive_here[PLACES];
    uint64_t seed = 1;
    for (int step = 0; step < 20000; step++) {
        seed = rcp_hash_u64(seed + 1);
        uint64_t place = seed % PLACES, n = (seed >> 20) % (seed >> 60 == 0 ? PLACES : 8);
        switch (seed >> 40 & 7) {
        case 0:
            rcp_objects_gone(address_of(place));
            alive_here[place] = 0;
            break;
        case 1: {
            if (place + n > PLACES)
                n = PLACES - place;
            memset(destroyed, 0, sizeof destroyed);
            rcp_objects_end(address_of(place), n * STRIDE);
            for (uint64_t i = 0; i < PLACES; i++) {
                bool within = i >= place && i < place + n;
                wrong += destroyed[i] != (within && alive_here[i]);
                if (within)
                    alive_here[i] = 0;
            }
            break;
        }
        case 2: {
            if (place + n > PLACES)
                n = PLACES - place;
            memset(destroyed, 0, sizeof destroyed);
            expected = RCP_SYNC_DIVIDE;
            rcp_objects_divide(address_of(place), n * STRIDE, is_even);
            expected = RCP_SYNC_DESTROY;
            for (uint64_t i = 0; i < PLACES; i++) {
                bool is_meant = i >= place && i < place + n && i % 2 == 0;
                wrong += destroyed[i] != (is_meant && alive_here[i]);
                if (is_meant)
                    alive_here[i] = 0;
            }
            break;
        }
        default:
            rcp_objects_saw(address_of(place), (enum rcp_sync_object)(place % RCP_SYNC_THREAD));
            alive_here[place] = 1;
        }
    }
    ck_assert_uint_eq(wrong, 0);
    memset(destroyed, 0, sizeof destroyed);
    rcp_objects_end(0, UINT64_C(1) << 48); /* more pages than the table has places */
    for (uint64_t i = 0; i < PLACES; i++)
        wrong += destroyed[i] != alive_here[i];
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(alive, 0);
}
END_TEST

START_TEST(threads_are_not_memory) {
    rcp_objects_saw(BASE, RCP_SYNC_THREAD);
    ck_assert_uint_eq(alive, 0);
    rcp_objects_end(BASE, 1); /* nothing was ever there */
    rcp_objects_gone(BASE);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void) { return rcp_suite_run("objects", same_as_flags, threads_are_not_memory, NULL); }
