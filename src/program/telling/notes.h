/* SPDX-License-Identifier: Apache-2.0 */
/* What a stretch of the recorded run did, event by event, and what caused each: for whoever runs the same threads in
 * another order (program/concrete/concrete.h) and compares.
 *
 * An event comes from an instruction, or from a record of the log. Calls outside are noted with what flows into them,
 * lines that outside code changed with the bytes of them that no event tells.
 *
 * Notes are plain words and bytes, so that they can be sent to another process: no pointers into a program, whose
 * functions each process decodes for itself. They own their memory.
 */
#ifndef RECIPE_PROGRAM_TELLING_NOTES_H
#define RECIPE_PROGRAM_TELLING_NOTES_H

#include "base/text.h"
#include "program/machine/machine.h"
#include "trace/model/defs.h"

/* rcp_noted.record */
#define RCP_NOTED_INSTRUCTION UINT64_C(0)
#define RCP_NOTED_HANDLER_END UINT64_MAX
#define RCP_NOTED_RECORD(at)  ((at) + 1)

typedef struct rcp_noted {
    uint64_t record;   /* what caused it: one of the above */
    uint64_t function; /* of the instruction: rcp_notes_function() */
    uint64_t position; /* of an instruction that is an event: its own; else what its thread had reserved */
    uint64_t addr;
    uint64_t bytes, written; /* in `contents`: `size` bytes that were read, or written */
    uint32_t size, ins;      /* ins: number of the instruction in its function */
    uint32_t thread;         /* number */
    uint8_t kind, valued, has_position;
} rcp_noted;

typedef struct rcp_noted_call {
    uint32_t thread;
    bool takes_arguments; /* they are pinned */
    uint32_t first, n;    /* in `spans`: the memory that it reads */
} rcp_noted_call;

typedef struct rcp_noted_miss {
    uint64_t at;   /* of the record */
    uint64_t mask; /* a bit per byte of the line: it changed, and is not told */
} rcp_noted_miss;

/* What a line has held from the beginning, as far as anybody can tell (RCP_ODD_FIRST): whoever reads it first has the
 * record, and all others find it there. */
typedef struct rcp_noted_line {
    uint64_t address, mask;
    uint8_t bytes[64];
} rcp_noted_line;

typedef struct rcp_notes {
    uint64_t first;  /* the event that at[0] is */
    uint64_t record; /* the cause of what is told now */
    RCP_VEC(rcp_noted) at;
    RCP_VEC(uint8_t) contents;
    RCP_VEC(rcp_noted_call) calls;
    RCP_VEC(rcp_span) spans;
    RCP_VEC(rcp_noted_miss) misses;
    RCP_VEC(rcp_noted_line) lines;
} rcp_notes;

/* Forgets all of it: the stretch begins here, where event `first` comes next. */
void rcp_notes_restart(rcp_notes *notes, uint64_t first);

/* A number for the function, the same in every process. */
uint64_t rcp_notes_function(const rcp_routine *routine);
void rcp_notes_event(rcp_notes *notes, const rcp_strand *strand, const rcp_ins *ins, const rcp_event *event);
void rcp_notes_call(rcp_notes *notes, uint32_t thread, bool takes_arguments);
/* Of the last call. */
void rcp_notes_call_reads(rcp_notes *notes, uint64_t address, uint64_t size);
/* The line is not in memory yet. `is_first`: it may always have been so. */
void rcp_notes_miss(rcp_notes *notes, rcp_space *space, uint64_t at, uint64_t address, const uint8_t bytes[64],
                    bool is_first);

void rcp_notes_put(const rcp_notes *notes, rcp_text *to);
/* Takes its place in `at`; false: the bytes are cut off. */
bool rcp_notes_get(rcp_notes *notes, const char **at, const char *end);

#endif
