/* SPDX-License-Identifier: Apache-2.0 */
/* What an access of a synchronisation object is: a lock that is taken, a condition that is destroyed. The trace has it
 * as a read or a write of one byte, in front of the event that names the object (docs/semantics.md, 'Objects as
 * memory').
 *
 * Invariant: a deed without an event is none. Owns nothing.
 */
#ifndef RECIPE_REPORT_DEED_H
#define RECIPE_REPORT_DEED_H

#include "trace/model/defs.h"
#include "trace/model/event.h"

#include <stdbool.h>

typedef struct rcp_deed {
    bool is_known;
    uint8_t kind;     /* rcp_kind of the event: RELEASE, DESTROY …; FREE: the memory that the object lies in is freed;
                         END: no object's, memory that goes with its thread */
    uint8_t object;   /* rcp_object_kind */
    const char *slot; /* no object's, but a descriptor's, or a state's of the library: its kind; `kind`: the access's */
} rcp_deed;

/* May that access be one of an object? Its thread's next events say. */
bool rcp_deed_is_possible(const rcp_event *access);
/* Is it of a descriptor, or of a state of the library? */
bool rcp_deed_of_slot(rcp_deed *deed, const rcp_event *access);
/* The next event of its thread. False: no further one need be asked. */
bool rcp_deed_ask(rcp_deed *deed, const rcp_defs *defs, const rcp_event *access, const rcp_event *next);
/* "unlock", "destroy"; of a known one. */
const char *rcp_deed_name(const rcp_deed *deed);
/* "mutex", "cond"; "thread". */
const char *rcp_deed_object(const rcp_deed *deed);

#endif
