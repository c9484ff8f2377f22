/* SPDX-License-Identifier: Apache-2.0 */
/* Names of things in a trace: one-field structs, so that a thread can't be passed where an event is meant.
 *
 * All are dense indices, handed out in the order of first mention. 0 is a real thread and a real event; for source
 * locations, stacks, strings and reaches 0 means 'none'.
 */
#ifndef RECIPE_TRACE_MODEL_IDS_H
#define RECIPE_TRACE_MODEL_IDS_H

#include <stdint.h>

/* clang-format off */
typedef struct rcp_tid { uint32_t v; } rcp_tid;     /* a thread */
typedef struct rcp_eid { uint64_t v; } rcp_eid;     /* an event: its place in the recorded order */
typedef struct rcp_loc { uint32_t v; } rcp_loc;     /* a source location */
typedef struct rcp_stack { uint32_t v; } rcp_stack; /* a call stack */
typedef struct rcp_str { uint32_t v; } rcp_str;     /* an interned string */
typedef struct rcp_obj { uint32_t v; } rcp_obj;     /* a synchronisation object, one lifetime of it */
typedef struct rcp_reach { uint32_t v; } rcp_reach; /* the set of addresses that an opaque call can reach */
typedef struct rcp_term { uint32_t v; } rcp_term;   /* an expression over reads, in the trace's rcp_terms */
/* clang-format on */

#define RCP_NO_EID ((rcp_eid){UINT64_MAX})

#endif
