/* SPDX-License-Identifier: Apache-2.0 */
/* The races of an analysed recording, to be carried out on the program one by one: what 'replay' and 'run' share.
 *
 * What came of each is put into results.db at once; but where only one of the two accesses was let go first nothing was
 * shown that counts: the other one may have to wait for it. Owns its reader, results and summary.
 */
#ifndef RECIPE_ANALYSIS_REPLAYING_H
#define RECIPE_ANALYSIS_REPLAYING_H

#include "analysis/notices.h"
#include "replay/replay.h"
#include "results/results.h"

#include <signal.h>

typedef struct rcp_replaying {
    const char *directory;
    rcp_reader *reader;
    rcp_results *results;
    rcp_summary summary;
} rcp_replaying;

/* `replaying` is the caller's to close, also where this fails. */
rcp_code rcp_replaying_open(rcp_replaying *replaying, const char *directory) RCP_MUST_USE;
void rcp_replaying_close(rcp_replaying *replaying);

/* A race of c11 in a run that was thought out: the program is led along that run, through both accesses, and what it
 * did then is judged by the rules of the language (analysis/by_language.h). All others as replay/replay.h has it.
 * `race` is one of the summary's; `replay` the caller's to finish. */
rcp_code rcp_replaying_race(rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                            rcp_replay *replay) RCP_MUST_USE;

/* Of a race of c11, which a run of the program has shown: what is carried out is what the later access, a read, leads
 * to where it takes what was there before the earlier one; else what comes of it where the earlier one, a store, comes
 * after the later one (trace/check/older.h). The replay's status is CONFIRMED where that was done, and is kept then;
 * else NOT_REPLAYED or NOT_TRIED, and it tells why. */
rcp_code rcp_replaying_allowed(rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                               rcp_replay *replay) RCP_MUST_USE;

/* One way to show a pair of program points: several races may be the same pair, with other events or schedules. */
typedef struct rcp_replaying_task {
    const rcp_race *race;
    unsigned pair;  /* any number that stands for it */
    unsigned group; /* ascending: those of a group are as good as each other */
} rcp_replaying_task;

typedef struct rcp_replaying_how {
    double limit;                      /* of one run of the program, seconds; 0: as usual */
    double end;                        /* of all, by rcp_seconds_now(); 0: none */
    bool whole;                        /* as of rcp_replay_options */
    bool has_begun;                    /* others were carried out before: none is whatever time there is */
    const volatile sig_atomic_t *stop; /* no further one is begun once it is set */
} rcp_replaying_how;

/* Each with either access first, as long as there is time; the first one whatever time there is. Each replay also shows
 * as many of the others as can meet on its way (replay/tour.h): so within a group what ends latest comes first, and the
 * first of all is the one with most others. Of a pair that is shown the further tasks are left out. What is not come to
 * is kept as NOT_TRIED. */
rcp_code rcp_replaying_all(rcp_replaying *replaying, const rcp_replaying_task *tasks, size_t n,
                           const rcp_replaying_how *how, const rcp_notices *notices) RCP_MUST_USE;

/* Deadlocks that were predicted, and that no replay has shown: each once, as long as there is time. What is not come to
 * is kept as NOT_TRIED. */
rcp_code rcp_replaying_standstills(rcp_replaying *replaying, const rcp_replaying_how *how) RCP_MUST_USE;

#endif
