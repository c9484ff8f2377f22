/* SPDX-License-Identifier: Apache-2.0 */
/* The list beside its naive model: an array by thread, and a flag for those that were put since the last covering. */
#include "order/engine/touches.h"

#include "base/limits.h"
#include "suite.h"

enum { THREADS = 100 };

typedef struct model {
    uint32_t count[THREADS][2];
    bool fresh[THREADS][2];
} model;

static void agree(const rcp_touches *touches, const model *want) {
    uint32_t n = 0, fresh = 0;
    for (uint32_t t = 0; t < THREADS; t++)
        for (int atomic = 0; atomic < 2; atomic++) {
            n += want->count[t][atomic] > 0;
            fresh += want->fresh[t][atomic];
        }
    ck_assert_uint_eq(touches->n, n);
    ck_assert_uint_eq(touches->fresh, fresh);
    uint32_t wrong = 0; /* one assertion for all: they are slow */
    for (uint32_t i = 0; i < touches->n; i++) {
        const rcp_touch *touch = &touches->at[i];
        wrong += touch->count != want->count[touch->tid][touch->atomic] || touch->loc != touch->count + 1 ||
                 (i < touches->fresh) != want->fresh[touch->tid][touch->atomic];
    }
    ck_assert_uint_eq(wrong, 0);
}

static void run(rcp_touches *touches, model *want, uint32_t threads, uint32_t *state, int rounds) {
    for (int i = 1; i <= rounds; i++) {
        *state = *state * 1664525 + 1013904223;
        uint32_t tid = (*state >> 8) % threads, atomic = *state >> 30 & 1;
        if ((*state >> 12) % 16 == 0) {
            touches->fresh = 0;
            for (uint32_t t = 0; t < THREADS; t++)
                want->fresh[t][0] = want->fresh[t][1] = false;
        }
        uint32_t count = want->count[tid][atomic] + 1 + (*state >> 4) % 3;
        rcp_touches_put(touches, (rcp_touch){tid, count, count + 1, RCP_READ, (uint8_t)atomic});
        want->count[tid][atomic] = count;
        want->fresh[tid][atomic] = true;
        agree(touches, want);
    }
}

START_TEST(few_threads) {
    rcp_touches touches = {0};
    model want = {0};
    uint32_t state = 1;
    run(&touches, &want, 4, &state, 500);
    rcp_touches_finish(&touches);
}
END_TEST

START_TEST(many_threads_and_reuse) {
    rcp_touches touches = {0}, copy = {0};
    uint32_t state = 2;
    for (int again = 0; again < 5; again++) {
        model want = {0};
        run(&touches, &want, again % 2 ? 6 : THREADS, &state, 1500);
        rcp_touches_copy(&copy, &touches);
        agree(&copy, &want);
        run(&copy, &want, THREADS, &state, 300); /* it can be added to, and the other does not notice */
        rcp_touches_clear(&touches);
        ck_assert_uint_eq(touches.n, 0);
    }
    rcp_touches_finish(&touches);
    rcp_touches_finish(&copy);
}
END_TEST

/* By place: of each thread and place the last; of a full list the thread's oldest place goes. */
START_TEST(places) {
    rcp_touches touches = {.by_place = 1}, copy = {0};
    const uint32_t most = (uint32_t)rcp_limit(RCP_LIMIT_ORDER_PLACES);
    for (uint32_t i = 0; i < 2 * most; i++)
        for (uint32_t again = 1; again < 3; again++)
            rcp_touches_put(&touches, (rcp_touch){1, 2 * i + again, i, RCP_READ, 0});
    ck_assert_uint_eq(touches.n, most);
    ck_assert_uint_eq(touches.fresh, most);
    rcp_limit_counts reached; /* what went is counted: the report says so */
    rcp_limits_sum(&reached);
    ck_assert_uint_eq(reached.at[RCP_LIMIT_ORDER_PLACES], most);
    rcp_touches_put(&touches, (rcp_touch){2, 1, 0, RCP_READ, 0}); /* another thread's last one is kept all the same */
    rcp_touches_copy(&copy, &touches);
    ck_assert_uint_eq(copy.n, most + 1);
    ck_assert(copy.by_place);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < copy.n; i++)
        wrong += copy.at[i].tid == 1 && (copy.at[i].loc < most || copy.at[i].count != 2 * copy.at[i].loc + 2);
    ck_assert_uint_eq(wrong, 0);
    touches.fresh = 0; /* a place that is there already is found, wherever it stands */
    rcp_touches_put(&touches, (rcp_touch){1, 4 * most + 1, most, RCP_READ, 0});
    ck_assert_uint_eq(touches.n, most + 1);
    ck_assert_uint_eq(touches.fresh, 1);
    ck_assert_uint_eq(touches.at[0].loc, most);
    rcp_touches_finish(&touches);
    rcp_touches_finish(&copy);
}
END_TEST

int main(void) { return rcp_suite_run("touches", few_threads, many_threads_and_reuse, places, NULL); }
