/* SPDX-License-Identifier: Apache-2.0 */
/* What one call outside, or the end of one thread, did to memory: seen in a re-execution of the run, with the arguments
 * that the call had there. For a replay, whose runtime sees only that the call is made.
 *
 * A watch is told of what touches memory while its call is open (telling.c); it ends with the call. Ownership: a watch
 * owns its touches and the name.
 */
#ifndef RECIPE_PROGRAM_TELLING_WATCH_H
#define RECIPE_PROGRAM_TELLING_WATCH_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_watched_touch {
    uint64_t address, size;
    bool writes; /* or frees */
} rcp_watched_touch;

typedef struct rcp_watch {
    uint32_t thread;   /* its number in that run's log */
    uint64_t position; /* the call is its event of that position */
    bool at_end;       /* no call: the thread's end */
    char *callee;      /* what was called, by that name; NULL: by a pointer */
    uint64_t visit;    /* 1 + the number of the visit that the call is; 0: it has not been made */
    bool is_over;
    RCP_VEC(rcp_watched_touch) touches;
} rcp_watch;

typedef struct rcp_watches {
    rcp_watch at[2];
    size_t n;
} rcp_watches;

void rcp_watches_finish(rcp_watches *watches);
/* Executes the run again until all of them are over, or to its end. */
rcp_code rcp_watches_run(rcp_watches *watches, const char *directory) RCP_MUST_USE;

/* For telling. The thread leaves by a call, which is that visit; it is over; and what is touched meanwhile. */
void rcp_watches_begin(rcp_watches *watches, uint32_t thread, uint64_t position, uint64_t visit, const char *callee);
void rcp_watches_end(rcp_watches *watches, uint64_t visit);
void rcp_watches_thread_end(rcp_watches *watches, uint32_t thread);
void rcp_watches_touch(rcp_watches *watches, uint64_t visit, uint64_t address, uint64_t size, bool writes);
/* The memory goes with its thread. */
void rcp_watches_own_end(rcp_watches *watches, uint32_t thread, uint64_t address, uint64_t size);

#endif
