/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/follow.h"

#include "runtime/beside.h"
#include "runtime/clock.h"
#include "runtime/logging.h"
#include "runtime/meeting.h"
#include "runtime/older.h"
#include "runtime/say.h"
#include "runtime/standstill.h"
#include "runtime/steer.h"

static struct {
    const struct rcp_run_config *config;
    const struct rcp_run_step *steps;
    const struct rcp_run_role *roles;
    const struct rcp_run_handler *handlers;
    uint64_t step;
    volatile bool on;
    bool paused;
    struct rcp_run_outcome *outcome;     /* of a witness */
    const struct rcp_run_place *watched; /* of a guess: where its accesses would meet */
} follow;

void rcp_follow_start(const struct rcp_run_config *config, const struct rcp_run_step *steps) {
    follow.config = config;
    follow.steps = steps;
    follow.roles = (const struct rcp_run_role *)(steps + config->steps);
    follow.handlers = (const struct rcp_run_handler *)(follow.roles + config->roles);
    rcp_beside_start((const struct rcp_run_side *)(follow.handlers + config->handlers), config->sides);
    follow.on = true;
}

void rcp_follow_tell(struct rcp_run_outcome *outcome, const struct rcp_run_place *watched) {
    follow.outcome = outcome;
    follow.watched = watched;
    rcp_beside_tell((struct rcp_run_seen *)(outcome + 1));
    if (follow.config->flags & RCP_RUN_OLDER)
        rcp_older_start(follow.config, outcome);
    outcome->pid = (uint32_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

bool rcp_follow_is_on(void) { return follow.on; }

static bool is_witness(void) { return follow.outcome; }

bool rcp_follow_is_witness(void) { return follow.on && is_witness(); }

static void give_role(rcp_thread *t) {
    t->role = t->number;
    if (!follow.config->roles || !t->number)
        return;
    t->role = RCP_RUN_ANYBODY;
    /* whom nobody created is named as a child of the main thread */
    const uint64_t parent = t->creator ? t->creator->role : t->adopted ? 0 : RCP_RUN_ANYBODY;
    for (uint64_t i = 1; i < follow.config->roles; i++) {
        const struct rcp_run_role *r = &follow.roles[i];
        bool fits = r->parent == RCP_RUN_ANYBODY ? i == t->number : r->parent == parent && r->nth == t->nth;
        if (fits) {
            t->role = i;
            return;
        }
    }
}

static void give_handlers(rcp_thread *t) {
    const struct rcp_run_handler *h = follow.handlers, *end = h + follow.config->handlers;
    while (h < end && h->role < t->role)
        h++;
    for (t->handler = t->handlers_end = h; t->handlers_end < end && t->handlers_end->role == t->role;)
        t->handlers_end++;
}

void rcp_follow_created(rcp_thread *t) {
    t->role = t->number;
    if (!follow.on)
        return;
    give_role(t);
    give_handlers(t);
}

void rcp_follow_end(void) {
    follow.on = false;
    follow.outcome = NULL;
    rcp_meeting_forget();
    rcp_beside_forget();
    rcp_older_forget();
}

/* --- where it ends --- */

/* Clocks count again: whoever waits with a deadline looks at it. And signals come where they come. */
static void stop_following(void) {
    follow.on = false;
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next) {
        bool held = t->held;
        if (held) {
            t->held = 0;
            t->pending = true;
            if (t->hot)
                __atomic_store_n(&t->hot->limit, 0, __ATOMIC_RELAXED);
        }
        if (t->state == RCP_THREAD_WAITS && (held || t->deadline != RCP_NO_DEADLINE)) {
            __atomic_fetch_or(&t->go, RCP_GO_LOOK, __ATOMIC_RELEASE);
            rcp_sys_wake(&t->go, 1);
        }
    }
}

void rcp_follow_leave(void) {
    follow.outcome = NULL;
    rcp_meeting_forget();
    rcp_beside_forget();
    rcp_older_forget();
    stop_following();
}

void rcp_follow_pass_on(void) { follow.outcome->pid = (uint32_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0); }

static void name_role(rcp_say *line, uint64_t role) {
    const rcp_thread *t = rcp_meeting_find(role);
    char name[64];
    if (t) {
        rcp_thread_name(t, name, sizeof name);
        rcp_say_text(line, name);
    } else {
        rcp_say_text(line, "number ");
        rcp_say_number(line, role);
    }
}

static void lose_track(const char *why) {
    const struct rcp_run_step *s = &follow.steps[follow.step];
    if (!is_witness()) {
        stop_following();
        if (follow.step < follow.config->steps)
            rcp_log_note("the schedule could not be followed to its end; from here on the threads take turns");
        return;
    }
    const rcp_thread *t = rcp_meeting_find(s->thread);
    follow.outcome->at = t ? t->hot ? t->hot->position : t->at : 0;
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
    rcp_meeting_lose(follow.outcome, RCP_RUN_LOST, line.text);
}

void rcp_follow_abandon(const char *why) {
    if (!follow.on || !is_witness())
        return;
    if (follow.outcome->verdict == RCP_RUN_ON_ITS_WAY || follow.outcome->verdict == RCP_RUN_REACHED)
        rcp_meeting_lose(follow.outcome, RCP_RUN_LOST, why);
}

static bool is_deadlock(void) { return follow.config->stands; }

bool rcp_follow_is_guess(void) { return rcp_follow_is_witness() && follow.config->flags & RCP_RUN_GUESS; }

void rcp_follow_give_up(void) {
    if (!follow.on || follow.paused)
        return;
    const rcp_thread *t =
        follow.step < follow.config->steps ? rcp_meeting_find(follow.steps[follow.step].thread) : NULL;
    if (t && t->accepts)
        lose_track("waits in accept() for a client: 'recipe run --client CMD' starts one, in replays, too");
    else if (follow.step < follow.config->steps)
        lose_track("does not come back from a call outside");
    else if (is_witness() && is_deadlock() && follow.outcome->verdict != RCP_RUN_ON_ITS_WAY)
        rcp_standstill_give_up();
    else if (is_witness() && !rcp_meeting_give_up())
        stop_following();
}

uint32_t rcp_follow_patience(void) {
    return follow.on && is_witness() ? follow.paused ? UINT32_MAX : follow.config->patience : 0;
}

void rcp_follow_deadlock(const char *waits) {
    if (!is_witness())
        return;
    rcp_say line = {follow.outcome->waits, 0, sizeof follow.outcome->waits};
    rcp_say_text(&line, waits);
    follow.outcome->deadlocked = 1;
    rcp_standstill_conclude();
    const uint32_t as_run = RCP_RUN_THROUGH | RCP_RUN_GUESS;
    if ((follow.config->flags & as_run) == as_run) /* a run like any other: its log says it */
        return;
    for (;;)
        RCP_SYS1(SYS_exit_group, 125);
}

void rcp_follow_starve(void) {
    if (!is_witness())
        return;
    follow.outcome->deadlocked = RCP_RUN_STARVED;
    for (;;)
        RCP_SYS1(SYS_exit_group, 125);
}

/* --- the race --- */

static bool is_older(void) { return follow.config->flags & RCP_RUN_OLDER; }
static bool is_through(void) { return follow.config->flags & RCP_RUN_THROUGH; }

/* A guess that was led to its end, where one of the two is not about to make its access: it may come a few events later
 * (somebody looked at a clock once more). So from here on the run is steered: one of them stands there already. */
static bool goes_on_steered(void) {
    struct rcp_run_outcome *outcome = follow.outcome;
    const struct rcp_run_access *race = follow.config->race;
    struct rcp_run_met met[2];
    if (!rcp_follow_is_guess() || !follow.config->watched || race[0].by != RCP_RUN_BY_CODE ||
        race[1].by != RCP_RUN_BY_CODE || rcp_meeting_look(race, met))
        return false;
    rcp_say line = {outcome->what, 0, sizeof outcome->what};
    rcp_say_text(&line, "where it ends one of the two is not about to make its access; it was steered from there on\n");
    outcome->at = rcp_meeting_astray(race);
    __atomic_store_n(&outcome->verdict, RCP_RUN_MISSED, __ATOMIC_RELEASE);
    rcp_follow_leave();
    rcp_steer_start(follow.config, follow.watched, NULL, outcome);
    return true;
}

static bool reach_deadlock(rcp_choice *choice) {
    if (follow.outcome->verdict == RCP_RUN_ON_ITS_WAY)
        rcp_standstill_begin(follow.config, follow.outcome);
    bool is_chosen = rcp_standstill_choose(choice);
    if (!is_chosen)
        stop_following();
    return is_chosen;
}

static bool reach_race(rcp_choice *choice) {
    if (is_deadlock())
        return reach_deadlock(choice);
    if (is_older()) {
        bool is_chosen = rcp_older_choose(choice);
        if (!is_chosen)
            stop_following();
        return is_chosen;
    }
    if (is_through()) {
        __atomic_store_n(&follow.outcome->verdict, RCP_RUN_BOTH, __ATOMIC_RELEASE);
        stop_following();
        return false;
    }
    if (follow.outcome->verdict == RCP_RUN_ON_ITS_WAY && goes_on_steered())
        return false;
    if (follow.outcome->verdict == RCP_RUN_ON_ITS_WAY)
        rcp_meeting_begin(follow.config, follow.outcome);
    if (follow.config->flags & RCP_RUN_PAUSE) {
        follow.paused = true;
        *choice = (rcp_choice){0};
        return true;
    }
    if (rcp_meeting_choose(choice))
        return true;
    stop_following();
    return false;
}

/* --- step by step --- */

/* The last steps of a witness: both threads must stand before their accesses; or, of one that takes older bytes, where
 * a step leads to a write, or past it. */
static bool must_stand(void) {
    if (!is_witness() || is_through())
        return false;
    if (is_deadlock())
        return follow.step + follow.config->stands >= follow.config->steps;
    if (!is_older())
        return follow.step + 2 >= follow.config->steps;
    const bool is_late = follow.config->flags & RCP_RUN_LATE;
    return follow.step + 1 == follow.config->steps || follow.step + 1 == follow.config->older_step ||
           (is_late && follow.step == follow.config->older_step);
}

/* Must the thread begin a handler yet, before it stands where it is led? */
static bool lacks_handler(const rcp_thread *t) {
    if (!must_stand() || follow.step >= follow.config->steps || follow.steps[follow.step].thread != t->role)
        return false;
    for (int i = 0; i < 2; i++)
        if (follow.config->race[i].role == t->role)
            return t->handled < follow.config->race[i].handlers;
    return false;
}

static bool waits_for_signal(const rcp_thread *t) {
    return t->state == RCP_THREAD_WAITS && rcp_follow_is_due(t, 0, t->at);
}

/* Has the thread that gave up the baton done what the step says? */
static bool is_over(const struct rcp_run_step *s, const rcp_thread *last, rcp_policy_why why) {
    if (last->role != s->thread)
        return false;
    if (s->until == RCP_RUN_END)
        return last->state == RCP_THREAD_ENDED;
    if (s->until == RCP_RUN_BLOCK)
        return why == RCP_POLICY_YIELDED || why == RCP_POLICY_BLOCKED;
    return last->at >= s->until && ((last->stands && !lacks_handler(last)) || !must_stand());
}

bool rcp_follow_stays(const rcp_thread *self) {
    if (!follow.on || follow.step >= follow.config->steps || must_stand())
        return false;
    const struct rcp_run_step *s = &follow.steps[follow.step];
    return s->thread == self->role && s->until != RCP_RUN_END &&
           (s->until == RCP_RUN_BLOCK || s->until <= self->hot->position);
}

/* Its end needs no turn where it has come already. Who was joined is not there any more. */
static bool has_ended(uint64_t role) {
    const rcp_thread *t = rcp_meeting_find(role);
    return !t || t->state == RCP_THREAD_ENDED;
}

static bool is_made_by_library(uint64_t role) {
    return role < follow.config->roles && follow.roles[role].nth > RCP_LOG_ADOPTED;
}

/* May its wait end now, because time decides nothing here? Where the run is to be the proof, only when its time has
 * come: else it would see a clock that has not come so far. */
static bool is_late(const rcp_thread *t) {
    bool may_be = t->state == RCP_THREAD_WAITS && t->deadline != RCP_NO_DEADLINE;
    return may_be &&
           (!(follow.config->flags & RCP_RUN_GUESS) || (int64_t)t->deadline <= rcp_clock_now(CLOCK_MONOTONIC));
}

/* True: chosen, or to be waited for. False: lost. */
static bool choose_for(const struct rcp_run_step *s, rcp_choice *choice) {
    rcp_thread *t = rcp_meeting_find(s->thread);
    *choice = (rcp_choice){0};
    if (!t && is_made_by_library(s->thread)) /* it comes when the library lets it */
        return true;
    if (!t) {
        lose_track("is not there");
        return false;
    }
    if (waits_for_signal(t)) /* as when it was recorded, that ends its wait */
        return true;
    bool late = is_late(t);
    switch (late ? RCP_THREAD_READY : t->state) {
    case RCP_THREAD_READY: *choice = (rcp_choice){.thread = t, .until = s->until}; return true;
    case RCP_THREAD_AWAY: return true;
    case RCP_THREAD_ENDED: lose_track("has ended"); return false;
    default: lose_track("waits"); return false;
    }
}

static void gave(const rcp_thread *last, rcp_policy_why why) {
    if (last && follow.step < follow.config->steps && is_over(&follow.steps[follow.step], last, why))
        follow.step++;
}

/* The step that is next, NULL where all are over. `last` has just given the baton up. */
static const struct rcp_run_step *next_step(const rcp_thread *last, rcp_policy_why why) {
    gave(last, why);
    const struct rcp_run_step *s = &follow.steps[follow.step];
    while (follow.step < follow.config->steps && s->until == RCP_RUN_END && has_ended(s->thread))
        follow.step++, s++;
    if (is_witness()) {
        follow.outcome->step = follow.step;
        rcp_beside_look(follow.step);
        rcp_older_look(follow.step);
    }
    return follow.step < follow.config->steps ? s : NULL;
}

/* Somebody is in a call, or has a handler to run, and may do anything then. */
static bool is_somebody_away(void) {
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->state == RCP_THREAD_AWAY || (t->state == RCP_THREAD_WAITS && t->pending))
            return true;
    return false;
}

void rcp_follow_choose_waiting(rcp_thread *last, rcp_policy_why why, rcp_choice *choice) {
    if (!follow.on || follow.paused)
        return;
    const struct rcp_run_step *s = next_step(last, why);
    const rcp_thread *t = s ? rcp_meeting_find(s->thread) : NULL;
    if (!s && is_witness() && is_deadlock()) { /* who is away elsewhere can't let these go on */
        reach_race(choice);
        return;
    }
    bool is_signalled = t && waits_for_signal(t);
    bool ends_by_deadline = t && is_late(t);
    if (is_signalled || (!ends_by_deadline && is_somebody_away()))
        return;
    if (s)
        choose_for(s, choice);
    else if (is_witness())
        reach_race(choice);
    else
        stop_following();
}

bool rcp_follow_choose(rcp_thread *last, rcp_policy_why why, rcp_choice *choice) {
    if (!follow.on)
        return false;
    const struct rcp_run_step *s = next_step(last, why);
    if (s)
        return choose_for(s, choice);
    if (is_witness())
        return reach_race(choice);
    stop_following();
    return false;
}

/* Whoever waits now waits at every later signal too, unless one wakes it: so the one that is needed first can be given
 * this signal without taking anything from the others. A wait that the schedule lets end by its deadline is not told
 * apart here; such a run may be lost, but it is never confirmed by that: meeting.h looks at the threads themselves. */
rcp_thread *rcp_follow_prefers(rcp_thread *first, uint64_t key) {
    if (!follow.on)
        return NULL;
    for (uint64_t i = follow.step; i < follow.config->steps; i++)
        for (rcp_thread *t = first; t; t = t->next)
            if (t->key == key && t->role == follow.steps[i].thread)
                return t;
    return NULL;
}

/* --- signals --- */

/* Not where both accesses are next: nobody goes on then but to make his own. */
static bool leads(void) { return rcp_follow_is_witness() && follow.outcome->verdict == RCP_RUN_ON_ITS_WAY; }

/* Those that it has left behind without one are none any more. */
static const struct rcp_run_handler *next_handler(const rcp_thread *t, uint64_t position) {
    const struct rcp_run_handler *h = t->handler;
    while (h < t->handlers_end && h->position < position)
        h++;
    return h < t->handlers_end ? h : NULL;
}

bool rcp_follow_is_due(const rcp_thread *t, int signal, uint64_t position) {
    const struct rcp_run_handler *h = leads() ? next_handler(t, position) : NULL;
    return h && h->position == position && (!signal || h->signal == (uint64_t)signal);
}

bool rcp_follow_holds(const rcp_thread *self, int signal, uint64_t position) {
    if (!rcp_follow_is_witness() || !(follow.config->signals >> (signal - 1) & 1))
        return false;
    return position == UINT64_MAX || !rcp_follow_is_due(self, signal, position);
}

bool rcp_follow_awaits(const rcp_thread *self) {
    return rcp_follow_is_due(self, 0, self->at) && (self->at < self->until || lacks_handler(self));
}

void rcp_follow_handles(rcp_thread *self, int signal, uint64_t position) {
    if (!rcp_follow_is_due(self, signal, position))
        return;
    self->handler = next_handler(self, position) + 1;
    self->handled++;
}

uint64_t rcp_follow_next_handler(const rcp_thread *self) {
    const struct rcp_run_handler *h = leads() ? next_handler(self, self->at) : NULL;
    return h ? h->position : UINT64_MAX;
}

static bool handles(const rcp_thread *t, int signal) {
    for (const struct rcp_run_handler *h = t->handler; h < t->handlers_end; h++)
        if (h->signal == (uint64_t)signal)
            return true;
    return false;
}

const rcp_thread *rcp_follow_whose(const rcp_thread *self, int signal) {
    if (!leads() || handles(self, signal))
        return NULL;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t != self && t->hot && handles(t, signal))
            return t;
    return NULL;
}

/* The thread whose turn it is, on the way to the race; NULL: none. */
static const rcp_thread *led(void) {
    return leads() && follow.step < follow.config->steps ? rcp_meeting_find(follow.steps[follow.step].thread) : NULL;
}

bool rcp_follow_awaits_signal(void) {
    const rcp_thread *t = led();
    bool awaits = t && (t->state == RCP_THREAD_WAITS || t->state == RCP_THREAD_AWAY) && rcp_follow_is_due(t, 0, t->at);
    if (awaits)
        __atomic_store_n(&follow.outcome->awaits, (uint32_t)next_handler(t, t->at)->signal, __ATOMIC_RELEASE);
    return awaits;
}

bool rcp_follow_is_alone(void) { return rcp_follow_is_witness() && follow.config->flags & RCP_RUN_ALONE; }

bool rcp_follow_awaits_client(void) {
    const rcp_thread *t = led();
    return t && t->state == RCP_THREAD_AWAY && t->accepts && rcp_follow_is_alone();
}
