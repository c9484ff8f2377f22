/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine tells whoever re-executes a run for a purpose of its own, and what it asks of it. The machine knows
 * no client but by this; each client brings the interpreter that it wants (interpret_body.inc), where what is frequent
 * is compiled in. The calls here are the rare ones.
 *
 * A call that is NULL is not made. `machine->context` is the client's own. Where a call returns a status, failing ends
 * the re-execution; the causes say why.
 *
 * Invariant: a client changes nothing of the machine but what its call is for. Ownership: the table is constant and
 * outlives the machine; the context is the client's.
 */
#ifndef RECIPE_PROGRAM_MACHINE_CLIENT_H
#define RECIPE_PROGRAM_MACHINE_CLIENT_H

#include "base/status.h"
#include "program/ir/code.h"
#include "program/recording/log_reader.h"

struct rcp_machine;
struct rcp_run;
struct rcp_strand;

/* Why the interpreter stopped. */
typedef enum rcp_pause {
    RCP_PAUSE_OUTSIDE, /* at a call that left, or a resume */
    RCP_PAUSE_STOPPED, /* before an event, as the record that was consumed says; or at an instruction that waits for one
                        */
    RCP_PAUSE_CALLBACK, /* before an event, for a signal handler: the next record is its callback */
    RCP_PAUSE_FAULTED,
    RCP_PAUSE_RETURNED, /* a callback returned: its frame is gone */
    RCP_PAUSE_FAILED    /* causes say why */
} rcp_pause;

/* May an event happen? */
typedef enum rcp_permit {
    RCP_GO,
    RCP_STOP,     /* not now: its thread stops before it */
    RCP_CALLBACK, /* a signal's handler comes first */
    RCP_FAULT,    /* it faulted */
    RCP_FAIL
} rcp_permit;

typedef struct rcp_client {
    /* Runs the current strand, which is RUNNING, until the log must be looked at. */
    rcp_pause (*interpret)(struct rcp_machine *machine);

    /* In place of following the log to its end (rcp_run_follow_log()). */
    rcp_code (*lead)(struct rcp_run *run);
    /* In place of reading the log's next record (rcp_machine_advance()): sets machine->record and machine->next. */
    rcp_code (*advance)(struct rcp_machine *machine);
    /* The units from `first` on have been loaded: all of them (0) before anything is executed, then those of a library.
     */
    rcp_code (*part)(struct rcp_machine *machine, size_t first);

    /* The record at hand is about to be followed; it is the current strand's. */
    rcp_code (*record)(struct rcp_machine *machine);
    /* The record at hand is a callback that is about to be entered, from wherever its strand is. */
    rcp_code (*enter)(struct rcp_machine *machine);
    /* The activation of the callback that `record` told of is there. */
    void (*callback)(struct rcp_machine *machine, struct rcp_strand *strand, const rcp_log_record *record);
    /* It has returned, and its activation is gone. */
    rcp_code (*callback_end)(struct rcp_machine *machine, struct rcp_strand *strand);
    /* The strand leaves by the call at its instruction, has come back with `result` (the instruction is the call
     * still), or has lost its activations past `keep` by a jump or an exception. */
    rcp_code (*left)(struct rcp_machine *machine, struct rcp_strand *strand);
    void (*returned)(struct rcp_machine *machine, struct rcp_strand *strand, uint64_t result);
    void (*unwound)(struct rcp_machine *machine, struct rcp_strand *strand, size_t keep);
    /* In place of putting into memory what code outside wrote: an EFFECT, FILL or COPY, within 48 bits of address
     * (rcp_machine_effect()); or the line of a MISS, 64 bytes, for which event `ins` waits. */
    rcp_code (*effect)(struct rcp_machine *machine);
    void (*miss)(struct rcp_machine *machine, struct rcp_strand *strand, const rcp_ins *ins, const uint8_t bytes[64]);

    /* Of a careful stretch: before an event, and before what the log has for it. RCP_GO: as far as the client goes. */
    rcp_permit (*event)(struct rcp_machine *machine, struct rcp_strand *strand, const rcp_ins *ins,
                        const uint64_t *registers);
    /* A VALUE is wanted. False: the record at hand is not it, and the strand stops. */
    bool (*value)(struct rcp_machine *machine);

    bool has_own_order; /* its threads do not follow the log's order: what fails is not said by the log's byte */
} rcp_client;

/* To see whether it is the run that was recorded; nothing else. */
extern const rcp_client rcp_client_values;

#endif
