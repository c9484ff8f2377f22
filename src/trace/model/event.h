/* SPDX-License-Identifier: Apache-2.0 */
/* The event model: what one step of one thread is, as far as races are concerned.
 *
 * A trace is a sequence of events in the order in which they happened: one thread at a time, sequentially consistent.
 * Memory is bytes; an access has any width and alignment. A synchronisation call is one event, or two where the thread
 * can sleep in it (WAIT/WAKE, BARRIER_ENTER/BARRIER_LEAVE): each event is one atomic step. The outcome of a call that
 * can fail (trylock, timedwait, tryjoin …) is part of the event.
 *
 * Locations and lives. A byte's life begins with the trace, with an ALLOC or with a FREE that covers it, and ends where
 * the next one begins. Accesses conflict only within a life; a FREE counts as a write in the life it ends and in the
 * one it begins (so a use after free is a conflict with it).
 *
 * Which fields a kind uses stands in one table, rcp_event_traits(): the store, the text form and the checks go by it.
 * An unused field is zero.
 *
 * Ownership: `bytes` and `written_bytes` (accesses wider than 8 bytes) are borrowed from whoever gave the event out.
 */
#ifndef RECIPE_TRACE_MODEL_EVENT_H
#define RECIPE_TRACE_MODEL_EVENT_H

#include "trace/model/ids.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum rcp_kind {
    RCP_BEGIN,         /* first event of a thread */
    RCP_END,           /* last event of a thread */
    RCP_FORK,          /* child */
    RCP_JOIN,          /* child; RCP_FAILED: it had not ended (tryjoin, timedjoin) */
    RCP_READ,          /* addr size value order; a compare-and-swap that failed is one, with its condition in `cond` */
    RCP_WRITE,         /* addr size value order */
    RCP_RMW,           /* addr size value written order: an atomic read and write in one step */
    RCP_FENCE,         /* order */
    RCP_ACQUIRE,       /* lock mode; RCP_FAILED: somebody held it */
    RCP_RELEASE,       /* lock mode */
    RCP_WAIT,          /* cond, lock: releases the lock (one level of it) and sleeps */
    RCP_WAKE,          /* cond, lock: has been woken and holds the lock again; outcome says by what */
    RCP_SIGNAL,        /* cond: wakes one of those that sleep now, if any */
    RCP_BROADCAST,     /* cond: wakes all that sleep now */
    RCP_SEM_POST,      /* semaphore */
    RCP_SEM_WAIT,      /* semaphore; RCP_FAILED: the count was 0 */
    RCP_BARRIER_ENTER, /* barrier */
    RCP_BARRIER_LEAVE, /* barrier; RCP_SERIAL for the one thread that is told so */
    RCP_ONCE_BEGIN,    /* once: this thread runs the routine */
    RCP_ONCE_END,      /* once: the routine has returned */
    RCP_ONCE_SKIP,     /* once: the routine had been run */
    RCP_INIT,          /* object: its life begins (statically initialised ones have none) */
    RCP_DESTROY,       /* object: its life ends; the same address later is another object */
    RCP_ALLOC,         /* addr, value = number of bytes; RCP_ZEROED where the bytes are known to be 0 */
    RCP_FREE,          /* addr, value = number of bytes */
    RCP_BRANCH,        /* value = which way; cond = the term that decided it */
    RCP_OPAQUE_BEGIN,  /* barrier pair: code that is not instrumented begins; callee, reach */
    RCP_OPAQUE_END,    /* and ends */
    RCP_EXIT,          /* the process ends: nothing of anybody runs after it */
    RCP_KINDS
} rcp_kind;

/* Memory order of an access. Sequential consistency is assumed of all of them; RCP_PLAIN alone can race with itself. */
typedef enum rcp_order {
    RCP_PLAIN,
    RCP_RELAXED,
    RCP_CONSUME,
    RCP_ACQ,
    RCP_REL,
    RCP_ACQ_REL,
    RCP_SEQ_CST,
    RCP_ORDERS
} rcp_order;

/* Mode of a lock operation. */
typedef enum rcp_mode { RCP_EXCLUSIVE, RCP_SHARED, RCP_MODES } rcp_mode;

typedef enum rcp_outcome {
    RCP_DONE,     /* the ordinary outcome: succeeded, was signalled */
    RCP_FAILED,   /* ACQUIRE, SEM_WAIT, JOIN: did not get it (busy or timed out) */
    RCP_TIMEOUT,  /* WAKE: nobody signalled, time ran out */
    RCP_SPURIOUS, /* WAKE: nobody signalled */
    RCP_SERIAL,   /* BARRIER_LEAVE: PTHREAD_BARRIER_SERIAL_THREAD */
    RCP_ZEROED,   /* ALLOC: calloc, fresh pages */
    RCP_OUTCOMES
} rcp_outcome;

/* Kinds of synchronisation objects. */
typedef enum rcp_object_kind {
    RCP_MUTEX,
    RCP_RECURSIVE, /* a mutex that its holder may acquire again */
    RCP_SPIN,
    RCP_RWLOCK,
    RCP_COND,
    RCP_SEM,     /* initial: its count */
    RCP_BARRIER, /* initial: its number of members */
    RCP_ONCE,
    RCP_OBJECT_KINDS
} rcp_object_kind;

/* An access is at most this many bytes. Whoever records a larger copy divides it: a race on it is the same, and every
 * check of a byte stays affordable. */
#define RCP_ACCESS_MAX (UINT32_C(1) << 26)

/* Two terms that are no expressions (see trace/model/term.h). */
#define RCP_TERM_CONST ((rcp_term){0}) /* depends on no read: the recorded value always holds */
#define RCP_TERM_ALL   ((rcp_term){1}) /* no information: may depend on every earlier read of its thread */

typedef struct rcp_event {
    uint8_t kind;    /* rcp_kind */
    uint8_t mode;    /* rcp_order of an access or fence, rcp_mode of a lock operation */
    uint8_t outcome; /* rcp_outcome */
    uint8_t valued;  /* READ, WRITE, RMW, BRANCH: 1 if the values below were recorded (STD traces have none) */
    rcp_tid tid;
    rcp_loc loc;
    rcp_stack stack;
    uint64_t addr;
    union {
        uint64_t value;       /* size <= 8: little-endian, upper bytes zero; see also the kinds */
        const uint8_t *bytes; /* size > 8 */
    };
    union {
        uint64_t written; /* RMW: what was written */
        const uint8_t *written_bytes;
    };
    uint32_t size;
    union {
        rcp_tid child;  /* FORK, JOIN */
        rcp_obj object; /* every synchronisation event */
        rcp_str callee; /* OPAQUE_* */
    };
    union {
        rcp_obj lock;    /* WAIT, WAKE: the mutex */
        rcp_reach reach; /* OPAQUE_* */
    };
    rcp_term value_term; /* WRITE, RMW: the written value */
    rcp_term addr_term;  /* accesses, ALLOC, FREE: the address */
    rcp_term cond;       /* BRANCH: its condition; READ, RMW: the condition of a compare-and-swap, which must stay as
                            recorded (RMW: 1, READ: 0) */
} rcp_event;

/* Which fields a kind uses. */
enum {
    RCP_USES_CHILD = 1 << 0,
    RCP_USES_OBJECT = 1 << 1,
    RCP_USES_LOCK = 1 << 2,  /* the second object of WAIT, WAKE */
    RCP_USES_MODE = 1 << 3,  /* lock mode */
    RCP_USES_ORDER = 1 << 4, /* memory order */
    RCP_USES_ADDR = 1 << 5,
    RCP_USES_SIZE = 1 << 6,   /* addr, size, value: an access */
    RCP_USES_EXTENT = 1 << 7, /* value is a number of bytes */
    RCP_USES_VALUE = 1 << 8,
    RCP_USES_WRITTEN = 1 << 9,
    RCP_USES_VALUE_TERM = 1 << 10,
    RCP_USES_ADDR_TERM = 1 << 11,
    RCP_USES_COND = 1 << 12,
    RCP_USES_REACH = 1 << 13,
    RCP_USES_OUTCOME = 1 << 14, /* outcomes other than RCP_DONE are possible: `outcomes` says which */
};

typedef struct rcp_traits {
    const char *name;  /* its word in the text form */
    uint32_t uses;     /* RCP_USES_* */
    uint32_t outcomes; /* bit mask of the rcp_outcome that may stand there */
    uint32_t objects;  /* bit mask of the rcp_object_kind of `object` */
} rcp_traits;

/* `kind` must be below RCP_KINDS. */
const rcp_traits *rcp_event_traits(rcp_kind kind);
const char *rcp_order_name(rcp_order order);
const char *rcp_mode_name(rcp_mode mode);
const char *rcp_outcome_name(rcp_outcome outcome);
const char *rcp_object_kind_name(rcp_object_kind kind);

static inline bool rcp_event_is_access(const rcp_event *e) { return e->kind >= RCP_READ && e->kind <= RCP_RMW; }
static inline bool rcp_event_reads(const rcp_event *e) { return e->kind == RCP_READ || e->kind == RCP_RMW; }
static inline bool rcp_event_writes(const rcp_event *e) { return e->kind == RCP_WRITE || e->kind == RCP_RMW; }
static inline bool rcp_event_is_atomic(const rcp_event *e) { return rcp_event_is_access(e) && e->mode != RCP_PLAIN; }
static inline bool rcp_event_is_opaque(const rcp_event *e) {
    return e->kind == RCP_OPAQUE_BEGIN || e->kind == RCP_OPAQUE_END;
}

/* What a memory order lets out, and takes in. Consume counts as acquire. */
static inline bool rcp_order_releases(rcp_order order) { return order >= RCP_REL; }
static inline bool rcp_order_acquires(rcp_order order) { return order >= RCP_CONSUME && order != RCP_REL; }

/* The bytes that an access, ALLOC or FREE covers: [addr, addr + extent). 0 for every other kind. */
static inline uint64_t rcp_event_extent(const rcp_event *e) {
    return rcp_event_is_access(e) ? e->size : e->kind == RCP_ALLOC || e->kind == RCP_FREE ? e->value : 0;
}

/* The recorded bytes: of a READ what was read, of a WRITE what was written, of an RMW what was read. */
static inline const uint8_t *rcp_event_bytes(const rcp_event *e) {
    return e->size > 8 ? e->bytes : (const uint8_t *)&e->value; /* little-endian hosts: aarch64 and x86_64 */
}
static inline const uint8_t *rcp_event_written(const rcp_event *e) {
    if (e->kind != RCP_RMW)
        return rcp_event_bytes(e);
    return e->size > 8 ? e->written_bytes : (const uint8_t *)&e->written;
}

/* A compare-and-swap writes only where it succeeds. Against an access that only reads it must, or nothing is written
 * (docs/semantics.md, R4). */
static inline bool rcp_event_must_succeed(const rcp_event *e, const rcp_event *other) {
    return e->kind == RCP_RMW && e->cond.v != RCP_TERM_CONST.v && other->kind == RCP_READ;
}

/* Could the two race, as far as the events alone say: different threads, bytes in common, one writes or frees, not both
 * atomic. Whether they are in the same life is not seen here. */
bool rcp_event_conflict(const rcp_event *a, const rcp_event *b);

#endif
