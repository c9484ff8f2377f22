/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/watchdog.h"

#include "runtime/baton.h"
#include "runtime/deadlock.h"
#include "runtime/follow.h"
#include "runtime/logging.h"
#include "runtime/steer.h"
#include "runtime/task.h"

#include <linux/membarrier.h>
#include <sched.h>

/* PATIENCE and ASLEEP are no limits of base/limits.def: they tell a thread that blocks from one that works, and so
 * choose between runs that the program all has. Replays have a patience of their own. */
#define STACK    65536
#define PATIENCE 1000000 /* microseconds until a holder that computes outside is taken for one that waits in a loop */
#define ASLEEP   4
/* The same where somebody is held (steer.h), who may have what it waits for: then whatever it asks the system
 * meanwhile. What it works counts by its own clock: on a busy machine it may have had no processor. */
#define HELD_PATIENCE 20000

static uint32_t interval; /* microseconds */
static void (*bury_holder)(rcp_thread *holder);

/* Lock held. The thread and we agree by way of the barrier: thread.h. */
static void rob(rcp_thread *t) {
    t->lost = true;
    __atomic_store_n(&t->hot->limit, 0, __ATOMIC_RELAXED);
    RCP_SYS3(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    if (!__atomic_load_n(&t->hot->outside, __ATOMIC_RELAXED) || t->inside) {
        t->lost = false; /* it is back: its next event finds nothing to do */
        return;
    }
    rcp_baton_steal(t);
}

/* What the last look saw. `since`: microseconds since it has done nothing at all; `asleep`: looks in a row that found
 * it asleep in one and the same call, whatever its signal handlers did meanwhile. */
static struct {
    rcp_thread *holder;
    uint64_t position, entries, outside, depth, since;
    unsigned asleep;
    uint64_t idle; /* microseconds without a holder */
} seen;

/* A recorded schedule waits for its next thread, others could run, and it does not come. */
static void look_at_nobody(void) {
    seen.holder = NULL;
    seen.idle += interval;
    bool is_usual = !rcp_follow_patience() || rcp_follow_awaits_client();
    uint64_t patience = is_usual ? PATIENCE : (uint64_t)rcp_follow_patience() * 1000;
    if (seen.idle < patience)
        return;
    seen.idle = 0;
    rcp_follow_give_up();
    rcp_baton_pick();
}

/* Where somebody is held, the holder may go round outside for what that one has, now and then in a call of ours. */
static struct {
    rcp_thread *holder;
    uint64_t position, since, worked;
} eventless;

/* For so long it has worked or slept since the last look. */
static uint64_t time_without_event(const rcp_thread *t) {
    uint64_t worked = rcp_task_worked(t->tid), before = eventless.worked;
    eventless.worked = worked;
    if (worked > before)
        return worked - before;
    return rcp_task_state(t->tid) == 'R' ? 0 : interval;
}

/* Is it to be robbed because those that were held are to go on? */
static bool is_in_the_way(rcp_thread *t) {
    uint64_t position = t && t->hot ? __atomic_load_n(&t->hot->position, __ATOMIC_RELAXED) : 0;
    bool still = t && t == eventless.holder && position == eventless.position && !t->naps; /* who naps is not at work */
    eventless.holder = t;
    eventless.position = position;
    eventless.worked = still ? eventless.worked : t ? rcp_task_worked(t->tid) : 0;
    eventless.since = still ? eventless.since + time_without_event(t) : 0;
    if (!rcp_steer_is_on || eventless.since < HELD_PATIENCE || !rcp_baton.ready.first)
        return false;
    rcp_steer_let_go();
    return true;
}

static void look(void) {
    rcp_thread *t = rcp_baton.holder;
    bool is_awaited = !t && (rcp_follow_awaits_signal() || rcp_follow_awaits_client());
    if (is_awaited || (!t && rcp_baton.ready.first)) {
        look_at_nobody();
        return;
    }
    seen.idle = 0;
    if (!t)
        rcp_deadlock_look();
    bool in_the_way = (rcp_steer_is_on || rcp_follow_is_guess()) && is_in_the_way(t);
    uint64_t outside = t && t->hot ? __atomic_load_n(&t->hot->outside, __ATOMIC_RELAXED) : 0;
    if (!outside || t->inside) {
        seen.holder = NULL;
        return;
    }
    if (rcp_follow_is_guess() && eventless.since >= (uint64_t)rcp_follow_patience() * 1000)
        rcp_follow_give_up(); /* it may go round there for what nobody will do */
    uint64_t position = __atomic_load_n(&t->hot->position, __ATOMIC_RELAXED);
    uint64_t depth = __atomic_load_n(&t->hot->depth, __ATOMIC_RELAXED);
    bool same_call = seen.holder == t && seen.outside == outside && seen.depth == depth;
    bool still = same_call && seen.position == position && seen.entries == t->entries;
    bool others = rcp_baton.ready.first;
    bool worth_it = others ? same_call : still && seen.since % 100000 < interval; /* alone, it may have died */
    char state = worth_it ? rcp_task_state(t->tid) : 'R';
    seen.since = still ? seen.since + interval : 0;
    seen.asleep = state == 'S' ? seen.asleep + 1 : 0;
    seen.holder = t;
    seen.outside = outside;
    seen.depth = depth;
    seen.position = position;
    seen.entries = t->entries;
    if (!state && bury_holder) /* there are others: else nobody would mind */
        bury_holder(t);
    else if (others && (in_the_way || (still && state == 'S') || seen.asleep >= ASLEEP || seen.since >= PATIENCE))
        rob(t);
}

static int watch(void *unused) {
    (void)unused;
    struct timespec pause = {interval / 1000000, (long)(interval % 1000000) * 1000};
    for (;;) {
        RCP_SYS2(SYS_nanosleep, &pause, 0);
        if (!rcp_baton.on)
            continue;
        rcp_sys_acquire(&rcp_baton.lock);
        if (rcp_baton.on)
            look();
        rcp_sys_release(&rcp_baton.lock);
    }
    return 0;
}

/* Its id is there before it runs, and before whoever made it goes on: somebody may ask at once (status.h). */
static bool try(void) {
    if (rcp_baton.watchdog_tid)
        return true;
    char *stack = rcp_sys_map(0, STACK);
    uint64_t mask;
    uint64_t all = ~UINT64_C(0);
    RCP_SYS4(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &all, &mask, 8);
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_PARENT_SETTID;
    bool started = stack && clone(watch, stack + STACK, flags, NULL, &rcp_baton.watchdog_tid) >= 0;
    rcp_sys_restore_signals(&mask);
    if (!started && stack)
        RCP_SYS2(SYS_munmap, stack, STACK);
    return started;
}

/* One thread alone has none yet. Where there can't be one, the program waits as it would natively. */
static void look_closer(void) { (void)try(); }

void rcp_watchdog_set(uint32_t microseconds) {
    interval = microseconds;
    rcp_baton.look_closer = look_closer;
}

void rcp_watchdog_start(void (*bury)(rcp_thread *holder)) {
    bury_holder = bury;
    if (!try())
        rcp_refuse("the watchdog's thread can't be created", "is there a limit on threads (ulimit -u)?");
}

void rcp_watchdog_forget(void) {
    rcp_baton.watchdog_tid = 0;
    seen.holder = NULL;
}
