/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/steer.h"

#include "runtime/meeting.h"

/* No limits of base/limits.def: they choose between runs that the program all has. */
enum {
    TRIES = 1 << 14, /* counters; two that share one are held less often */
    ALWAYS = 4,      /* times that a thread is held for nothing before that is done now and then */
    KEPT = 16,       /* meetings after which who is kept is let go */
    LOOK = 200,      /* microseconds: naps are counted in looks */
    NAP = 50,        /* looks of a moment that is waited for somebody to come back, */
    NAPS = 100,      /* and so many such moments in all; */
    LONG_NAPS = 4,   /* or this many, where one is as long as the run's patience; */
    VAIN = 8,        /* halved after so many in a row for which nobody has come: who is away may wait for ever, */
    HALVES = 5,      /* so often at most */
};

bool rcp_steer_is_on;

static struct {
    const struct rcp_run_place *watched;
    uint64_t n, hold_events, end;
    uint64_t slots;
    struct rcp_run_outcome *outcome;
    struct rcp_run_seen *met;
    rcp_thread *next[2]; /* who have met and have not gone on, in this order */
    uint32_t nap, looks; /* of one nap, and left of the run's */
    uint32_t vain;       /* naps in a row for which nobody has come */
    bool keeps;          /* who has met somebody is held still */
    uint16_t tries[TRIES];
    bool is_vain[TRIES]; /* likewise: who was held there has waited for nobody */
    bool pairs[TRIES];   /* of places in the code that have met, where who has met is held still */
    bool has_met[TRIES]; /* by place in the code: in runs before */
} steer;

static bool *has_met(uint64_t code) { return &steer.has_met[code * UINT64_C(0x9e3779b97f4a7c15) >> 50]; }

void rcp_steer_start(const struct rcp_run_config *config, const struct rcp_run_place *watched, const uint64_t *met,
                     struct rcp_run_outcome *outcome) {
    steer.watched = watched;
    steer.n = config->watched;
    steer.hold_events = config->hold_events;
    steer.end = config->steered_events;
    steer.slots = config->meetings;
    steer.nap = config->patience ? config->patience * (1000 / LOOK) : NAP;
    steer.looks = config->patience ? LONG_NAPS * steer.nap : NAPS * NAP;
    steer.keeps = config->seed % 2 == 0;
    steer.outcome = outcome;
    steer.met = (struct rcp_run_seen *)(outcome + 1) + config->sides; /* of one that was led before */
    for (uint64_t i = 0; i < config->met; i++)
        *has_met(met[i]) = true;
    rcp_steer_is_on = steer.n;
}

void rcp_steer_let_go(void) {
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        t->parked = false;
}

void rcp_steer_end(void) {
    rcp_steer_let_go();
    rcp_steer_is_on = false;
}

/* The first watched place that the bytes touch; steer.n: none. */
static uint64_t find(uint64_t address, uint64_t size) {
    uint64_t low = 0, high = steer.n; /* all below `low` end before the bytes, all from `high` on begin behind them */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const struct rcp_run_place *p = &steer.watched[middle];
        if (p->address + p->size <= address)
            low = middle + 1;
        else if (p->address >= address + size)
            high = middle;
        else
            return middle;
    }
    return steer.n;
}

static uint64_t watched_by(const rcp_next_event *e) {
    switch (e->kind) {
    case RCP_WHAT_LOAD:
    case RCP_WHAT_STORE:
    case RCP_WHAT_RMW:
    case RCP_WHAT_EXCHANGE:
    case RCP_WHAT_FILL: return e->size ? find(e->address, e->size) : steer.n;
    case RCP_WHAT_COPY: {
        uint64_t to = e->size ? find(e->address, e->size) : steer.n;
        return to < steer.n || !e->size ? to : find(e->from, e->size);
    }
    default: return steer.n;
    }
}

/* By thread, place and kind of access. */
static unsigned slot_of(const rcp_thread *self) {
    uint64_t key = ((self->event.address * 8191 + self->number) * 16 + self->event.kind) ^ self->event.code << 20;
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 50);
}

/* Is it worth to be held for nothing once more? The first times, then after twice as many, and so on. */
static bool is_worth_holding(const rcp_thread *self) {
    uint16_t *tries = &steer.tries[slot_of(self)];
    *tries += *tries < UINT16_MAX;
    if (*has_met(self->event.code))
        return *tries == 1;
    return *tries <= ALWAYS || !(*tries & (*tries - 1));
}

/* Have the two places in the code met before? Of two that share a slot the first one counts. */
static bool is_new(uint64_t a, uint64_t b) {
    const uint64_t pair = (a < b ? a : b) * UINT64_C(0x9e3779b97f4a7c15) + (a < b ? b : a);
    bool *slot = &steer.pairs[pair * UINT64_C(0x9e3779b97f4a7c15) >> 50], is = !*slot;
    *slot = true;
    return is;
}

static bool meet(rcp_thread *self, rcp_thread *held) {
    struct rcp_run_met met[2];
    if (!rcp_meeting_conflict(held, self, met))
        return false;
    uint64_t nth = steer.outcome->met_times;
    if (steer.keeps && !is_new(held->event.code, self->event.code))
        return false;
    if (nth < steer.slots)
        steer.met[nth] = (struct rcp_run_seen){.is_seen = 1, .met = {met[0], met[1]}};
    __atomic_store_n(&steer.outcome->met_times, nth + 1, __ATOMIC_RELEASE);
    held->parked = steer.keeps && ++held->meetings < KEPT;
    return true;
}

bool rcp_steer_stops(rcp_thread *self) {
    uint64_t place = watched_by(&self->event);
    if (place == steer.n)
        return false;
    rcp_thread *met = NULL;
    bool is_alone = true, has_met = false;
    rcp_sys_acquire(&rcp_baton.lock);
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next) {
        if (t != self && t->parked && t->stands && meet(self, t)) {
            has_met = true;
            met = met || t->parked ? met : t;
        }
        is_alone &= t == self || t->state == RCP_THREAD_ENDED;
    }
    self->parked = !has_met && !is_alone && is_worth_holding(self);
    self->meetings = 0;
    steer.outcome->held_times += self->parked;
    steer.next[0] = met;
    steer.next[1] = met ? self : NULL;
    rcp_sys_release(&rcp_baton.lock);
    return met || self->parked;
}

rcp_thread *rcp_steer_next(bool *for_one) {
    for (int i = 0; i < 2; i++) {
        rcp_thread *t = steer.next[i];
        steer.next[i] = NULL;
        *for_one = !i;
        if (t && t->state == RCP_THREAD_READY)
            return t;
    }
    return NULL;
}

bool rcp_steer_passes_over(rcp_thread *t, uint64_t events, uint64_t held_clock) {
    if (events >= steer.end)
        rcp_steer_end();
    if (t->parked && held_clock - t->parked_since >= steer.hold_events)
        t->parked = false;
    return t->parked;
}

bool rcp_steer_is_worth_a_nap(void) {
    bool may_come = false;
    for (const rcp_thread *t = rcp_baton.all; t && !may_come; t = t->all_next)
        may_come = t->state == RCP_THREAD_AWAY || (t->state == RCP_THREAD_WAITS && t->deadline != RCP_NO_DEADLINE);
    return may_come && steer.looks;
}

uint32_t rcp_steer_looks(const rcp_thread *self) {
    const unsigned slot = slot_of(self);
    const bool comes_again = steer.tries[slot] > 1; /* else it is perhaps what a program begins with */
    const bool is_worth_it = comes_again && !steer.is_vain[slot] && !*has_met(self->event.code);
    const uint32_t halves = steer.vain / VAIN < HALVES ? steer.vain / VAIN : HALVES;
    const uint32_t nap = is_worth_it ? steer.nap : NAP >> halves;
    return nap < steer.looks ? nap : steer.looks;
}

/* Whoever does not come within all of the patience waits for one of those that are held, or for ever. */
void rcp_steer_has_napped(const rcp_thread *self, uint32_t looks) {
    steer.is_vain[slot_of(self)] |= looks >= steer.nap;
    steer.vain = self->poked ? 0 : steer.vain + 1;
    steer.looks -= looks < steer.looks ? looks : steer.looks;
}
