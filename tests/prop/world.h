/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle's rules: docs/semantics.md transcribed in the most naive way, for traces of at most 64 events.
 *
 * A world is a trace with what follows from the observed order alone: which life each byte of each event belongs to,
 * who wrote what each read read, which reads a term needs. A state is what a schedule has led to. Nearly everything
 * about it follows from the set of executed events (a lock is held by whoever executed more acquires than releases);
 * only what depends on their order is kept beside it. rcp_world_step() lists the states that one more event can lead
 * to: none if a rule forbids it, several where a SIGNAL has a choice.
 *
 * It shares no code with the checker, which it judges; only the evaluator of terms is common to both.
 *
 * Invariant: equal states are equal as bytes, so that they can be hashed. The world borrows the trace and owns the
 * rest.
 */
#ifndef RECIPE_PROP_WORLD_H
#define RECIPE_PROP_WORLD_H

#include "trace/check/checker.h"
#include "trace/model/trace.h"

#define RCP_WORLD_EVENTS 64
#define RCP_WORLD_NOBODY 0xff /* as a writer: the initial contents; as an event: none */

typedef uint64_t rcp_event_set; /* bit i: event i */

/* A byte of one life. */
typedef struct rcp_world_byte {
    uint64_t addr;
    uint8_t begin, end; /* the events that begin and end its life, as seen by the event that it belongs to */
    uint8_t writer;     /* of a reading event: the observed writer */
    uint16_t cell;      /* where its content is */
} rcp_world_byte;

typedef struct rcp_world_event {
    rcp_world_byte *bytes; /* of an access, ALLOC, FREE; of an opaque event those of its reach that something covers */
    size_t n_bytes;
    rcp_event_set before;                              /* earlier events of its thread */
    rcp_event_set cond_reads, addr_reads, value_reads; /* what these depend on */
    rcp_event_set causal;                              /* V1: the reads that its execution makes causal */
    rcp_event_set causal_addr;                         /* V1: those that its address does */
    rcp_event_set needs;                               /* P1: what must have been executed */
    rcp_event_set later;                               /* P3: recorded later, and not before their time */
    rcp_event_set ends;                                /* P3: the begins of the stretches of time that end here */
    bool is_early, begins;                             /* P3 */
    uint16_t taken;                                    /* of a read: where what it took is */
    uint8_t entry;                                     /* of a BARRIER_ENTER: where its generation is */
} rcp_world_event;

typedef enum rcp_world_knowledge { RCP_WORLD_KNOWN, RCP_WORLD_AS_RECORDED, RCP_WORLD_UNKNOWN } rcp_world_knowledge;

typedef struct rcp_world_content {
    uint8_t knowledge; /* rcp_world_knowledge */
    uint8_t value;     /* where known */
    uint8_t writer;
} rcp_world_content;

typedef struct rcp_world_taken {
    uint8_t known, value;
} rcp_world_taken;

typedef struct rcp_world_state {
    rcp_event_set executed;
    rcp_event_set woken;    /* WAITs that a signal has ended */
    rcp_event_set off;      /* V1: reads with another last writer than observed, or of uninitialised memory */
    rcp_event_set deviated; /* V3: reads that deviate */
    rcp_event_set late;     /* P3: begins of stretches of time that came too late */
    uint8_t rest[];         /* contents of cells, generations of entries, V3: what reads took */
} rcp_world_state;

typedef struct rcp_world {
    const rcp_trace *trace;
    rcp_check_options options;
    size_t n, n_threads;
    bool implicit;
    rcp_world_event events[RCP_WORLD_EVENTS];
    rcp_event_set *of_thread;
    size_t n_cells, n_entries, n_taken;
    rcp_world_content *initial; /* of each cell */
    size_t state_size;
    rcp_evaluator evaluator;
    const rcp_world_state *evaluated; /* the state whose reads the evaluator sees */
} rcp_world;

/* `trace` must be indexed and have at most RCP_WORLD_EVENTS events. */
void rcp_world_init(rcp_world *world, const rcp_trace *trace, rcp_check_options options);
void rcp_world_finish(rcp_world *world);

/* The state before the first event; `state` has room for world->state_size bytes. */
void rcp_world_begin(const rcp_world *world, rcp_world_state *state);
/* The next event of thread `tid`; RCP_WORLD_NOBODY where it has executed all. */
unsigned rcp_world_next(const rcp_world *world, const rcp_world_state *state, size_t tid);
/* Executes event `e`, the next of its thread. Writes the possible states to `to`, one after the other (room for one per
 * thread is enough), and returns how many there are. */
size_t rcp_world_step(rcp_world *world, const rcp_world_state *state, unsigned e, void *to);
/* Do the two events race here? */
bool rcp_world_race(rcp_world *world, const rcp_world_state *state, unsigned a, unsigned b);

/* Are these events (`n` of them) a deadlock here? */
bool rcp_world_deadlock(rcp_world *world, const rcp_world_state *state, const unsigned *events, size_t n);

static inline rcp_world_content *rcp_world_contents(rcp_world_state *state) { return (rcp_world_content *)state->rest; }
static inline rcp_world_taken *rcp_world_takens(const rcp_world *world, rcp_world_state *state) {
    return (rcp_world_taken *)(state->rest + world->n_cells * sizeof(rcp_world_content));
}
static inline uint8_t *rcp_world_generations(const rcp_world *world, rcp_world_state *state) {
    return state->rest + world->n_cells * sizeof(rcp_world_content) + world->n_taken * sizeof(rcp_world_taken);
}

#endif
