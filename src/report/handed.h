/* SPDX-License-Identifier: Apache-2.0 */
/* What ordered the two accesses of a race in the run that it is of, so that this run did not show it: the hands by
 * which word of the first one came to the second one's thread. A lock that one thread gave up and the other one took, a
 * thread's beginning and its end, a signal, a flag.
 *
 * Invariant: each handing is a pair of events of the trace, the first one's thread has had word of the first access
 * when it comes, and the second one's has from then on.
 */
#ifndef RECIPE_REPORT_HANDED_H
#define RECIPE_REPORT_HANDED_H

#include "report/finding.h"

typedef struct rcp_hand {
    rcp_tid tid;
    rcp_eid eid;
    rcp_loc loc; /* the program's own place */
    uint8_t kind;
    uint32_t before; /* 1 + the handing by which this thread had word; 0: the access is its own */
} rcp_hand;

typedef struct rcp_handing {
    rcp_hand from, to;
    rcp_obj object; /* of synchronisation; else */
    uint64_t addr;  /* of atomic accesses */
} rcp_handing;

typedef RCP_VEC(rcp_handing) rcp_handings;

/* In their order; empty: nothing ordered them, or nothing that is known. False: they lie too far apart, or too much of
 * the trace was read for others. */
bool rcp_handed_find(const rcp_finding *finding, rcp_handings *to);
/* "thread 0.1 gave up mutex m at a.c:14:5, and thread 0.2 took it at a.c:25:3" */
void rcp_handed_print(rcp_text *to, const rcp_finding *finding, const rcp_handings *handings);
/* "thread 0.2 takes it first": of the last one that the schedule turns; nothing where there is none.
 */
void rcp_handed_print_turned(rcp_text *to, const rcp_finding *finding, const rcp_handings *handings);

/* The one by a semaphore that lets several threads in at a time; NULL: there is none. */
const rcp_handing *rcp_handed_find_many(const rcp_finding *finding, const rcp_handings *handings);
/* " But semaphore `room` begins with 2: so many threads are let in at a time." Nothing where none of them is such a
 * one.
 */
void rcp_handed_print_many(rcp_text *to, const rcp_finding *finding, const rcp_handings *handings);

#endif
