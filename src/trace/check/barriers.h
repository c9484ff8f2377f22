/* SPDX-License-Identifier: Apache-2.0 */
/* Which events opaque code keeps in their observed order, rule P1 of docs/semantics.md, and which are points of time,
 * as rule P3 has them: in one pass.
 *
 * An event takes part with addresses in three ways: `inside` a pair with all that the pair reaches; as one who
 * `follows` what the pair follows; or as one who `touches` some. Two events that share an address keep their order,
 * unless both only touch it, or the earlier one only follows it. What a pair knows it can carry to all that it reaches
 * while it is open: so each open pair is an address, too, of whoever takes part with anything that it reaches, or that
 * others reach who are connected with it. What a pair follows it lets nothing out to: so there are two questions. Who
 * could know what was done (`shows`), and of whose doing could one know (`knows`)? Who only knows follows the pair's
 * address, and who only shows leads it: that is before whoever comes later, and after nobody.
 *
 * The naive model is a list of all events so far with their addresses. Kept instead: per address the last event that
 * was inside, and per thread and address its last touch since then, and the last time that it led; whoever came before
 * those is before them. Nobody comes after who follows, so of that nothing is kept. Of one thread only the last one is
 * named, program order has the others.
 *
 * An event that takes part has a tag; tags ascend. A run of events inside the same pairs, with nobody else's in
 * between, is one tag: it stands for the last of them. What a tag means is the caller's.
 *
 * Owns its tables; borrows the definitions.
 */
#ifndef RECIPE_TRACE_CHECK_BARRIERS_H
#define RECIPE_TRACE_CHECK_BARRIERS_H

#include "base/ranges.h"
#include "trace/model/defs.h"

/* Above all memory: what opaque code can reach that has no address of its own. */
#define RCP_REACH_BEYOND (UINT64_C(1) << 48)
#define RCP_REACH_KERNEL (RCP_REACH_BEYOND + (1 << 8)) /* + its number: an object that the system keeps */
#define RCP_REACH_INPUT  (RCP_REACH_KERNEL + 32)       /* + a descriptor: what comes in by it, and only that */
#define RCP_REACH_INPUTS 32
/* Three of these are no addresses of P1, but of P3. Who is with one of them is at the time at which it was recorded,
 * not before it, not after it. */
#define RCP_REACH_CLOCK      (RCP_REACH_KERNEL + 1)
#define RCP_REACH_NOT_BEFORE (RCP_REACH_KERNEL + 30)
#define RCP_REACH_NOT_AFTER  (RCP_REACH_KERNEL + 31)
/* + its number: a pipe of the program's own, or the like */
#define RCP_REACH_DESCRIPTOR (RCP_REACH_BEYOND + (1 << 13))
#define RCP_REACH_LIBRARY    (RCP_REACH_BEYOND + (1 << 16))    /* + its number: a library's own state */
#define RCP_REACH_THREAD     (RCP_REACH_BEYOND + (1 << 24))    /* + its tid: a thread's end */
#define RCP_REACH_OWN        (RCP_REACH_BEYOND + (1ULL << 36)) /* + its tid: what a thread does by itself */
#define RCP_REACH_ANNOTATED  (RCP_REACH_BEYOND + (1ULL << 38)) /* + its number: an object of which annotations speak */
#define RCP_REACH_END        (RCP_REACH_BEYOND + (1ULL << 40)) /* [0, this): everything */
#define RCP_REACH_PAIR       RCP_REACH_END                     /* + its number: an open pair's own, as P1 has it */

#define RCP_BARRIERS_NONE UINT32_MAX

/* What an event is as a point of time; flags. */
typedef enum rcp_timing {
    RCP_TIMING_NOT_BEFORE = 1,
    RCP_TIMING_NOT_AFTER = 2,
    RCP_TIMING_BEGINS = 4 /* alone: a stretch of time, which ends where its pair does */
} rcp_timing;

/* Is it so, and was it carried on to those that are connected? */
typedef enum rcp_barriers_spread { RCP_BARRIERS_NO, RCP_BARRIERS_FOUND, RCP_BARRIERS_SPREAD } rcp_barriers_spread;

typedef struct rcp_barriers_pair {
    rcp_tid tid;
    rcp_reach reach;
    uint64_t number; /* of all that have begun */
    uint64_t group;  /* the same: connected by what they reach */
    /* Of the event in hand, and of what it touches; rcp_barriers_spread: */
    uint8_t knows, shows, knows_touch, shows_touch;
} rcp_barriers_pair;

typedef struct rcp_barriers {
    const rcp_defs *defs;
    bool is_simple;                  /* every pair reaches everything */
    bool has_led;                    /* somebody has led a pair */
    rcp_ranges seen;                 /* memory that others than the process can see */
    rcp_ranges guarded;              /* memory that may be there or not: every access of it touches it */
    RCP_VEC(rcp_barriers_pair) open; /* pairs that have begun and not ended */
    rcp_ranges inside;               /* address → tag */
    RCP_VEC(rcp_ranges) touches;     /* by thread: address → tag; no event inside has come at that address since */
    RCP_VEC(rcp_ranges) leads;       /* the same of who led a pair */
    RCP_VEC(uint32_t) tid_of;        /* by tag */
    RCP_VEC(uint32_t) latest;        /* by thread: the tag that `needs` has of it; scratch */
    uint64_t begun;                  /* pairs */
    uint64_t followers;              /* of those that are open: follow something */
    uint64_t changes;                /* pairs begun and ended */
    uint64_t run;                    /* `changes` when the last tag was given to an event inside; else UINT64_MAX */
    RCP_VEC(uint32_t) needs;         /* of the event that came last: tags, one per other thread at most */
    uint8_t timing;                  /* of the event that came last: rcp_timing; 0: it is no point of time */
} rcp_barriers;

void rcp_barriers_init(rcp_barriers *line, const rcp_defs *defs);
void rcp_barriers_finish(rcp_barriers *line);

/* Every event, in the observed order. Its tag, and what must have come before it in `needs`; RCP_BARRIERS_NONE: opaque
 * code has nothing to do with it. */
uint32_t rcp_barriers_add(rcp_barriers *line, const rcp_event *event);

/* Forgets the tags that no later event can need. `kept` becomes the others, ascending: kept.at[i] is now tag i. */
typedef RCP_VEC(uint32_t) rcp_barriers_tags;
void rcp_barriers_forget(rcp_barriers *line, rcp_barriers_tags *kept);

#endif
