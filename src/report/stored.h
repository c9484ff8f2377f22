/* SPDX-License-Identifier: Apache-2.0 */
/* What a report asks of the trace beyond its findings: where an address was stored, for others to have; where an object
 * was made; under which locks a variable is accessed elsewhere. Nothing is owned.
 */
#ifndef RECIPE_REPORT_STORED_H
#define RECIPE_REPORT_STORED_H

#include "trace/store/reader.h"

/* Of all that is read of a trace for one report, in chunks: that of half a second, beside what is read of it anyhow. */
bool rcp_stored_is_enough(const rcp_reader *reader);
/* The program's own place of the last store of that address before the event; 0: not known. */
rcp_loc rcp_stored_where(rcp_reader *reader, uint64_t address, rcp_eid before);
/* Likewise, the last one that the thread came to. */
rcp_loc rcp_stored_last(rcp_reader *reader, rcp_tid tid);
/* Likewise, where the object was initialised; 0: nowhere, or not known. */
rcp_loc rcp_stored_init(rcp_reader *reader, rcp_obj object);

typedef enum rcp_guarding {
    RCP_GUARD_UNKNOWN, /* or by several locks */
    RCP_GUARD_NONE,    /* no access has a lock */
    RCP_GUARD_ONE,     /* some have, always this one */
} rcp_guarding;

/* An access to memory, or to a part of it, under a lock: the first one in the trace. */
typedef struct rcp_guard {
    rcp_guarding is;
    rcp_obj object;
    rcp_loc at; /* the program's own place */
    uint64_t addr;
} rcp_guard;

/* The locks that the run's accesses to these bytes are made with; who owns them there must be one object. */
rcp_guard rcp_stored_guard(rcp_reader *reader, uint64_t address, uint64_t size);

#endif
