/* SPDX-License-Identifier: Apache-2.0 */
/* Whom terms are told to: all that program/symbolic/ asks of whoever keeps the events.
 *
 * An access of shared memory, a branch and a pin are events. Who did it and where, the teller finds out; the terms are
 * handed over with the event. The symbol of a read is made of its event's number, so numbers are given at once and in
 * the order of the run.
 *
 * Ownership: whoever makes the teller owns its context and its terms, and keeps both as long as it is used.
 */
#ifndef RECIPE_PROGRAM_SYMBOLIC_TELLER_H
#define RECIPE_PROGRAM_SYMBOLIC_TELLER_H

#include "program/machine/machine.h"
#include "trace/model/event.h"
#include "trace/model/term.h"

typedef struct rcp_teller {
    void *context;
    rcp_terms *terms; /* where terms are made */
    /* An event that `strand` has at `ins`; NULL: at no instruction. It has everything but tid, loc and stack, and (of
     * accesses and fences) mode. Returns its number. */
    rcp_eid (*add)(void *context, const rcp_strand *strand, const rcp_ins *ins, rcp_event *event);
    /* The number that an access of `address` will have, if it is the next event. */
    rcp_eid (*next_at)(void *context, uint64_t address);
    /* Which bytes of the shared granule at `address` nobody writes in all of their life, which says nothing of them
     * either (rule I2 of docs/semantics.md): a bit each. No order of the events gives them a value. NULL: none are. */
    uint8_t (*bare)(void *context, uint64_t address);
} rcp_teller;

#endif
