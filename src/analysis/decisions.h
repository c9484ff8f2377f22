/* SPDX-License-Identifier: Apache-2.0 */
/* What each thread of a run came to decide, in its own order, whatever the others did meanwhile. Decisions are the
 * branches and compare-and-swaps that depend on shared memory, addresses that do, how calls ended that may end
 * otherwise, which calls those on the program's own pipes and the like came after (analysis/messages.h), and every
 * synchronisation and call outside on the way. Two runs with the same decisions are of one class:
 * each thread executes the same code in both, and what races in one of them can be predicted from the other.
 *
 * Threads are told apart by who created them, places by the source; addresses count where they were decided. So
 * decisions mean the same in every run of a program. What depends on memory that is shared in one run, and in another
 * one is not, because who would write it did not come there, is a decision in the first alone: it is passed over where
 * the two are compared. (Whoever decides otherwise there took something that another thread wrote; and that thread has
 * decided something that in the second run it has not.)
 *
 * Decisions own their lists. Their events are numbers in the trace that they were taken of.
 */
#ifndef RECIPE_ANALYSIS_DECISIONS_H
#define RECIPE_ANALYSIS_DECISIONS_H

#include "base/map.h"
#include "trace/model/trace.h"

typedef struct rcp_decision {
    uint64_t place;
    uint64_t side;  /* of two: 0 or 1; else the value, or the address */
    uint64_t value; /* the same; of a term that is equal to a constant: that. Who keeps what a call outside was given
                       compares it with that, and it is always the same */
    uint64_t way;   /* both */
    uint32_t event;
    uint32_t first_read, reads; /* in `words`: of the memory that it depends on */
} rcp_decision;

typedef struct rcp_decisions_thread {
    uint64_t name;
    RCP_VEC(rcp_decision) at;
} rcp_decisions_thread;

typedef struct rcp_decisions {
    RCP_VEC(rcp_decisions_thread) threads; /* by tid */
    uint64_t number;                       /* the same for runs of one class */
    RCP_VEC(uint64_t) words;
    rcp_map told; /* words of memory that the trace has accesses of */
} rcp_decisions;

/* A decision of a thread's. */
typedef struct rcp_decisions_place {
    uint32_t tid;
    size_t at;
} rcp_decisions_place;

void rcp_decisions_take(rcp_decisions *decisions, const rcp_trace *trace);
void rcp_decisions_finish(rcp_decisions *decisions);

/* Has the event two ways alone? */
bool rcp_decisions_is_twofold(const rcp_trace *trace, const rcp_event *event);
/* Is it kept there what a term was? Two runs that are equal to different things at one place say so. */
static inline bool rcp_decisions_keep(const rcp_decision *one, const rcp_decision *other) {
    return one->side == other->side && one->value != other->value;
}
/* Of an event that is a decision. */
rcp_decisions_place rcp_decisions_find(const rcp_decisions *decisions, const rcp_trace *trace, uint32_t event);
static inline const rcp_decision *rcp_decisions_borrow(const rcp_decisions *decisions, rcp_decisions_place place) {
    return &decisions->threads.at[place.tid].at.at[place.at];
}
/* Has `other` all that this thread decided before, and decided the same? Then what it decides there; else NULL. */
const rcp_decision *rcp_decisions_borrow_other(const rcp_decisions *decisions, rcp_decisions_place place,
                                               const rcp_decisions *other);

/* Two decisions of different threads: has `other` the later one first, each after what its thread decided before here?
 * (Or the thread of the earlier one ends right before it.) */
bool rcp_decisions_overtake(const rcp_decisions *decisions, rcp_decisions_place earlier, rcp_decisions_place later,
                            const rcp_decisions *other);
/* Does that thread end in `other` where it decides this, having decided the same before? */
bool rcp_decisions_end_at(const rcp_decisions *decisions, rcp_decisions_place place, const rcp_decisions *other);
/* Has `other` all that the threads of the one decided, and of some of them more? */
bool rcp_decisions_are_part(const rcp_decisions *decisions, const rcp_decisions *other);

typedef RCP_VEC(uint32_t) rcp_decisions_events;
/* Of each thread but that one, the first event that is a decision and that `other` does not have, where there is one.
 * An execution that has none of them is a beginning of the other's, as far as these threads go. */
void rcp_decisions_part(const rcp_decisions *decisions, uint32_t but, const rcp_decisions *other,
                        rcp_decisions_events *events);

#endif
