/* SPDX-License-Identifier: Apache-2.0 */
/* A count of references: who gives back the last one frees. */
// clean: -DDOWN=acq_rel
// clean: -DDOWN=release -DLAST=acquire
// clean: -DDOWN=seq_cst
// racy: 3 -DDOWN=release
// racy: 3 -DDOWN=relaxed -DLAST=acquire
// racy: 3 -DDOWN=acquire
// unshown: nothing is read that was written elsewhere
#include "litmus.h"

typedef struct counted {
    atomic_int references;
    int value[2];
} counted;

static counted *it;

__attribute__((constructor)) static void make(void) {
    it = calloc(1, sizeof *it);
    atomic_init(&it->references, 3);
}

static void give_back(void) {
    if (atomic_fetch_sub_explicit(&it->references, 1, ORDER(DOWN)) != 1)
        return;
#ifdef LAST
    FENCE(LAST);
#endif
    free(it);
}

static void T1(void) {
    it->value[0] = 1;
    give_back();
}

static void T2(void) {
    it->value[1] = 2;
    give_back();
}

static void T3(void) { give_back(); }
