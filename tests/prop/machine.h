/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that the generator's programs run on: synchronisation objects, sleepers and memory with concrete values.
 *
 * A step function carries one event out and adds it to the trace, if it can happen now: RCP_STEP_DONE. Otherwise
 * nothing changes: RCP_STEP_BLOCKED if it may become possible, RCP_STEP_NEVER if not. So whatever is in the trace did
 * happen.
 *
 * Simplifications that only make programs tamer: a wait's fate (signalled, timeout, spurious) is drawn when it begins;
 * an object is destroyed only when nobody is inside any of its operations, but for a condition whose sleepers were
 * woken: they then never get on.
 *
 * Invariant: at most RCP_GEN_MAX_EVENTS events. The machine borrows the trace.
 */
#ifndef RECIPE_PROP_MACHINE_H
#define RECIPE_PROP_MACHINE_H

#include "prop/gen.h"
#include "prop/random.h"

#define RCP_MACHINE_OBJECTS    8
#define RCP_MACHINE_VARS       UINT64_C(0x1000) /* variables of 8 bytes side by side */
#define RCP_MACHINE_VAR_BYTES  24
#define RCP_MACHINE_HEAP       UINT64_C(0x2000)
#define RCP_MACHINE_HEAP_BYTES 16
#define RCP_MACHINE_OBJECT(i)  (UINT64_C(0x3000) + 8 * (i)) /* where objects lie */
#define RCP_MACHINE_WIDEST     16

typedef enum rcp_step_result { RCP_STEP_DONE, RCP_STEP_BLOCKED, RCP_STEP_NEVER } rcp_step_result;

typedef struct rcp_machine_thread {
    bool started, began, finished, joined;
    bool waiting; /* between WAIT and WAKE */
    bool woken;
    uint8_t fate; /* rcp_outcome of the WAKE to come */
    rcp_obj cond, lock;
    bool in_barrier; /* between ENTER and LEAVE */
    rcp_obj barrier;
    uint32_t generation;
    uint64_t reads[RCP_GEN_MAX_EVENTS]; /* the read events that it knows: its own, and what it was handed */
    uint32_t n_reads;
} rcp_machine_thread;

typedef struct rcp_machine_object {
    rcp_object_kind kind;
    bool needs_init, initialised, destroyed;
    uint32_t holder, depth;
    uint32_t shared[RCP_GEN_MAX_THREADS];
    uint64_t count; /* semaphore's count, barrier's members in the current generation */
    uint64_t initial;
    uint32_t generation;
    uint32_t serial[RCP_GEN_MAX_EVENTS + 1];  /* who is told so, by generation */
    uint32_t members[RCP_GEN_MAX_EVENTS + 1]; /* bit mask of threads, by generation */
    bool once_begun, once_ended;
    uint32_t once_by;
} rcp_machine_object;

typedef struct rcp_machine {
    rcp_trace *trace;
    rcp_random *random;
    bool begins, ends;         /* the trace has BEGIN and END events */
    uint32_t unvalued_percent; /* of accesses and branches */
    bool exited;
    uint32_t n_threads, n_objects;
    rcp_machine_thread threads[RCP_GEN_MAX_THREADS];
    rcp_machine_object objects[RCP_MACHINE_OBJECTS];
    uint8_t memory[RCP_MACHINE_VAR_BYTES + RCP_MACHINE_HEAP_BYTES];
    uint8_t taken[RCP_GEN_MAX_EVENTS + 1][RCP_MACHINE_WIDEST]; /* what each read took, recorded or not */
    rcp_evaluator evaluator;
} rcp_machine;

void rcp_machine_init(rcp_machine *machine, rcp_trace *trace, rcp_random *random);
void rcp_machine_finish(rcp_machine *machine);
rcp_obj rcp_machine_object_new(rcp_machine *machine, rcp_object_kind kind, const char *name, uint64_t initial);

/* The number that the next event will have. */
rcp_eid rcp_machine_next(const rcp_machine *machine);
/* False where the term's value is undefined. */
bool rcp_machine_evaluate(rcp_machine *machine, rcp_term term, uint64_t *value);
uint8_t *rcp_machine_byte(rcp_machine *machine, uint64_t addr);
/* The address lies in memory that the machine has. */
bool rcp_machine_has(uint64_t addr, uint32_t size);

rcp_step_result rcp_machine_begin(rcp_machine *machine, uint32_t tid);
rcp_step_result rcp_machine_end(rcp_machine *machine, uint32_t tid);
rcp_step_result rcp_machine_exit(rcp_machine *machine, uint32_t tid);
rcp_step_result rcp_machine_fork(rcp_machine *machine, uint32_t tid, uint32_t child);
/* `may_fail`: gives up where it would have to sleep, with outcome RCP_FAILED. */
rcp_step_result rcp_machine_join(rcp_machine *machine, uint32_t tid, uint32_t child, bool may_fail);
rcp_step_result rcp_machine_acquire(rcp_machine *machine, uint32_t tid, rcp_obj lock, rcp_mode mode, bool may_fail);
rcp_step_result rcp_machine_release(rcp_machine *machine, uint32_t tid, rcp_obj lock, rcp_mode mode);
rcp_step_result rcp_machine_wait(rcp_machine *machine, uint32_t tid, rcp_obj cond, rcp_obj lock, rcp_outcome fate);
rcp_step_result rcp_machine_wake(rcp_machine *machine, uint32_t tid);
rcp_step_result rcp_machine_signal(rcp_machine *machine, uint32_t tid, rcp_obj cond, bool all);
rcp_step_result rcp_machine_post(rcp_machine *machine, uint32_t tid, rcp_obj sem);
rcp_step_result rcp_machine_down(rcp_machine *machine, uint32_t tid, rcp_obj sem, bool may_fail);
rcp_step_result rcp_machine_enter(rcp_machine *machine, uint32_t tid, rcp_obj barrier);
rcp_step_result rcp_machine_leave(rcp_machine *machine, uint32_t tid);
/* Begins it, or skips it when it has been run. */
rcp_step_result rcp_machine_once(rcp_machine *machine, uint32_t tid, rcp_obj once);
rcp_step_result rcp_machine_once_end(rcp_machine *machine, uint32_t tid, rcp_obj once);
rcp_step_result rcp_machine_lifetime(rcp_machine *machine, uint32_t tid, rcp_obj object, bool begins);
rcp_step_result rcp_machine_alloc(rcp_machine *machine, uint32_t tid, uint64_t addr, uint64_t bytes, bool zeroed,
                                  rcp_term addr_term);
rcp_step_result rcp_machine_free(rcp_machine *machine, uint32_t tid, uint64_t addr, uint64_t bytes, rcp_term addr_term);
rcp_step_result rcp_machine_opaque(rcp_machine *machine, uint32_t tid, rcp_kind kind, rcp_reach reach);
rcp_step_result rcp_machine_fence(rcp_machine *machine, uint32_t tid, rcp_order order);
rcp_step_result rcp_machine_branch(rcp_machine *machine, uint32_t tid, rcp_term cond, uint64_t value);
/* The event carries kind, mode, addr, size, terms; `written` is what a WRITE or RMW writes. */
rcp_step_result rcp_machine_access(rcp_machine *machine, uint32_t tid, rcp_event event, const uint8_t *written);

#endif
