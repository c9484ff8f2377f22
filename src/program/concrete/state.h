/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of the concrete checker:
 *
 *   concrete.c         what threads do on their way: their turn, their records, their memory (concrete.h)
 *   interpret.c        the interpreter that has it done
 *   concrete/view.c    memory that is a thread's own
 *   concrete/run.c     a run along a schedule: threads as coroutines
 *   concrete/verdict.c   from a checkpoint to a verdict
 */
#ifndef RECIPE_PROGRAM_CONCRETE_STATE_H
#define RECIPE_PROGRAM_CONCRETE_STATE_H

#include "program/concrete/judgement.h"
#include "program/machine/run.h"
#include "program/telling/notes.h"

#include <ucontext.h>

/* Bytes of a granule that a thread alone sees. */
typedef struct rcp_own_bytes {
    uint8_t bytes[RCP_SPACE_GRANULE];
    uint8_t mask; /* which of them */
} rcp_own_bytes;

typedef struct rcp_view {
    rcp_space *space; /* what all see; borrowed */
    rcp_map index;    /* granule → own */
    RCP_VEC(rcp_own_bytes) own;
} rcp_view;

void rcp_view_init(rcp_view *view, rcp_space *space);
void rcp_view_read(const rcp_view *view, uint64_t address, void *to, uint64_t size);
void rcp_view_write(rcp_view *view, uint64_t address, const void *from, uint64_t size);
/* From here on the thread sees what all see. */
void rcp_view_drop(rcp_view *view, uint64_t address, uint64_t size);

typedef struct rcp_concrete rcp_concrete;

typedef struct rcp_lane { /* a thread on its way: its machine's context */
    rcp_concrete *all;
    rcp_run run; /* its own machine: current strand, next record */
    RCP_VEC(rcp_log_record) records;
    RCP_VEC(uint32_t) events; /* of notes.at, BRANCHes left out */
    RCP_VEC(uint32_t) calls;  /* of notes.calls */
    RCP_VEC(uint64_t) flows;  /* per call outside: what flowed in */
    size_t next_record, next_event, next_call;
    uint64_t path;  /* of all accesses so far: instruction, address */
    uint64_t value; /* of an event that it is about to have: what is written */
    rcp_view view;
    ucontext_t context;
    rcp_code code;
    bool has_begun, has_ended, is_there; /* is_there: right before its racing event */
    bool would_write;                    /* of an atomic operation that it is about to have */
} rcp_lane;

struct rcp_concrete {
    rcp_notes notes;
    bool is_noting;             /* the recorded order: values must be the recorded ones, paths and flows are noted */
    RCP_VEC(uint32_t) schedule; /* of notes.at */
    size_t cursor;
    RCP_VEC(rcp_lane *) lanes;
    rcp_map lane_index;         /* thread number → lanes */
    RCP_VEC(uint64_t) paths;    /* per event */
    RCP_VEC(rcp_patch) patches; /* by `when` */
    RCP_VEC(rcp_change) changes;
    uint32_t race[2]; /* of notes.at */
    bool is_racing;   /* the schedule is through: both go on to their racing events */
    ucontext_t main;
    rcp_lane *running;
};

/* concrete/run.c. The machine of `run` stands at the beginning of notes; records up to the log's byte `end` are taken.
 */
rcp_code rcp_concrete_lanes(rcp_concrete *all, rcp_run *run, uint64_t end) RCP_MUST_USE;
rcp_code rcp_concrete_follow(rcp_concrete *all) RCP_MUST_USE;
/* Back to whoever leads. */
void rcp_concrete_yield(rcp_lane *lane);
/* The next event of the schedule, BRANCHes passed over; NULL: there is no more. */
const rcp_noted *rcp_concrete_due(rcp_concrete *all);
void rcp_concrete_patch(rcp_concrete *all, rcp_space *space, uint64_t when);

/* concrete/verdict.c, in a process that goes on from a checkpoint: rcp_checkpoints_answerer. `question` is an
 * rcp_judge_question, `reply` takes an rcp_judge_answer, each with what follows it. */
rcp_code rcp_concrete_judge(rcp_run *run, const char *question, size_t n, rcp_text *reply) RCP_MUST_USE;

#endif
