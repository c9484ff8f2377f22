/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that look into this one's memory, or change it: a child that traces it, or one that its parent traces
 * (ptrace, process_vm_readv and its kin). From then on all memory is such that others can see (RCP_LOG_ALIAS): what a
 * tracer does may come of anything that was written.
 *
 * A word that all processes of a family share says that one of them has begun so. It is read in passing, because no
 * call of the process that is looked at shows it.
 */
#ifndef RECIPE_RUNTIME_TRACER_H
#define RECIPE_RUNTIME_TRACER_H

#include "runtime/runtime.h"

extern const volatile uint32_t *rcp_tracer_word; /* NULL: not recorded */

/* Before the program's first instruction. */
void rcp_tracer_start(void);
/* The calling process is about to look into another one. */
void rcp_tracer_begins(void);
/* Says it in the log, once. By the holder of the baton, inside. */
void rcp_tracer_say(void);

static inline void rcp_tracer_look(void) {
    if (rcp_tracer_word && __builtin_expect(*rcp_tracer_word, 0))
        rcp_tracer_say();
}

#endif
