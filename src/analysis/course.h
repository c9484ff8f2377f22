/* SPDX-License-Identifier: Apache-2.0 */
/* The course of a run: what each of its threads came to decide, in its own order, whatever the others did meanwhile.
 * Decisions are the branches and compare-and-swaps that depend on shared memory, addresses that do, how calls ended
 * that may end otherwise, and every synchronisation and call outside on the way. Two runs with the same course are of
 * one class: each thread executes the same code in both, and what races in one of them can be predicted from the other.
 *
 * Threads are told apart by who created them, places by the source; addresses count where they were decided. So a
 * course means the same in every run of a program.
 *
 * A course owns its lists. Its events are numbers in the trace that it was taken of.
 */
#ifndef RECIPE_ANALYSIS_COURSE_H
#define RECIPE_ANALYSIS_COURSE_H

#include "trace/model/trace.h"

typedef struct rcp_decision {
    uint64_t place;
    uint64_t side; /* of two: 0 or 1; else the value, or the address */
    uint64_t way;  /* the same, and what it was compared with: who keeps what a call outside was given compares it with
                      that, and it is always the same */
    uint32_t event;
} rcp_decision;

typedef struct rcp_course_thread {
    uint64_t name;
    RCP_VEC(rcp_decision) at;
} rcp_course_thread;

typedef struct rcp_course {
    RCP_VEC(rcp_course_thread) threads; /* by tid */
    uint64_t number;                    /* the same for runs of one class */
} rcp_course;

/* A decision of a thread's. */
typedef struct rcp_course_place {
    uint32_t tid;
    size_t at;
} rcp_course_place;

void rcp_course_take(rcp_course *course, const rcp_trace *trace);
void rcp_course_finish(rcp_course *course);

/* Has the event two ways alone? */
bool rcp_course_is_twofold(const rcp_trace *trace, const rcp_event *event);
/* Of an event that is a decision. */
rcp_course_place rcp_course_find(const rcp_course *course, const rcp_trace *trace, uint32_t event);
static inline const rcp_decision *rcp_course_borrow(const rcp_course *course, rcp_course_place place) {
    return &course->threads.at[place.tid].at.at[place.at];
}
/* Has `other` all that this thread decided before, and decided the same? Then what it decides there; else NULL. */
const rcp_decision *rcp_course_borrow_other(const rcp_course *course, rcp_course_place place, const rcp_course *other);

typedef RCP_VEC(uint32_t) rcp_course_events;
/* Of each thread but that one, the first event that is a decision and that `other` does not have, where there is one.
 * An execution that has none of them is a beginning of the other's, as far as these threads go. */
void rcp_course_part(const rcp_course *course, uint32_t but, const rcp_course *other, rcp_course_events *events);

#endif
