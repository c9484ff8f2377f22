/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime: what is linked into the recorded program. Ground rules, and what its parts offer each other.
 *
 * 1. One thread at a time holds the baton, and only the holder runs instrumented code, writes the log or touches the
 * state below. Code outside (libc, libraries) runs with the baton too, until it blocks: then it is given up (rcp_give,
 *    rcp_wait_on) or the watchdog takes it.
 * 2. Nothing here uses malloc, stdio, or a lock of the program's; memory comes from mmap, real functions are resolved
 * once. errno is the program's: whoever may change it keeps it.
 * 3. Whatever the schedule decides depends on events and on what the program did, never on the clock: the same seed
 * gives the same schedule unless the outside world answers otherwise (time, input, deadlines).
 * 4. What can't be recorded is noted in the log (rcp_log_note), never skipped silently.
 * 5. A process that is not being recorded (no RECIPE_TRACE), and a thread that we did not see begin, run as if we were
 * not there: rcp_inside() is NULL, hooks keep the shadow and nothing else.
 *
 * An interceptor is
 *     int pthread_mutex_unlock(pthread_mutex_t *m) {
 *         rcp_thread *t = rcp_inside();
 *         if (!t)
 *             return RCP_REAL(pthread_mutex_unlock)(m);
 *         int e = RCP_REAL(pthread_mutex_unlock)(m);
 *         if (!e) { rcp_log_sync(RCP_SYNC_RELEASE, …); rcp_wake(key, ALL); }
 *         rcp_outside(t);
 *         return e;
 *     }
 * Synchronisation never blocks for real: it tries, and where it would block it waits on the object's address until
 * somebody wakes that, then tries again. So who goes on is the policy's choice.
 */
#ifndef RECIPE_RUNTIME_RUNTIME_H
#define RECIPE_RUNTIME_RUNTIME_H

#include "abi/hooks.h"
#include "abi/log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rcp_thread rcp_thread; /* thread.h */

/* threads and the baton (baton.c) ------------------------------------------------------------------------------------
 */

/* At the beginning of an interceptor: the calling thread, which holds the baton now and can't lose it until
 * rcp_outside. NULL: not recorded, or called from within the runtime. Calls do not nest: while inside, rcp_inside() is
 * NULL. */
rcp_thread *rcp_inside(void);
void rcp_outside(rcp_thread *self);

#define RCP_NO_DEADLINE UINT64_MAX
typedef enum rcp_woken { RCP_WOKEN, RCP_WOKEN_LATE, RCP_WOKEN_BY_SIGNAL } rcp_woken;
/* Gives up the baton until rcp_wake(key) chose this thread, the deadline (CLOCK_MONOTONIC, ns) has passed, or a handler
 * of the program's ran on it. The caller has the baton again when it returns. First come, first woken. */
rcp_woken rcp_wait_on(rcp_thread *self, uint64_t key, uint64_t deadline);
/* The same, of a wait that only another thread ends, or the deadline: what for is said where nobody does. `kind`: as
 * in struct rcp_log_wait. */
typedef struct rcp_wanted {
    uint32_t kind;
    uint64_t object;
} rcp_wanted;
rcp_woken rcp_wait_for(rcp_thread *self, rcp_wanted what, uint64_t key, uint64_t deadline);
/* By interceptors that may wake somebody, where nobody recorded calls them: who waits is not woken by that, and whether
 * it would be is not known any more (deadlock.h). Also where others get to share this memory. */
void rcp_wakes_unseen(void);
/* The first `n` of those that wait on the key become runnable; how many there were. The caller keeps the baton. */
unsigned rcp_wake(uint64_t key, unsigned n);
#define RCP_WAKE_ALL UINT32_MAX
/* What they were woken for is taken again: those that have not run since go on waiting, as if they had not been woken.
 * So a policy never chooses a thread that could do nothing but wait again. */
void rcp_recall(uint64_t key);
/* Who waits for a synchronisation object within [lo, hi) goes on, and finds out what has become of it: conditions
 * return RCP_WOKEN_BY_SIGNAL, all others RCP_WOKEN. */
void rcp_wake_within(uint64_t lo, uint64_t hi);
/* Makes that thread's rcp_wait_on return RCP_WOKEN_BY_SIGNAL; false where it does not wait. For cancellation. */
bool rcp_interrupt(rcp_thread *thread);

/* Around a call that may block for real: others run meanwhile. Signals that arrive run their handlers. */
void rcp_give(rcp_thread *self);
void rcp_take(rcp_thread *self);
/* sched_yield and its kin: the policy may choose another. */
void rcp_yield(rcp_thread *self);

/* Threads are created by our pthread_create alone (thrd_create can call that). */
uint32_t rcp_thread_number(const rcp_thread *thread);
bool rcp_thread_has_ended(const rcp_thread *thread);
/* What waits for a thread's end waits on this. */
uint64_t rcp_thread_key(const rcp_thread *thread);
/* The recorded thread that the program knows by this id; NULL: none, or it was joined, or it was detached and has
 * ended. */
rcp_thread *rcp_thread_of(pthread_t id);

/* signals: signal.c and the core
 * ---------------------------------------------------------------------------------------- */

/* In a handler that the kernel called: true where the thread is in instrumented code or in the runtime. Then the
 * program's handler must not run now; rcp_signal_run will be called on this thread before its next event, or when it
 * leaves the runtime, or out of rcp_wait_on; in a replay not before the schedule has it. */
bool rcp_signal_defer(int signal);
/* Defined by signal.c: runs the program's handlers that are due on the calling thread, as outside code would call them.
 */
void rcp_signal_run(rcp_thread *self);
/* In a handler of SIGSEGV, first: true where the fault was the shadow's own and is mended. Never block SIGSEGV for
 * real. */
bool rcp_shadow_fault(uint64_t address);

/* the log (logging.c, effect.c): all of these by the holder of the baton, inside
 * ----------------------------------------------------- */

void rcp_log_sync(enum rcp_sync_op op, uint64_t object, enum rcp_sync_object kind, enum rcp_sync_outcome outcome);
void rcp_log_sync_wait(enum rcp_sync_op op, uint64_t cond, uint64_t mutex, enum rcp_sync_object mutex_kind,
                       enum rcp_sync_outcome outcome); /* WAIT, WAKE */
void rcp_log_sync_number(enum rcp_sync_op op, uint64_t object, enum rcp_sync_object kind, uint64_t number);
void rcp_log_alloc(uint64_t address, uint64_t size, enum rcp_alloc kind);
void rcp_log_free(uint64_t address);
void rcp_log_alias(uint64_t address, uint64_t other, uint64_t size);
/* shared.c. Before a fork: others are about to have all shared memory; or all memory, as it is. */
void rcp_shared_divide(void);
void rcp_shared_divide_all(void);
/* Memory that code outside wrote, logged whole and taken over into the shadow. */
void rcp_effect(const void *address, uint64_t size);
void rcp_effect_fill(const void *address, uint64_t size, uint8_t byte);
void rcp_effect_copy(const void *to, const void *from, uint64_t size);
void rcp_log_note(const char *text);
void rcp_log_strings(const struct rcp_log_string *strings, uint64_t n);
void rcp_log_sign(enum rcp_sign sign, const rcp_thread *thread);
void rcp_log_descriptor(uint32_t fd); /* RCP_SIGN_DESCRIPTORS, by one who is inside */
void rcp_log_world(uint64_t bits);    /* RCP_WORLD_*; by anybody */
void rcp_log_listens(void);           /* the same */
void rcp_log_unseen(uint64_t bits);   /* RCP_UNSEEN_*; the same */
void rcp_log_fork(uint32_t pid);
void rcp_log_exit(int status);
/* An instruction of this thread, in instrumented code, faulted. */
void rcp_log_fault(rcp_thread *self, int signal, uint64_t address);

/* the process (start.c)
 * ------------------------------------------------------------------------------------------------ */

bool rcp_is_recording(void);
/* Says "recipe: …" on standard error and ends the process with 125. For what makes recording impossible. */
_Noreturn void rcp_refuse(const char *why, const char *what);
/* In the child of a fork: a trace of its own begins, with the calling thread as its main thread. */
void rcp_restart_in_child(void);
/* Everything that must be in the trace is there; recording stops. By exit, _exit, exec, abort and fatal signals. */
void rcp_finish(enum rcp_ended how, int status);
/* By the watchdog, under the baton's lock: who waits for what is in the trace, and the process ends. */
_Noreturn void rcp_end_deadlocked(const struct rcp_log_deadlock *deadlock);

/* real functions (real.c)
 * ----------------------------------------------------------------------------------------------- */

/* The next definition of a function that we define ourselves: resolved at the start, NULL where there is none. The file
 * that defines an interceptor says RCP_REAL_DEFINE(name) at its head, others RCP_REAL_DECLARE(name). A version where
 * two exist, as "GLIBC_2.3.2" for condition variables on x86_64. */
#define RCP_REAL(name)         ((__typeof__(&name))rcp_real_##name)
#define RCP_REAL_DECLARE(name) extern void *rcp_real_##name;
#define RCP_REAL_DEFINE(name)  RCP_REAL_DEFINE_VERSION(name, NULL)
#define RCP_REAL_DEFINE_VERSION(name, ver)                                                                             \
    void *rcp_real_##name;                                                                                             \
    static const struct rcp_real_entry rcp_real_entry_##name                                                           \
        __attribute__((used, retain, section("recipe_real"))) = {&rcp_real_##name, #name, ver};
struct rcp_real_entry {
    void **where;
    const char *name, *version;
};

/* In front of every interceptor. Weak: a program that has a function of that name (a malloc of its own, an old getline)
 * keeps it. */
#define RCP_INTERCEPT __attribute__((weak))

#endif
