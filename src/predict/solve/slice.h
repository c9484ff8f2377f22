/* SPDX-License-Identifier: Apache-2.0 */
/* The slice of a candidate: which events may take part in a witness. The rest of the trace stands still.
 *
 * The events before `start` are executed, as recorded; of each thread, the events from there up to upto[tid] may be
 * executed, in any order that the rules allow; what comes after that is not. Both racing accesses are the next of their
 * threads. Only where nothing but what follows the two accesses in program order is left out
 * (rcp_slice_is_whole()) does 'no witness' mean 'no race'. With one event in the place of both, a slice asks whether
 * that can turn out otherwise.
 *
 * Invariant: start is at most the earlier access; upto[] of the two threads is where their accesses stand. A slice owns
 * upto[] and borrows the facts.
 */
#ifndef RECIPE_PREDICT_SOLVE_SLICE_H
#define RECIPE_PREDICT_SOLVE_SLICE_H

#include "predict/facts/run_facts.h"
#include "trace/check/checker.h"
#include "trace/text/text.h"

#include <stdbool.h>

/* What a run that was led along a guess has shown (analysis/guesses.h): event `stuck` did not come, or was a call that
 * answered otherwise, in a state in which of some threads the call `next` had not been made (or was not over) and
 * `last` was the last one that had. So one of these is otherwise where it does come: a `next` before it, or a `last`
 * after it. */
enum { RCP_LEARNT_SIDES = 8 };
typedef struct rcp_learnt {
    uint32_t stuck, n;
    struct {
        uint32_t next, last; /* RCP_NO_EVENT: there is none */
    } side[RCP_LEARNT_SIDES];
} rcp_learnt;

/* Of an event that turns: one of these, at least, is executed before. */
typedef struct rcp_slice_wanted {
    const uint32_t *event;
    size_t n;
} rcp_slice_wanted;

typedef struct rcp_slice {
    const rcp_run_facts *facts;
    uint32_t race[2];     /* the earlier one first */
    const uint32_t *also; /* of a deadlock: further events that are next with the two, between them; borrowed */
    uint32_t n_also;
    bool stands;            /* the events are ACQUIREs of a deadlock (rcp_slice_stand()) */
    bool passes;            /* they are calls outside, and the later one is not held to P1 (rcp_slice_pass()) */
    bool is_still;          /* no race, and no event: all that takes part is executed (rcp_slice_still()) */
    const uint32_t *asleep; /* and these WAITs have woken by nothing: no SIGNAL, no BROADCAST; borrowed */
    uint32_t n_asleep;
    const rcp_arrangement *arranged; /* no race is looked for, but this; both `race` are the event that follows its last
                                        one. NULL: it is something else; borrowed */
    uint32_t start;
    rcp_position *upto;
    uint32_t end;         /* past the last event that takes part */
    size_t size;          /* how many take part */
    const rcp_bits *idle; /* of these not: branches of which nothing can be said; NULL */
    bool turns; /* both `race` are one event, and what is looked for is no race: an order that leads up to it in which
                   its branch would go the other way, or its address be another */
    uint32_t turned; /* RCP_NO_EVENT; or that event is a compare-and-swap, or a lock or semaphore that is tried. It
                        takes part: it must turn out otherwise, and what comes after it does not count */
    const uint64_t *excluded; /* of a branch or an address: values that it is not to have either */
    size_t n_excluded;
    bool of_compared; /* of a branch that compares a term with a constant it is the term that counts */
    uint64_t *became; /* and where the value goes that it has then */
    uint8_t loose;    /* RCP_LOOSE_…: rules that are left out, to see what they cost; what is found is no witness */
    const rcp_bits *given;    /* NULL, or a bit per event: BRANCHes that RCP_LOOSE_OPAQUE leaves out as well */
    const rcp_learnt *learnt; /* of guesses: what is kept to beside the rules */
    size_t n_learnt;
    const rcp_slice_wanted *wanted; /* of an event that turns: runs that are known are not to be found again */
    size_t n_wanted;
} rcp_slice;

enum {
    /* P1, P2, and that what flows into a call of opaque code is what it was; what such code has written it has written
     * all the same, where a read shows it */
    RCP_LOOSE_OPAQUE = 1,
    /* M1 between lives: that memory is given out again in the order in which it was */
    RCP_LOOSE_REUSE = 2,
    /* that what has no term, or is kept because something hangs on it that has none, is what it was: it may be
     * anything. Branches of two ways stay */
    RCP_LOOSE_UNKNOWN = 4,
};

/* The last `before` events before the earlier access, and what lies between the two; of one that turns, as many after
 * it. It starts at `latest` at the latest: up to there the recorded order is an execution by the value rule that is
 * asked for. (A read of uninitialised memory, or a value that was not recorded, can end that.) */
void rcp_slice_window(rcp_slice *slice, const rcp_run_facts *facts, rcp_eid a, rcp_eid b, uint32_t before,
                      uint32_t latest);
/* What the two accesses need in the recorded order, closed under the observed last writers and the locks: the small
 * cone. */
void rcp_slice_small(rcp_slice *slice, const rcp_run_facts *facts, rcp_eid a, rcp_eid b);
/* Everything but what follows the two. */
void rcp_slice_whole(rcp_slice *slice, const rcp_run_facts *facts, rcp_eid a, rcp_eid b);
/* What was cut for a pair is for a deadlock from now on: these events are next in their threads, too. `needs`: with
 * what they need, as in the small cone. */
void rcp_slice_stand(rcp_slice *slice, const uint32_t *also, uint32_t n, bool needs);
/* What was cut for a pair of calls outside is for an order that leads up to both: of the earlier one all holds that
 * holds where it comes next, of the later one all but P1. */
void rcp_slice_pass(rcp_slice *slice);
/* Each thread's first upto[tid] events, all of them. */
void rcp_slice_still(rcp_slice *slice, const rcp_run_facts *facts, const rcp_position *upto, const uint32_t *asleep,
                     uint32_t n);
/* What was cut for an order's last event and another one that it has is for that order from now on. `cut`: which one
 * it was. */
typedef enum rcp_slice_cut { RCP_CUT_WINDOW, RCP_CUT_SMALL, RCP_CUT_WHOLE } rcp_slice_cut;
void rcp_slice_arrange(rcp_slice *slice, const rcp_arrangement *arranged, rcp_slice_cut cut);
/* Leaves out branches that keep their outcome whatever comes before them (rcp_forced.idle): they are executed with what
 * follows. */
void rcp_slice_leave_out(rcp_slice *slice, const rcp_bits *idle);
void rcp_slice_finish(rcp_slice *slice);

/* Is the event, between start and end, one of those that were left out? */
static inline bool rcp_slice_is_idle(const rcp_slice *slice, uint32_t event) {
    const rcp_trace *trace = slice->facts->trace;
    return slice->idle && rcp_bit(slice->idle, event) &&
           trace->position[event] < slice->upto[trace->events.at[event].tid.v];
}
bool rcp_slice_is_whole(const rcp_slice *slice);
/* For people (slice_dump.c). */
void rcp_slice_dump(rcp_text *to, const rcp_slice *slice, rcp_printer *printer);

/* Of an ACQUIRE or a SEM_WAIT: has it failed, in what is looked for? */
static inline bool rcp_slice_fails(const rcp_slice *slice, uint32_t event) {
    return (rcp_run_facts_event(slice->facts, event)->outcome == RCP_FAILED) != (event == slice->turned);
}

#endif
