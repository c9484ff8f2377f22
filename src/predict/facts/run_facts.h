/* SPDX-License-Identifier: Apache-2.0 */
/* What prediction asks of a trace again and again, looked up once: critical sections, what happens to each object, who
 * writes where, where lives end, which terms speak of other threads' reads. Built in time linear in the trace (but for
 * a logarithm), and the same for every candidate and every model.
 *
 * Events are numbers of 32 bits here; RCP_NO_EVENT is none.
 *
 * Invariant: immutable once made. Owns its tables, borrows the trace, which must be indexed and stay as it is.
 */
#ifndef RECIPE_PREDICT_FACTS_RUN_FACTS_H
#define RECIPE_PREDICT_FACTS_RUN_FACTS_H

#include "predict/facts/term_facts.h"
#include "trace/check/causal.h"
#include "trace/check/observed.h"

#define RCP_NO_EVENT UINT32_MAX

/* From the ACQUIRE or WAKE by which a thread takes a lock in a mode to the RELEASE or WAIT that gives it back: where
 * the thread holds it several times, the outermost ones. */
typedef struct rcp_critical {
    uint32_t acquire, release; /* RCP_NO_EVENT: never released */
    uint32_t tid, lock;
    uint8_t mode; /* rcp_mode */
} rcp_critical;

/* Events by object, or by 8-byte word: list i is at[first[i] .. first[i + 1]), ascending. */
typedef struct rcp_lists {
    uint32_t *first, *at;
    size_t n;
} rcp_lists;

typedef struct rcp_life_end {
    uint64_t lo, hi;
    uint32_t by;
} rcp_life_end;

/* A term of `event` speaks of a read of another thread. */
typedef struct rcp_foreign {
    uint32_t event, read;
    bool value_only; /* of the value term alone */
} rcp_foreign;

typedef struct rcp_run_facts {
    const rcp_trace *trace;
    rcp_observed observed;
    RCP_VEC(rcp_critical) sections; /* by lock, then by acquire */
    uint32_t *first_section;        /* of a lock: sections.at[first_section[o] .. first_section[o + 1]) */
    rcp_map section_at;             /* acquire event -> section */
    rcp_lists named;                /* by object: every event that names it, also as the lock of a WAIT or WAKE */
    uint32_t *balance;              /* beside named.at: see rcp_run_facts_balance() */
    rcp_map partner;                /* BARRIER_ENTER -> its LEAVE, and back */
    uint32_t *init, *destroy;       /* by object */
    rcp_map word_at;                /* word number -> its list in writers */
    rcp_lists writers;              /* by word: WRITE and RMW events that touch it */
    rcp_lists opaques;              /* by reach: its opaque events */
    rcp_ranges first_ends;          /* where the trace's first life ends: address -> event */
    rcp_map life_ends_at;           /* the event that begins a life -> life_lists */
    RCP_VEC(rcp_pieces) life_lists;
    RCP_VEC(rcp_life_end) life_ends;
    RCP_VEC(rcp_foreign) foreign; /* by event; of each other thread the last read, which has all before it */
    rcp_term_facts terms;
    bool all_valued; /* every access and branch has its recorded value */
    /* What relaxed values (V3) make of the recorded order itself. Reads of uninitialised memory deviate even there. */
    uint32_t *first_deviation; /* by thread: its first read that does; RCP_NO_EVENT: none */
    rcp_bits *unknown; /* a bit per event: a write whose value is unknown for this reason; NULL: there is none */
} rcp_run_facts;

rcp_code rcp_run_facts_init(rcp_run_facts *facts, const rcp_trace *trace) RCP_MUST_USE;
void rcp_run_facts_finish(rcp_run_facts *facts);

static inline const rcp_event *rcp_run_facts_event(const rcp_run_facts *facts, uint32_t event) {
    return &facts->trace->events.at[event];
}
/* How many of the list's events come before `event`. */
size_t rcp_lists_before(const rcp_lists *lists, size_t list, uint32_t event);
/* After the first `place` events of an object's list: of a SEM its count; of a COND how many sleep and may be chosen;
 * of a BARRIER how many have entered in all. */
uint64_t rcp_run_facts_balance(const rcp_run_facts *facts, uint32_t object, size_t place);
/* The sections of the lock that are open just before `event`, in no particular order. */
void rcp_run_facts_open_sections(const rcp_run_facts *facts, uint32_t lock, uint32_t event, void *context,
                                 void (*each)(void *context, uint32_t section));
/* The event that ends the life `life` (as in rcp_observed_life()) of the byte at `addr`; the same up to *upto. */
uint32_t rcp_run_facts_life_end(const rcp_run_facts *facts, uint32_t life, uint64_t addr, uint64_t hi, uint64_t *upto);
/* Who wrote the byte last before `event`, in the life that `life` began: 1 + the event; 0: nobody. */
uint32_t rcp_run_facts_writer_before(const rcp_run_facts *facts, uint64_t addr, uint32_t life, uint32_t event);
/* The same of WRITE and RMW alone, as if opaque code wrote nothing. */
uint32_t rcp_run_facts_plain_writer_before(const rcp_run_facts *facts, uint64_t addr, uint32_t life, uint32_t event);
/* The OPAQUE_BEGIN of the call outside whose arguments, or what it reads, this BRANCH stands for; RCP_NO_EVENT: it does
 * not. (By its place in the program: whoever records puts them there.) */
uint32_t rcp_run_facts_call_of(const rcp_run_facts *facts, uint32_t branch);
/* Relaxed values, recorded order: is the byte of this read unknown? */
bool rcp_run_facts_byte_unknown(const rcp_run_facts *facts, uint32_t read, uint64_t addr);
/* The thread's event after, or before, this one; RCP_NO_EVENT: there is none. */
uint32_t rcp_run_facts_next(const rcp_run_facts *facts, uint32_t event);
uint32_t rcp_run_facts_previous(const rcp_run_facts *facts, uint32_t event);
/* A WAIT that a SIGNAL can't choose: its WAKE is a timeout or spurious (C5). */
bool rcp_run_facts_waits_alone(const rcp_run_facts *facts, uint32_t wait);
/* run_facts_values.c: also the recorded values of terms. */
void rcp_run_facts_find_unknown(rcp_run_facts *facts);

#endif
