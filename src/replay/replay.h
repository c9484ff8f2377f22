/* SPDX-License-Identifier: Apache-2.0 */
/* Carries a race out on the real program: once with each of the two accesses first, so that one sees what hangs on it.
 *
 * CONFIRMED only where the program itself stood, at one moment, with one thread right before each access (of the
 * predicted kind, to the same memory), and each was made while the other one stood (runtime/meeting.h). What a call
 * outside touched is seen in the replay's log (program/telling/watch.h). Anything else is NOT_REPLAYED, with the step
 * at which the run left the witness; or NOT_TRIED, where the program could not be started, or the time was over before
 * that could be seen.
 *
 * A process that a command started is tried by itself first, fed where that can be; then, where that did not show it
 * and `whole` allows it, with the whole command, real. By itself and real only where the whole command takes much
 * longer: what it needs of the others is not there then, so that most often nothing comes of it.
 *
 * One replay may show other races on its way (tour.h): those that were asked for and were seen are in `seen`. The
 * schedule ends with the race itself all the same; but it is another one than its witness, by which a race may be lost:
 * who asked for others asks again without them then.
 *
 * With `older` the recorded schedule is carried out twice, once with the older bytes; with `late` the race's witness,
 * once with the store late. CONFIRMED then says that what was told is what that leads to, and nothing of the race.
 *
 * A replay owns what it told.
 */
#ifndef RECIPE_REPLAY_REPLAY_H
#define RECIPE_REPLAY_REPLAY_H

#include "replay/stage.h"
#include "trace/check/older.h"

/* Another race that a run showed on its way. */
typedef struct rcp_replay_seen {
    size_t other; /* of those that were asked for */
    rcp_text told;
} rcp_replay_seen;

typedef struct rcp_replay_options {
    int first;    /* 0 or 1: only with this access first; -1: both */
    bool pause;   /* stop where both accesses are next: the process id is in `paused` then */
    double limit; /* seconds for one run; 0: by how long the recorded one took */
    double end;   /* of rcp_seconds_now(): where a run goes beyond it is as if there had been none; 0: no end */
    bool must;    /* the runs that it takes to show it are made whatever the end is */
    bool hurry;   /* one run is enough where it shows the race: what the other order would change is not said */
    bool whole;   /* the whole command may be run, too, which may be any program of the system */
    const rcp_tour_pair *others; /* further races of the same trace, those to be shown first at the front */
    size_t n_others;
    bool is_through; /* not to show the race, but to make the recorded run once more, through both accesses: it is in
                        `run` then */
    const uint8_t *older; /* not to show the race, but what its later access, a read, leads to where it takes these
                             bytes, which the checker allows it (trace/check/older.h); NULL: to show the race */
    const rcp_late_verdict *late; /* nor what its earlier access, a store, leads to where it comes right after the later
                                     one, which the checker allows it; NULL likewise */
} rcp_replay_options;

typedef struct rcp_replay {
    rcp_race_status status;
    rcp_text told;      /* for people: a paragraph a line */
    rcp_text output[2]; /* what the program printed, by which access came first */
    rcp_text input; /* what of the input has changed since it was recorded, a line each; empty: nothing is known to */
    rcp_performance paused; /* with `pause` */
    rcp_performance run;    /* with `is_through`, where it is CONFIRMED: that it was made, and nothing of the race */
    double seconds;         /* that the program ran */
    double looking;         /* that it took to see which others are on the way */
    size_t on_the_way;      /* how many the schedule leads by */
    RCP_VEC(rcp_replay_seen) seen;
} rcp_replay;

/* `replay` is the caller's to finish, also where this fails: that is where nothing could be run at all. */
rcp_code rcp_replay_race(const char *directory, rcp_reader *reader, const rcp_race *race,
                         const rcp_replay_options *options, rcp_replay *replay) RCP_MUST_USE;
/* The same of a deadlock, once: CONFIRMED where the program itself came to wait so (runtime/standstill.h). Of the
 * options count `limit`, `end`, `must` and `whole`. */
rcp_code rcp_replay_standstill(const char *directory, rcp_reader *reader, const rcp_standstill *standstill,
                               const rcp_replay_options *options, rcp_replay *replay) RCP_MUST_USE;
void rcp_replay_finish(rcp_replay *replay);

#endif
