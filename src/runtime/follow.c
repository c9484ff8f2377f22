/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/follow.h"

#include "runtime/deadlock.h"
#include "runtime/logging.h"
#include "runtime/say.h"

#include <string.h>
#include <sys/uio.h>

enum { STANDING = 2 }; /* the last steps of a witness: both threads must stand before their accesses */

static struct {
    const struct rcp_run_config *config;
    const struct rcp_run_step *steps;
    const struct rcp_run_role *roles;
    uint64_t step;
    volatile bool on;
    bool paused;
    struct rcp_run_outcome *outcome; /* of a witness */
    rcp_thread *racer[2];
} follow;

void rcp_follow_start(const struct rcp_run_config *config, const struct rcp_run_step *steps) {
    follow.config = config;
    follow.steps = steps;
    follow.roles = (const struct rcp_run_role *)(steps + config->steps);
    follow.on = true;
}

void rcp_follow_tell(struct rcp_run_outcome *outcome) {
    follow.outcome = outcome;
    outcome->pid = (uint32_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

bool rcp_follow_is_on(void) { return follow.on; }

static bool is_witness(void) { return follow.outcome; }

void rcp_follow_created(rcp_thread *t) {
    t->role = t->number;
    if (!follow.on || !follow.config->roles || !t->number)
        return;
    t->role = RCP_RUN_ANYBODY;
    for (uint64_t i = 1; i < follow.config->roles; i++) {
        const struct rcp_run_role *r = &follow.roles[i];
        uint64_t parent = t->creator ? t->creator->role : 0; /* who is adopted counts as the main thread's */
        bool fits = r->parent == RCP_RUN_ANYBODY ? i == t->number : r->parent == parent && r->nth == t->nth;
        if (fits) {
            t->role = i;
            return;
        }
    }
}

static rcp_thread *find(uint64_t role) {
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->role == role)
            return t;
    return NULL;
}

void rcp_follow_end(void) {
    follow.on = false;
    follow.outcome = NULL;
}

/* --- where it ends --- */

/* Clocks count again: whoever waits with a deadline looks at it. */
static void stop_following(void) {
    follow.on = false;
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->state == RCP_THREAD_WAITS && t->deadline != RCP_NO_DEADLINE) {
            __atomic_fetch_or(&t->go, RCP_GO_LOOK, __ATOMIC_RELEASE);
            rcp_sys_wake(&t->go, 1);
        }
}

static void name_role(rcp_say *line, uint64_t role) {
    const rcp_thread *t = find(role);
    char name[64];
    if (t) {
        rcp_thread_name(t, name, sizeof name);
        rcp_say_text(line, name);
    } else {
        rcp_say_text(line, "number ");
        rcp_say_number(line, role);
    }
}

static void say_thread(rcp_say *line, const rcp_thread *t) {
    static const char *const states[] = {"could run", "runs", "waits", "is in a call outside", "has ended"};
    char name[64];
    if (t->state == RCP_THREAD_WAITS) {
        rcp_deadlock_describe(t, line);
    } else {
        rcp_thread_name(t, name, sizeof name);
        rcp_say_text(line, "thread ");
        rcp_say_text(line, name);
        rcp_say_text(line, " ");
        rcp_say_text(line, states[t->state]);
    }
    rcp_say_text(line, ", at event ");
    rcp_say_number(line, t->at);
    rcp_say_text(line, "\n");
}

_Noreturn static void end_process(enum rcp_run_verdict verdict, const char *why) {
    struct rcp_run_outcome *outcome = follow.outcome;
    rcp_say line = {outcome->what, 0, sizeof outcome->what};
    rcp_say_text(&line, why);
    rcp_say_text(&line, "\n");
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->state != RCP_THREAD_ENDED)
            say_thread(&line, t);
    __atomic_store_n(&outcome->verdict, verdict, __ATOMIC_RELEASE);
    for (;;)
        RCP_SYS1(SYS_exit_group, 125);
}

static void lose_track(const char *why) {
    const struct rcp_run_step *s = &follow.steps[follow.step];
    if (!is_witness()) {
        stop_following();
        if (follow.step < follow.config->steps)
            rcp_log_note("the schedule could not be followed to its end; from here on the threads take turns");
        return;
    }
    RCP_SAY(line, 256);
    rcp_say_text(&line, "thread ");
    name_role(&line, s->thread);
    if (s->until == RCP_RUN_END) {
        rcp_say_text(&line, " should end now");
    } else {
        rcp_say_text(&line, " should go on to its event ");
        rcp_say_number(&line, s->until);
    }
    rcp_say_text(&line, ", but ");
    rcp_say_text(&line, why);
    end_process(RCP_RUN_LOST, line.text);
}

void rcp_follow_give_up(void) {
    if (follow.on && !follow.paused && follow.step < follow.config->steps)
        lose_track("does not come back from a call outside");
}

uint32_t rcp_follow_patience(void) {
    return follow.on && is_witness() ? follow.paused ? UINT32_MAX : follow.config->patience : 0;
}

/* --- the race --- */

/* Memory may not be there: that is what some races are about. */
static uint32_t peek(uint64_t address, uint64_t size, uint8_t bytes[16]) {
    struct iovec to = {bytes, size < 16 ? size : 16}, from = {(void *)address, to.iov_len};
    long n = rcp_sys(SYS_process_vm_readv, rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0), (long)&to, 1, (long)&from, 1, 0);
    return n > 0 ? (uint32_t)n : 0;
}

static void meet(int i) {
    const struct rcp_run_access *a = &follow.config->race[i];
    const rcp_thread *t = follow.racer[i];
    struct rcp_run_met *met = &follow.outcome->met[i];
    met->number = t->number;
    met->tid = (uint64_t)t->tid;
    met->position = t->at;
    met->kind = t->event.kind;
    met->address = a->by_call ? a->address : t->event.address;
    if (t->event.kind == RCP_WHAT_COPY && !a->writes)
        met->address = t->event.from;
    met->size = t->event.size && !a->by_call ? t->event.size : a->size;
    met->known = peek(met->address, met->size, met->before);
}

static bool overlap(const struct rcp_run_met *a, const struct rcp_run_met *b) {
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool is_kind(uint32_t kind, const struct rcp_run_access *a) {
    switch (kind) {
    case RCP_WHAT_LOAD: return !a->writes && !a->by_call;
    case RCP_WHAT_STORE:
    case RCP_WHAT_FILL: return a->writes && !a->by_call;
    case RCP_WHAT_RMW:
    case RCP_WHAT_COPY: return !a->by_call;
    case RCP_WHAT_CALL: return a->by_call;
    default: return false;
    }
}

static void arrive(void) {
    for (int i = 0; i < 2; i++) {
        const struct rcp_run_access *a = &follow.config->race[i];
        rcp_thread *t = follow.racer[i] = find(a->role);
        if (!t || t->state != RCP_THREAD_READY || !t->stands || t->at != a->position) {
            RCP_SAY(line, 256);
            rcp_say_text(&line, "thread ");
            name_role(&line, a->role);
            rcp_say_text(&line, " does not stand before its access, event ");
            rcp_say_number(&line, a->position);
            end_process(RCP_RUN_LOST, line.text);
        }
        if (!is_kind(t->event.kind, a))
            end_process(RCP_RUN_MISSED, "one of the two threads is about to do something else than its access");
        meet(i);
    }
    if (!overlap(&follow.outcome->met[0], &follow.outcome->met[1]))
        end_process(RCP_RUN_MISSED, "the two accesses are to different memory");
    __atomic_store_n(&follow.outcome->verdict, RCP_RUN_REACHED, __ATOMIC_RELEASE);
}

/* Both accesses are next: one is made, then the other; then nobody is followed any more. */
static bool choose_racer(rcp_choice *choice) {
    struct rcp_run_outcome *outcome = follow.outcome;
    for (; outcome->verdict < RCP_RUN_BOTH; outcome->verdict++) {
        int i = outcome->verdict == RCP_RUN_REACHED ? (int)follow.config->first : !follow.config->first;
        rcp_thread *t = follow.racer[i];
        struct rcp_run_met *met = &outcome->met[i];
        if (t->state == RCP_THREAD_READY && t->at == met->position) {
            *choice = (rcp_choice){t, met->position + (met->kind == RCP_WHAT_COPY ? 2 : 1)};
            return true;
        }
        peek(met->address, met->size, met->after);
    }
    stop_following();
    return false;
}

static bool reach_race(rcp_choice *choice) {
    if (follow.outcome->verdict == RCP_RUN_ON_ITS_WAY)
        arrive();
    if (follow.config->flags & RCP_RUN_PAUSE) {
        follow.paused = true;
        *choice = (rcp_choice){NULL, 0};
        return true;
    }
    return choose_racer(choice);
}

/* --- step by step --- */

static bool must_stand(void) { return is_witness() && follow.step + STANDING >= follow.config->steps; }

/* Has the thread that gave up the baton done what the step says? */
static bool is_over(const struct rcp_run_step *s, const rcp_thread *last, rcp_policy_why why) {
    if (last->role != s->thread)
        return false;
    if (s->until == RCP_RUN_END)
        return last->state == RCP_THREAD_ENDED;
    if (s->until == RCP_RUN_BLOCK)
        return why == RCP_POLICY_YIELDED || why == RCP_POLICY_BLOCKED;
    return last->at >= s->until && (last->stands || !must_stand());
}

/* True: chosen, or to be waited for. False: lost. */
static bool choose_for(const struct rcp_run_step *s, rcp_choice *choice) {
    rcp_thread *t = find(s->thread);
    *choice = (rcp_choice){NULL, 0};
    if (!t && s->thread < follow.config->roles && follow.roles[s->thread].nth > RCP_LOG_ADOPTED)
        return true; /* a library makes it in its own time; the watchdog's patience is the bound */
    if (!t) {
        lose_track("is not there");
        return false;
    }
    bool late = t->state == RCP_THREAD_WAITS && t->deadline != RCP_NO_DEADLINE;
    switch (late ? RCP_THREAD_READY : t->state) {
    case RCP_THREAD_READY: *choice = (rcp_choice){t, s->until}; return true;
    case RCP_THREAD_AWAY: return true;
    case RCP_THREAD_ENDED: lose_track("has ended"); return false;
    default: lose_track("waits"); return false;
    }
}

void rcp_follow_gave(const rcp_thread *last, rcp_policy_why why) {
    if (follow.on && last && follow.step < follow.config->steps && is_over(&follow.steps[follow.step], last, why))
        follow.step++;
}

bool rcp_follow_choose(rcp_thread *last, rcp_policy_why why, rcp_choice *choice) {
    if (!follow.on)
        return false;
    rcp_follow_gave(last, why);
    const struct rcp_run_step *s = &follow.steps[follow.step];
    /* Its end needs no turn where it has come already: it was joined, and forgotten. */
    while (follow.step < follow.config->steps && s->until == RCP_RUN_END && !find(s->thread))
        follow.step++, s++;
    if (is_witness())
        follow.outcome->step = follow.step;
    if (follow.step < follow.config->steps)
        return choose_for(s, choice);
    if (is_witness())
        return reach_race(choice);
    stop_following();
    return false;
}

/* Whoever waits now waits at every later signal too, unless one wakes it: so the one that is needed first can be given
 * this signal without taking anything from the others. A wait that the schedule lets end by its deadline is not told
 * apart here; such a run may be lost, but it is never confirmed by that: arrive() looks at the threads themselves. */
rcp_thread *rcp_follow_prefers(rcp_thread *first, uint64_t key) {
    if (!follow.on)
        return NULL;
    for (uint64_t i = follow.step; i < follow.config->steps; i++)
        for (rcp_thread *t = first; t; t = t->next)
            if (t->key == key && t->role == follow.steps[i].thread)
                return t;
    return NULL;
}
