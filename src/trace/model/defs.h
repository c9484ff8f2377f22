/* SPDX-License-Identifier: Apache-2.0 */
/* What events refer to: strings, source locations, stacks, threads, objects, variables, reaches, initial memory.
 *
 * Append-only tables, so that a writer can put on disk what is new since its last chunk, and a reader that stops
 * anywhere has every definition that the events so far need. Entry 0 of strings, locations, stacks and reaches is
 * 'none'.
 *
 * Invariant: an entry refers only to entries that exist. The tables own all their memory; what borrow_ returns holds
 * until the next addition to the same table.
 */
#ifndef RECIPE_TRACE_MODEL_DEFS_H
#define RECIPE_TRACE_MODEL_DEFS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/ranges.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"
#include "trace/model/event.h"

typedef struct rcp_string {
    const char *at; /* NUL-terminated; may hold any byte but NUL */
    size_t len;
} rcp_string;

typedef struct rcp_location {
    rcp_str file, function;
    uint32_t line, column; /* 0: unknown */
    rcp_str member; /* of an access, what the source calls what it is to: "pool.completed"; 0: nothing, or unknown */
} rcp_location;

/* A stack is its innermost frame and the stack of its caller. An event's own frame is its `loc`; its `stack` begins
 * with the call that led there. */
typedef struct rcp_frame {
    rcp_loc loc;
    rcp_stack caller;
} rcp_frame;

typedef struct rcp_thread_def {
    rcp_str name;
} rcp_thread_def;

typedef struct rcp_object {
    uint8_t kind; /* rcp_object_kind */
    rcp_str name;
    uint64_t addr;    /* 0: unknown */
    uint64_t initial; /* semaphore: count, barrier: members */
} rcp_object;

typedef struct rcp_variable {
    rcp_str name;
    uint64_t addr, size;
} rcp_variable;

typedef struct rcp_span {
    uint64_t lo, hi;
} rcp_span;

/* Facts by which whoever tells says what the program asks for ('Annotations'): places that are not to be reported, and
 * how many accesses there were of memory in which it wants races. */
#define RCP_SPARED_FACT "spared"
#define RCP_WANTED_FACT "wanted"

/* And how a variable is declared that goes with its thread and whose address is stored somewhere, in words between
 * tabs: "local" or "thread_local", its name, file and line, then file, line and column of what stores the address. */
#define RCP_LENT_FACT "lent"

/* And where a block was allocated that somebody frees, if no event tells that because nothing was shared in it before:
 * words between tabs, the number of the FREE, that of a location, and that location's line, column and file. */
#define RCP_ALLOCATED_FACT "allocated"

/* What opaque code reaches, and what it only follows (docs/semantics.md, 'Opaque code'): 2^49 + n stands for following
 * 2^48 + n, which must be one of the objects that the system keeps. */
#define RCP_REACH_FOLLOWED UINT64_C(0x2000000000000)
#define RCP_REACH_UNFOLLOW UINT64_C(0x1000000000000) /* taken off, it is the address that is followed */

typedef struct rcp_reach_def {
    const rcp_span *spans; /* sorted, disjoint, not empty: n that are reached, then those that are followed */
    size_t n, followed;
} rcp_reach_def;

/* Bytes that memory holds before the first event. What no image covers is unknown until a read shows it. */
typedef struct rcp_image {
    uint64_t addr;
    const uint8_t *bytes;
    size_t n;
} rcp_image;

/* 'program', 'command', 'source' …: facts about the trace as a whole. */
typedef struct rcp_fact {
    rcp_str key, value;
} rcp_fact;

typedef struct rcp_defs {
    rcp_arena memory;
    RCP_VEC(rcp_string) strings;
    RCP_VEC(rcp_location) locations;
    RCP_VEC(rcp_frame) stacks;
    RCP_VEC(rcp_thread_def) threads;
    RCP_VEC(rcp_object) objects;
    RCP_VEC(rcp_variable) variables;
    RCP_VEC(rcp_reach_def) reaches;
    RCP_VEC(rcp_image) images;
    RCP_VEC(rcp_fact) facts;
    rcp_map by_hash; /* strings, locations and stacks by hash: for interning */
    rcp_ranges held; /* each byte: the smallest variable that holds it, of equals the first */
} rcp_defs;

void rcp_defs_init(rcp_defs *defs);
void rcp_defs_finish(rcp_defs *defs);

/* Interning: the same content gives the same id. */
rcp_str rcp_defs_string(rcp_defs *defs, const char *at, size_t len);
rcp_loc rcp_defs_location(rcp_defs *defs, rcp_location location);
rcp_stack rcp_defs_stack(rcp_defs *defs, rcp_frame frame);

/* Always a new entry. `name` may be NULL. */
rcp_tid rcp_defs_thread(rcp_defs *defs, const char *name);
rcp_obj rcp_defs_object(rcp_defs *defs, rcp_object_kind kind, const char *name, uint64_t addr, uint64_t initial);
void rcp_defs_variable(rcp_defs *defs, const char *name, uint64_t addr, uint64_t size);
void rcp_defs_add_variable(rcp_defs *defs, rcp_variable variable);
void rcp_defs_image(rcp_defs *defs, uint64_t addr, const uint8_t *bytes, size_t n);
void rcp_defs_fact(rcp_defs *defs, const char *key, const char *value);
/* Refuses spans that are empty, unsorted or overlapping, and what can't be followed. */
rcp_code rcp_defs_reach(rcp_defs *defs, const rcp_span *spans, size_t n, rcp_reach *reach) RCP_MUST_USE;

static inline const char *rcp_defs_borrow_string(const rcp_defs *defs, rcp_str string) {
    return defs->strings.at[string.v].at;
}
/* An opaque event by this name is a fence in every thread: membarrier(), or a call of the system that may be one, has
 * such a pair. */
#define RCP_FENCES_ALL "a fence in every thread"
bool rcp_defs_fences_all(const rcp_defs *defs, const rcp_event *event);
/* The value of the last fact with this key; NULL where there is none. */
const char *rcp_defs_borrow_fact(const rcp_defs *defs, const char *key);
/* Something else than the order of what threads do may decide what they do next; by what. */
#define RCP_BEYOND_FACT    "beyond"
#define RCP_BEYOND_CALLS   "calls"   /* code outside, once there are threads */
#define RCP_BEYOND_SIGNALS "signals" /* handlers, timers */
#define RCP_BEYOND_KINDS   "kinds"   /* a lock that looks at who waits */

/* When the program ended, this thread waited for another one's end, for good. */
#define RCP_JOINS_FACT "joins"

/* Release sequences go on by read-modify-writes alone, as in C++20, in all of the program (docs/semantics.md, W2): this
 * fact. */
#define RCP_SEQUENCES_FACT   "release sequences"
#define RCP_SEQUENCES_NARROW "C++20"
bool rcp_defs_narrow_sequences(const rcp_defs *defs);
/* Imported traces without branch events are read as if a branch on all earlier reads of its thread followed every read
 * (docs/semantics.md): the fact 'branches' = 'implicit'. */
bool rcp_defs_implicit_branches(const rcp_defs *defs);
/* Every barrier pair counts as if it reached everything: the fact 'barriers' = 'simple'. */
bool rcp_defs_simple_barriers(const rcp_defs *defs);
/* The spans of a fact that is a list of them, "0x1000-0x2000 0x8000-0x9000": 'seen' and 'guarded' of rule P1. The first
 * one where *at is NULL, then the next one; false: there are no more. */
bool rcp_defs_next_span(const rcp_defs *defs, const char *fact, const char **at, rcp_span *span);
/* The smallest variable that holds `addr`, of equals the first; NULL where none does. Of one that reaches past the end
 * of the address space what is before the last byte counts. */
const rcp_variable *rcp_defs_find_variable(const rcp_defs *defs, uint64_t addr);
/* How an access at `addr` is called: "x", "x+4", by the source's own words where they begin so, as "x.count", and by
 * these alone where no variable is there (NULL); nothing where there are none. */
void rcp_defs_name_access(const rcp_defs *defs, const rcp_variable *variable, uint64_t addr, const char *member,
                          rcp_text *to);
bool rcp_defs_is_member_of(const rcp_defs *defs, const char *member, const rcp_variable *variable);
bool rcp_defs_reach_holds(const rcp_defs *defs, rcp_reach reach, uint64_t lo, uint64_t hi);

#endif
