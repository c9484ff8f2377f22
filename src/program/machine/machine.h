/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a re-execution: memory, threads and where the log is.
 *
 * A strand is a recorded thread that is executed again. It is
 *   ROOT     in code outside, with nothing of ours below it: before its first callback, after its last
 *   RUNNING  the interpreter has it
 *   OUTSIDE  in a call that left: its instruction is the call
 *   STOPPED  before an event: its instruction is the event, whose segment is reserved
 *   FAULTED  in an instruction that faulted
 *   ENDED
 * A frame is a function that is active on a strand. A callback's frame also keeps what its strand was when outside
 * code, or a signal, entered it.
 *
 * It is led by a client (client.h), which brings the interpreter.
 *
 * Ownership: the machine owns its strands; a strand its frames and registers. Routines and records are borrowed.
 */
#ifndef RECIPE_PROGRAM_MACHINE_MACHINE_H
#define RECIPE_PROGRAM_MACHINE_MACHINE_H

#include "program/ir/program.h"
#include "program/machine/client.h"
#include "program/machine/space.h"
#include "program/recording/log_reader.h"
#include "program/recording/thread_names.h"
#include "program/recording/values.h"

typedef enum rcp_strand_state {
    RCP_STRAND_ROOT,
    RCP_STRAND_RUNNING,
    RCP_STRAND_OUTSIDE,
    RCP_STRAND_STOPPED,
    RCP_STRAND_FAULTED,
    RCP_STRAND_ENDED
} rcp_strand_state;

typedef struct rcp_activation {
    rcp_routine *routine;
    uint64_t *registers; /* its slot 0 */
    uint64_t stack;      /* top of the recipe stack at entry: what its caller's is while it is active */
    uint64_t id;         /* never used again: a jump buffer may outlive its frame */
    const rcp_ins *back; /* the caller's instruction; of a callback: where the strand was */
    uint32_t undone;     /* of a callback before an event: events of the segment that are still to come */
    uint8_t state;       /* of a callback: rcp_strand_state to go back to */
    bool is_callback;
} rcp_activation;

/* Where setjmp was called with a buffer. */
typedef struct rcp_jump {
    uint64_t frame;
    const rcp_ins *call;
} rcp_jump;

typedef struct rcp_strand {
    uint32_t number;
    rcp_strand_state state;
    const rcp_ins *pc;
    uint64_t position; /* events reserved: struct rcp_hot's */
    uint64_t stack;
    uint64_t native_lo, native_hi; /* the system's stack for it: variables of code that is not recorded are there */
    RCP_VEC(rcp_activation) frames;
    uint64_t *registers, *registers_end;
    uint32_t *shadow; /* a word beside each register, a client's (interpret_body.inc); NULL: none is wanted */
    uint64_t exception, selector; /* of the last landing */
    const uint64_t *returned;     /* what the callback that has just returned hands to code outside: slots */
    size_t n_returned;
    RCP_VEC(uint8_t) given; /* to the callback that begins: its parameters in memory (byval), one after the other */
    RCP_VEC(uint64_t) thread_locals;
    rcp_map jump_index; /* buffer → index into jumps */
    RCP_VEC(rcp_jump) jumps;
} rcp_strand;

/* A moment of a thread: it stands before its event at this position. */
typedef struct rcp_stand {
    uint64_t position;
    uint32_t thread; /* its number in the log */
} rcp_stand;

typedef struct rcp_machine {
    const rcp_client *client;
    void *context; /* the client's */
    void *shadow;  /* whoever gives the words beside registers their meaning; NULL: there are none */
    rcp_program *program;
    rcp_space *space;
    rcp_log *log;
    rcp_log_record record;  /* the next one */
    uint64_t next;          /* the position before which the current strand must look at it; UINT64_MAX: it need not */
    uint64_t turns;         /* SLICE records so far */
    uint64_t turn_end;      /* the position that the current strand does not pass in this turn */
    uint64_t log_end;       /* past the last record: it has had the events before this position (rcp_turns.last) */
    uint64_t look;          /* the position at which the current strand looks at the clock */
    uint32_t since;         /* what was done since somebody looked there: records, careful events, turns */
    uint64_t most;          /* events of all strands after which it is cut; UINT64_MAX: none */
    const rcp_stand *stops; /* or when all of these are behind; borrowed */
    size_t n_stops;         /* 0: there are none */
    bool may_be_cut, is_cut, is_late; /* the time was over: it ended (rcp_purpose), or failed */
    rcp_strand *current;
    RCP_VEC(rcp_strand *) strands;
    rcp_map strand_index; /* thread number → index */
    uint64_t frames;      /* ever made */
    rcp_values *values;   /* to compare every event with; NULL: none */
    rcp_thread_names *names;
    uint64_t *counts; /* executed instructions by operation; NULL: not counted */
} rcp_machine;

/* Runs the current strand, which is RUNNING, until the log must be looked at. */
static inline rcp_pause rcp_interpret(rcp_machine *machine) { return machine->client->interpret(machine); }

/* The words beside registers of the strand, where it has such. */
static inline uint32_t *rcp_strand_shadow(const rcp_strand *strand, const uint64_t *registers) {
    return strand->shadow + (registers - strand->registers);
}

/* A frame for a routine, its constants in place, its arguments 0. NULL: failed. */
rcp_activation *rcp_strand_push(rcp_machine *machine, rcp_strand *strand, rcp_routine *routine, const rcp_ins *back);
rcp_strand *rcp_strand_create(uint32_t number);
void rcp_strand_destroy(rcp_strand *strand);

/* The thread-local variables that a THREAD record gives places to: those of modules that were there from the start.
 * Appends to `found`. */
typedef struct rcp_thread_local {
    uint64_t lo, hi;
} rcp_thread_local;
typedef RCP_VEC(rcp_thread_local) rcp_thread_locals;
void rcp_machine_thread_locals(const rcp_machine *machine, const rcp_log_record *record, rcp_thread_locals *found);

/* Reads the next record, and says up to where the current strand may run without looking at it. */
rcp_code rcp_machine_advance(rcp_machine *machine) RCP_MUST_USE;
/* The log is at its end, and nothing says that the current strand still had the event at that position. A run that was
 * killed leaves no word of what its last thread did after its last record, so that is taken for not done: it may be a
 * loop that never ends, or hang on memory that code outside has changed. */
static inline bool rcp_machine_is_past_log(const rcp_machine *machine, uint64_t position) {
    return machine->record.tag == RCP_LOG_END && position >= machine->log_end;
}
/* Every so often: is there time left (base/deadline.h)? RCP_STOP: no, and here it is cut. */
enum { RCP_LOOK_EVERY = 1 << 16, RCP_LOOK_RECORD = 1 << 8 }; /* a record counts as so many events */
/* `stands`: the current strand has had its events before this position, at least. */
rcp_permit rcp_machine_look(rcp_machine *machine, uint64_t stands);
/* How much of the run is executed: of its events, or, where nobody has counted them, of its log. */
double rcp_machine_share(const rcp_machine *machine);
/* The position before which the strand stands. */
uint64_t rcp_strand_stands(const rcp_strand *strand);
/* Memory that code outside wrote, as the record at hand says. */
void rcp_machine_effect(rcp_machine *machine);

/* events.c, called before an event of a careful stretch: applies what the log has for it and compares it with the
 * values. */
rcp_permit rcp_machine_event(rcp_machine *machine, rcp_strand *strand, const rcp_ins *ins, const uint64_t *registers);
/* The next record must be a VALUE: takes it. */
rcp_permit rcp_machine_value(rcp_machine *machine, rcp_strand *strand, uint64_t *value);
/* Says where, then what. Returns RCP_BAD_INPUT. */
rcp_code rcp_machine_fail(rcp_machine *machine, const rcp_strand *strand, const rcp_ins *ins, const char *format, ...)
    RCP_PRINTF(4, 5);

/* Rows of slots to and from memory's bytes. */
void rcp_row_read(const rcp_layout *layout, const uint8_t *bytes, uint64_t *row);
void rcp_row_write(const rcp_layout *layout, uint8_t *bytes, const uint64_t *row);
/* What an atomic operation leaves in memory: of RMW and EXCHANGE, given what is there. */
void rcp_atomic_result(const rcp_ins *ins, const uint64_t *registers, const uint64_t old[2], uint64_t result[2]);
uint32_t rcp_atomic_size(const rcp_ins *ins);

#endif
