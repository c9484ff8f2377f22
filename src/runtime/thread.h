/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded thread, and the baton's state: what the core's files share. Interceptors need runtime.h alone. What is
 * done with them is above: baton.h passes the baton on, lifecycle.h has threads begin and end.
 *
 * A thread is in one of five states, changed under the baton's lock:
 *   READY   it could run and waits for the baton (a thread is READY from the moment it is created, so that when its
 *           system thread gets going is nobody's concern)
 *   HOLDS   it is the holder
 *   WAITS   until somebody wakes its key
 *   AWAY    outside without the baton: it gave it up before a call that may block, or the watchdog took it
 *   ENDED
 * Invariant: while nobody holds the baton nobody is READY (a recorded schedule may make an exception).
 *
 * `inside`, `lost` and `pending` are how a thread, its signal handlers and the watchdog agree without a lock: the
 * thread sets `inside`, then looks at `lost`; the watchdog sets `lost`, makes every processor pass a barrier
 * (membarrier), then looks at `inside` and at hot->outside. One of the two sees the other.
 *
 * Threads are never freed: they are few, and their numbers name them in the log. All are reached from rcp_baton.
 */
#ifndef RECIPE_RUNTIME_THREAD_H
#define RECIPE_RUNTIME_THREAD_H

#include "abi/run.h"
#include "runtime/runtime.h"
#include "runtime/stack.h"
#include "runtime/sys.h"

#include <pthread.h>

typedef enum rcp_thread_state {
    RCP_THREAD_READY,
    RCP_THREAD_HOLDS,
    RCP_THREAD_WAITS,
    RCP_THREAD_AWAY,
    RCP_THREAD_ENDED
} rcp_thread_state;

enum { RCP_GO_BATON = 1, RCP_GO_LOOK = 2 }; /* bits of `go` */

/* An event of --log-values whose value is in memory only after it: see values.c. */
typedef struct rcp_value_pending {
    uint64_t what, address, size; /* size 0: none */
} rcp_value_pending;

/* What a thread that was stopped is about to do. */
typedef struct rcp_next_event {
    uint32_t kind; /* RCP_WHAT_… */
    bool is_atomic;
    uint64_t address, from; /* `from`: of a copy */
    uint64_t size;          /* of a call: 0 */
    uint64_t code;          /* where the hook was called; 0: not known */
    uint8_t expected[16];   /* of a compare-and-exchange */
} rcp_next_event;

/* A clock of its own in a run that is fed (clock.h): what it has shown, and what the system's said then. */
typedef struct rcp_own_clock {
    int64_t shown, since;
} rcp_own_clock;

/* What a thread looked at on its way round a loop; rounds.h. */
typedef struct rcp_round_word {
    uint64_t address, value;
    uint8_t size;
    bool is_changed_by_itself; /* if at all: by an atomic operation of the loop's */
} rcp_round_word;

#define RCP_ROUND_WORDS 8
typedef struct rcp_rounds {
    uint64_t loop;   /* that is watched; 0: none */
    uint64_t turn;   /* of the thread's, in which its round began */
    uint32_t events; /* in the round so far */
    int32_t calls;   /* of them, but those that only let others run */
    bool is_more;    /* it has looked at more than the words */
    bool is_waiting; /* it gave way after a round in which it looked at the words and at nothing else */
    uint32_t n;
    rcp_round_word words[RCP_ROUND_WORDS];
    uint64_t counted, count, patience; /* of a loop that counts its rounds */
} rcp_rounds;

/* Why a thread gives the baton away of itself, before its next event. */
typedef enum rcp_gives { RCP_GIVES_NOT, RCP_GIVES_WAY, RCP_GIVES_WAITING } rcp_gives;

struct rcp_thread {
    struct rcp_hot *hot; /* NULL until it has begun and after it has ended */
    uint32_t number, nth;
    uint64_t role;                                        /* its name in the schedule that is followed */
    const struct rcp_run_handler *handler, *handlers_end; /* there, the signals' handlers that it has still to run */
    uint32_t handled;                                     /* and how many have begun */
    uint64_t answered; /* of a replay's answers (answers.h), those before this one are over for this thread */
    const struct rcp_run_piece *polled; /* the last answer about sockets that it may have been given (ready.h) */
    uint32_t children;
    rcp_thread_state state;
    uint32_t go;           /* what it sleeps on */
    volatile bool inside;  /* in the runtime: can't be robbed, handlers wait */
    volatile bool lost;    /* it has not the baton */
    volatile bool pending; /* handlers of the program's are due on it */
    volatile int held;     /* a signal that has come too early for the schedule; 0: none */
    volatile int sending;  /* a signal that it sends just now to itself, or its process, and has not got yet; 0: none */
    volatile bool poked;   /* the policy wants to choose again at its next event */
    bool stands;           /* it was stopped before `event` */
    rcp_next_event event;
    uint64_t stops, stop;  /* so often it has been asked to stop; and which of them `event` is */
    bool faulted;          /* in an instruction whose handler has not come back to it */
    bool given;            /* it gave the baton up itself, around a call */
    uint64_t sleeps_until; /* in a sleep for real: CLOCK_MONOTONIC, ns; else 0 */
    bool accepts;          /* that waits for somebody to connect */
    uint64_t at;           /* the position where it will go on, while it has not the baton */
    uint64_t until;        /* the policy lets it run up to this position */
    uint64_t began;        /* `at` when it got the baton last */
    uint64_t logged;       /* the last position that was logged for it */
    uint64_t entries;      /* into the runtime, from outside */
    uint32_t retired;      /* blocks of its own that it has freed, and that wait (retired.h) */
    uint64_t last_from;    /* `at` when somebody was about to end the process; linger.h */
    bool has_had_last;
    rcp_rounds rounds;
    uint8_t gives;         /* rcp_gives */
    volatile bool naps;    /* it has the baton, and lets a moment pass: whoever is there waits */
    bool waits_round;      /* the policy passes it over: it gave way because it waits by going round, */
    uint64_t waits_since;  /* when the policy had given out so many turns */
    bool parked;           /* it stands before an access that somebody may come to meet (steer.h), */
    uint64_t holds;        /* so often it has been, */
    uint64_t parked_since; /* the last time when the run had had so many events, */
    uint32_t meetings;     /* and whom it has met there */
    uint64_t turns;        /* that it has had */
    uint64_t gave_way;     /* of pct: `at` when it last blocked, yielded or was moved down */
    uint64_t entries_seen; /* of pct: and `entries` */
    int64_t priority;      /* of the policy */

    uint64_t key;      /* what it waits on */
    uint64_t deadline; /* and how long */
    rcp_wanted wanted; /* and what for */
    rcp_woken woken;
    bool recallable;                     /* woken, and has not run since: see rcp_recall */
    rcp_thread *next, *previous;         /* in the list of the READY, or of those that wait */
    rcp_thread *all_next, *all_previous; /* in the order of their numbers */
    rcp_thread *creator;                 /* NULL: the main thread, or one that was adopted */

    struct rcp_recipe_stack *stack;
    uint64_t native_top, native_size; /* the system's stack for it: below the one, at least so many bytes */
    rcp_callback *callbacks;          /* by depth */

    int tid;
    pthread_t pthread;
    void *(*start)(void *);
    void *argument;
    uint64_t signals; /* the mask it begins with */
    bool detached, joined, adopted, forgotten;
    bool afterlife; /* it had ended, and libc's last words called the program (an allocator of its own): recorded as a
                       thread of its own that ends with the call */
    rcp_thread *joiner;
    bool interrupted; /* a handler without SA_RESTART ran; cleared by whoever wants to know */
    volatile bool cancel_wanted, cancel_disabled, cancel_async; /* cancel.h */

    rcp_value_pending value;
    rcp_own_clock cpu;
};

/* Of `word`, beside `outside`: the baton was given up when the callback began; and at the depth at which
 * a signal's handler is called, its signal for the log, until that returns. So recorded code of that depth runs only
 * where there is none. */
#define RCP_CALLBACK_GAVE         (UINT64_C(1) << 63)
#define RCP_CALLBACK_OF_SIGNAL(s) ((uint64_t)(s) << 56)
#define RCP_CALLBACK_SIGNAL(word) ((uint32_t)((word) >> 56 & 127))
#define RCP_CALLBACK_OUTSIDE      (RCP_CALLBACK_OF_SIGNAL(1) - 1)

typedef struct rcp_thread_list {
    rcp_thread *first, *last;
    uint32_t n;
} rcp_thread_list;

typedef struct rcp_baton_state {
    rcp_sys_lock lock;
    bool on;     /* recording */
    bool values; /* --log-values */
    rcp_thread *volatile holder;
    rcp_thread_list ready;      /* in the order in which they became so */
    rcp_thread *all, *all_last; /* but those that have ended and were joined or detached */
    uint64_t events_gone;       /* of those */
    uint32_t threads;
    int watchdog_tid;          /* of the watchdog's thread; 0: it has none yet */
    int leaving_tid;           /* of a thread that has ended and may still be running its way out of libc */
    int entering_tid;          /* of a thread that is entering a call which the schedule has a signal end */
    bool wakes_unseen;         /* a wait may have been ended by what nobody sees */
    void (*look_closer)(void); /* under the lock, where everybody waits */
} rcp_baton_state;
extern rcp_baton_state rcp_baton;

/* The calling thread, or NULL: not recorded. */
extern __thread rcp_thread *rcp_self __attribute__((tls_model("initial-exec")));

/* From outside, by a recorded thread: has the baton afterwards and can't be robbed. */
static inline void rcp_thread_enter(rcp_thread *self) {
    self->inside = true;
    rcp_sys_order();
    self->entries++;
    if (__builtin_expect(self->lost, 0))
        rcp_take(self);
}
static inline void rcp_thread_leave(rcp_thread *self) {
    rcp_sys_order();
    self->inside = false;
}

/* "0.2.1" into `name`; returns its length. */
size_t rcp_thread_name(const rcp_thread *thread, char *name, size_t size);

#endif
