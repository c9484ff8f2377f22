/* SPDX-License-Identifier: Apache-2.0 */
/* What an analysis finds: a race with the schedule that proves it, or a pair that a model flags and nobody proved.
 *
 * Invariant: a race is proven (rcp_race_is_proven()) only where the checker (trace/check/checker.h) accepted `witness`;
 * a witness of an pair that is not is empty. event[0] precedes event[1] in the trace. A race owns its `why`, its
 * `replay` and its witness; `model` points to static memory.
 */
#ifndef RECIPE_RESULTS_RACE_H
#define RECIPE_RESULTS_RACE_H

#include "base/status.h"
#include "base/vec.h"
#include "trace/model/ids.h"
#include "trace/model/witness.h"

#include <stdbool.h>
#include <stdint.h>

/* From what proves least to what proves most: a race is named after the first one that proves it. */
typedef enum rcp_model {
    RCP_MODEL_HB,
    RCP_MODEL_SHB,
    RCP_MODEL_WCP,
    RCP_MODEL_DC,
    RCP_MODEL_SDP,
    RCP_MODEL_WDP,
    RCP_MODEL_MC,
    RCP_MODEL_RV,
    RCP_MODEL_RECIPE_S,
    RCP_MODEL_RECIPE,
    RCP_MODEL_RECIPE_PLUS,
    RCP_MODEL_BOLD, /* no model of a trace: a run of the program, steered to it, is the proof (analysis/steering.h) */
    RCP_MODEL_C11,  /* the recorded run itself, by the rules of the language; or along a schedule of another model's */
    RCP_MODEL_HUNT, /* as recipe-s, in another run of the program, which was led and recorded (analysis/hunting.h) */
    RCP_MODELS
} rcp_model;

#define RCP_MODEL_BIT(model) (UINT32_C(1) << (model))

/* Its word on the command line and in reports: "hb" … "recipe+". */
const char *rcp_model_name(rcp_model model);
/* false: no model has that name. */
bool rcp_model_find(const char *name, rcp_model *model);
/* The lowest model of a mask; RCP_MODELS where the mask is empty. */
rcp_model rcp_model_first(uint32_t models);

typedef enum rcp_race_status {
    RCP_RACE_UNPROVEN,     /* flagged by a model; its witness was refused */
    RCP_RACE_UNDECIDED,    /* flagged by a model; a limit was reached before its witness was checked */
    RCP_RACE_PREDICTED,    /* the checker accepted the witness */
    RCP_RACE_CONFIRMED,    /* and the real program was led along it to both accesses */
    RCP_RACE_NOT_REPLAYED, /* and the real program did not follow it */
    RCP_RACE_NOT_TRIED,    /* and nobody has tried, though others of this trace were: no time was left, or no means */
    RCP_RACE_STATUSES
} rcp_race_status;

/* "unproven", "undecided", "predicted", "confirmed", "not-replayed", "not-tried" */
const char *rcp_race_status_name(rcp_race_status status);

typedef struct rcp_race {
    rcp_eid event[2];
    uint32_t variant;   /* 0: the events are those of the trace; else of its variant with that number, see below */
    uint64_t instances; /* dynamic pairs that this one stands for, itself included */
    rcp_race_status status;
    const char *model;    /* the first model that proves it (unproven: that flags it); one of rcp_model_name() */
    uint32_t models;      /* RCP_MODEL_BIT of all that were run and prove it (unproven: flag it) */
    uint64_t fingerprint; /* results/fingerprint.h; 0: not computed yet */
    uint64_t points;      /* analysis/points.h: the pair of places in the program that it is; 0: not known */
    char *why;            /* one sentence; from rcp_alloc(), may be NULL. Unproven: why the witness was refused */
    char *replay;         /* what carrying it out showed, lines; from rcp_alloc(), NULL where it was not */
    rcp_eid deciding[2];  /* of a run that was thought out: the read that decides what turns in it, and the write of
                             another thread that it reads; RCP_NO_EID: none, or not known */
    rcp_witness witness;
} rcp_race;

/* Words of `replay` where the program deadlocked: what a replay showed is kept as words. */
#define RCP_REPLAY_DEADLOCK "the program deadlocks: every thread waits for another"
bool rcp_race_deadlocked(const rcp_race *race);
/* And of an order, after what it led to. */
#define RCP_REPLAY_EXITS ", the program exits with 0."
/* Where nobody led the program to it alone: another race's replay came by, and what hangs on the order is not told. */
#define RCP_REPLAY_BESIDE "That was on the way of the replay of another race"
bool rcp_race_is_beside(const rcp_race *race);
/* Its first words where it is what a value leads to that the program did not read by itself, and might have, by the
 * rules of the language: of races of c11. */
#define RCP_REPLAY_ALLOWED "Allowed by the standard: "
bool rcp_replay_is_allowed(const char *told);

/* In `why`, before what was read otherwise than in the recorded run. */
#define RCP_WHY_READS  "; on the way "
#define RCP_WHY_RACING "; the racing "
/* And of a run that was thought out, before what turns in it: "a.c:12 goes another way." */
#define RCP_WHY_TURNED " In that run "
/* A race of c11 that no run of the program has shown yet: both accesses happen in a run that was thought out, or along
 * a schedule of the recorded one. Its witness has both of them then. */
bool rcp_race_is_to_happen(const rcp_race *race);
static inline bool rcp_race_is_decided(const rcp_race *race) {
    return race->deciding[0].v != RCP_NO_EID.v && race->deciding[1].v != RCP_NO_EID.v;
}
/* Has this been carried out for the race? */
bool rcp_race_is_shown(const rcp_race *race);

/* Words of `why` of a race of c11: what would cure it is kept as words, too. The last cure ends with the sentence. */
#define RCP_CURE_FIRST "Cure, in this run: "
#define RCP_CURE_NEXT  "; or "
#define RCP_CURE_MAKE  " In full: make " /* and then the same with what is there and how it is now */
#define RCP_CURE_NONE  "No stronger memory order cures this."

/* What stands after one of these words, without its full stop; 0: nothing. */
size_t rcp_race_borrow_cures(const rcp_race *race, const char *after, const char **at);
/* In full a place stands there as "(a.c:12:5)", or "(a.c:12:5, now relaxed)". The next one from *at on, behind which
 * *at is then; its file has `n` letters. False: there is none before `end`. */
#define RCP_CURE_PLACE " ("
typedef struct rcp_cure_word {
    const char *file;
    size_t n;
    uint32_t line, column;
} rcp_cure_word;
bool rcp_cure_next(const char **at, const char *end, rcp_cure_word *place);

/* Races of runs that were explored, not recorded (program/explore/explore.h), and of runs that were steered or hunted
 * for, have their events and their witness in a recording of their own, DIR/variants/N. The path; from rcp_alloc().
 * Without a variant it is DIR. */
char *rcp_race_take_directory(const rcp_race *race, const char *directory);

static inline bool rcp_race_is_proven(const rcp_race *race) { return race->status >= RCP_RACE_PREDICTED; }
/* The program is the judge where it has been asked: what the checker accepted and no replay showed is unconfirmed. */
static inline bool rcp_race_is_unconfirmed(const rcp_race *race) { return race->status >= RCP_RACE_NOT_REPLAYED; }

typedef RCP_VEC(rcp_race) rcp_races;

void rcp_race_init(rcp_race *race);
void rcp_race_finish(rcp_race *race);
/* Copies the sentence; the one before it is freed. */
void rcp_race_explain(rcp_race *race, const char *format, ...) RCP_PRINTF(2, 3);
/* The same for what its replay showed. */
void rcp_race_tell_replay(rcp_race *race, const char *told);
void rcp_races_finish(rcp_races *races);

/* How much work an analysis was, and what it left undecided. */
typedef struct rcp_analysis {
    uint32_t models;     /* RCP_MODEL_BIT of those that were run */
    uint64_t candidates; /* static pairs looked at */
    uint64_t pruned;     /* of these: ruled out before any query */
    uint64_t solved;     /* decided either way */
    uint64_t unknown;    /* given up at a limit */
    uint64_t unproven;   /* flagged, but no witness was accepted */
    double seconds;
} rcp_analysis;

#endif
