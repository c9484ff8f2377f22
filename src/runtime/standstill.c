/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/standstill.h"

#include "runtime/holders.h"
#include "runtime/meeting.h"

typedef struct one {
    rcp_thread *thread;
    uint64_t stop, depth; /* where it stands */
    uint64_t turns;       /* when it came to wait; it has had no turn since */
} one;

static struct {
    struct rcp_run_outcome *outcome; /* NULL: no deadlock is looked for */
    one at[RCP_RUN_MOST_STANDS];
    uint64_t n, next; /* those before `next` wait */
} standstill;

_Noreturn static void miss(const rcp_thread *t, enum rcp_run_verdict verdict, const char *what) {
    char name[64];
    RCP_SAY(line, 256);
    rcp_thread_name(t, name, sizeof name);
    rcp_say_text(&line, "thread ");
    rcp_say_text(&line, name);
    rcp_say_text(&line, what);
    rcp_meeting_lose(standstill.outcome, verdict, line.text);
}

void rcp_standstill_begin(const struct rcp_run_config *config, struct rcp_run_outcome *outcome) {
    standstill.outcome = outcome;
    standstill.n = config->stands < RCP_RUN_MOST_STANDS ? config->stands : RCP_RUN_MOST_STANDS;
    for (uint64_t i = 0; i < standstill.n; i++) {
        const struct rcp_run_stand *stand = &config->stand[i];
        rcp_thread *t = rcp_meeting_find(stand->role);
        if (!t)
            rcp_meeting_lose(outcome, RCP_RUN_LOST, "a thread is not there that should stand before a call");
        if (t->state != RCP_THREAD_READY || !t->stands || t->at != stand->position)
            miss(t, RCP_RUN_LOST, " does not stand before its call");
        if (t->event.kind != RCP_WHAT_CALL)
            miss(t, RCP_RUN_MISSED, " is about to do something else than its call");
        standstill.at[i] = (one){.thread = t, .stop = t->stop, .depth = t->hot->depth};
    }
    __atomic_store_n(&outcome->verdict, RCP_RUN_REACHED, __ATOMIC_RELEASE);
}

/* As of an access: has it left its call behind? */
static bool is_made(const one *o) {
    const rcp_thread *t = o->thread;
    if (t->state == RCP_THREAD_ENDED || !t->hot || t->hot->depth < o->depth)
        return true;
    return t->hot->depth == o->depth && t->stands && t->stop != o->stop;
}

static bool waits(const rcp_thread *t) {
    return t->state == RCP_THREAD_WAITS && t->deadline == RCP_NO_DEADLINE && !t->pending && !t->held;
}

static bool still_waits(const one *o) { return waits(o->thread) && o->thread->turns == o->turns; }

static bool do_all_wait(void) {
    bool all = standstill.outcome && standstill.next == standstill.n;
    for (uint64_t i = 0; all && i < standstill.n; i++)
        all = still_waits(&standstill.at[i]);
    return all;
}

static bool is_one_of_them(uint32_t number, const rcp_thread *but) {
    for (uint64_t i = 0; i < standstill.n; i++)
        if (standstill.at[i].thread != but && standstill.at[i].thread->number == number)
            return true;
    return false;
}

static bool is_closed(void) {
    bool is = do_all_wait();
    for (uint64_t i = 0; is && i < standstill.n; i++)
        is = is_one_of_them(rcp_holders_of(standstill.at[i].thread), standstill.at[i].thread);
    return is;
}

_Noreturn static void end(void) {
    struct rcp_run_outcome *outcome = standstill.outcome;
    rcp_say waits_for = {outcome->waits, 0, sizeof outcome->waits};
    for (uint64_t i = 0; i < standstill.n; i++) {
        const struct rcp_log_wait wait = rcp_holders_wait(standstill.at[i].thread);
        rcp_say_text(&waits_for, i ? "; " : "");
        rcp_holders_say(&waits_for, &wait);
    }
    outcome->deadlocked = 1;
    __atomic_store_n(&outcome->verdict, RCP_RUN_BOTH, __ATOMIC_RELEASE);
    for (;;)
        RCP_SYS1(SYS_exit_group, 125);
}

bool rcp_standstill_choose(rcp_choice *choice) {
    for (; standstill.next < standstill.n; standstill.next++) {
        one *o = &standstill.at[standstill.next];
        rcp_thread *t = o->thread;
        if (waits(t)) {
            o->turns = t->turns;
            continue;
        }
        if (t->state == RCP_THREAD_WAITS)
            miss(t, RCP_RUN_MISSED, " waits until a time in its call, or for a signal's handler to run");
        if (is_made(o))
            miss(t, RCP_RUN_MISSED, " does not wait in its call");
        *choice = (rcp_choice){t->state == RCP_THREAD_AWAY ? NULL : t, t->at + t->stands};
        return true;
    }
    for (uint64_t i = 0; i < standstill.n; i++)
        if (!still_waits(&standstill.at[i]))
            miss(standstill.at[i].thread, RCP_RUN_MISSED, " went on from its call when the others came to theirs");
    __atomic_store_n(&standstill.outcome->verdict, RCP_RUN_FIRST, __ATOMIC_RELEASE);
    if (is_closed())
        end();
    return false;
}

void rcp_standstill_conclude(void) {
    if (do_all_wait())
        __atomic_store_n(&standstill.outcome->verdict, RCP_RUN_BOTH, __ATOMIC_RELEASE);
}

_Noreturn void rcp_standstill_give_up(void) {
    const one *o = &standstill.at[standstill.next < standstill.n ? standstill.next : 0];
    miss(o->thread, RCP_RUN_MISSED, " does not come back from its call, and is not seen to wait in it");
}
