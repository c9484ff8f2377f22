/* SPDX-License-Identifier: Apache-2.0 */
/* The locks that a thread has at an access: where one side of a race has one and the other has not, that is most often
 * the mistake, and who reads the report need not look for it in the source.
 *
 * A lock is what the trace has as one: a mutex, a read-write lock, a spin lock. What a program makes of atomics is
 * none. A thread takes and lets go by itself, so it has the same ones before an access in every schedule of the trace.
 *
 * Invariant: in the order in which they were taken, each object once. Lists are their holder's to finish.
 */
#ifndef RECIPE_REPORT_OWNED_H
#define RECIPE_REPORT_OWNED_H

#include "base/vec.h"
#include "trace/model/event.h"

typedef struct rcp_owned {
    rcp_obj object;
    uint8_t mode;    /* rcp_mode */
    uint32_t levels; /* how often it was taken and not let go */
    rcp_loc loc;     /* where, the first time */
    rcp_stack stack;
} rcp_owned;

typedef RCP_VEC(rcp_owned) rcp_owned_list;

/* The next event of the thread whose locks these are. */
void rcp_owned_follow(rcp_owned_list *locks, const rcp_event *event);

#endif
