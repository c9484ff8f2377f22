/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/meeting.h"

#include "runtime/say.h"
#include "runtime/waits.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/uio.h>

typedef struct racer {
    const struct rcp_run_access *access;
    rcp_thread *thread;
    struct rcp_run_met *met;
    uint64_t stop, depth; /* where it stands */
    bool writes;
} racer;

static struct {
    const struct rcp_run_config *config;
    struct rcp_run_outcome *outcome;
    racer racers[2];
} meeting;

rcp_thread *rcp_meeting_find(uint64_t role) {
    for (rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->role == role)
            return t;
    return NULL;
}

/* --- what can't be shown --- */

/* In which call: "is in a call outside" where that has no name. */
static void say_call(rcp_say *line, const rcp_thread *t) {
    Dl_info info;
    uint64_t outside = t->hot ? t->hot->outside : 0;
    if (t->accepts) {
        rcp_say_text(line, "waits in accept() for a client");
    } else if (outside > RCP_OUTSIDE_STOPPED_AGAIN && dladdr((void *)outside, &info) && info.dli_sname) {
        rcp_say_text(line, t->given ? "waits in " : "is in ");
        rcp_say_text(line, info.dli_sname);
        rcp_say_text(line, "()");
    } else {
        rcp_say_text(line, "is in a call outside");
    }
}

static void say_thread(rcp_say *line, const rcp_thread *t) {
    static const char *const states[] = {"could run", "runs", "waits", "", "has ended"};
    char name[64];
    if (t->state == RCP_THREAD_WAITS) {
        rcp_waits_describe(t, line);
    } else {
        rcp_thread_name(t, name, sizeof name);
        rcp_say_text(line, "thread ");
        rcp_say_text(line, name);
        rcp_say_text(line, " ");
        if (t->state == RCP_THREAD_AWAY)
            say_call(line, t);
        else
            rcp_say_text(line, states[t->state]);
    }
    rcp_say_text(line, ", at event ");
    rcp_say_number(line, t->at);
    rcp_say_text(line, "\n");
}

_Noreturn void rcp_meeting_lose(struct rcp_run_outcome *outcome, enum rcp_run_verdict verdict, const char *why) {
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

/* "thread 0.2 …" */
_Noreturn static void miss(const rcp_thread *t, enum rcp_run_verdict verdict, const char *what) {
    char name[64];
    RCP_SAY(line, 256);
    rcp_thread_name(t, name, sizeof name);
    rcp_say_text(&line, "thread ");
    rcp_say_text(&line, name);
    rcp_say_text(&line, what);
    rcp_meeting_lose(meeting.outcome, verdict, line.text);
}

/* --- both stand --- */

/* Memory may not be there: that is what some races are about. */
uint32_t rcp_meeting_peek(uint64_t address, uint64_t size, uint8_t bytes[16]) {
    struct iovec to = {bytes, size < 16 ? size : 16}, from = {(void *)address, to.iov_len};
    long n = rcp_sys(SYS_process_vm_readv, rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0), (long)&to, 1, (long)&from, 1, 0);
    return n > 0 ? (uint32_t)n : 0;
}

/* Is it about to do what was predicted? */
static bool is_kind(const rcp_next_event *e, const struct rcp_run_access *a) {
    if (a->by == RCP_RUN_BY_CALL)
        return e->kind == RCP_WHAT_CALL;
    if (a->by == RCP_RUN_BY_END)
        return e->kind == RCP_WHAT_END;
    if (e->is_atomic != !!a->atomic)
        return false;
    switch (e->kind) {
    case RCP_WHAT_LOAD: return a->does == RCP_RUN_READS;
    case RCP_WHAT_STORE:
    case RCP_WHAT_FILL: return a->does == RCP_RUN_WRITES;
    case RCP_WHAT_COPY: return a->does != RCP_RUN_CHANGES;
    case RCP_WHAT_RMW: return a->does == RCP_RUN_CHANGES;
    case RCP_WHAT_EXCHANGE: return a->does != RCP_RUN_WRITES; /* whether it writes is seen now */
    default: return false;
    }
}

static bool would_succeed(const rcp_next_event *e) {
    uint8_t now[16];
    return rcp_meeting_peek(e->address, e->size, now) == e->size && !memcmp(now, e->expected, e->size);
}

static void see(racer *r) {
    const struct rcp_run_access *a = r->access;
    const rcp_thread *t = r->thread;
    const rcp_next_event *e = &t->event;
    *r->met = (struct rcp_run_met){
        .number = t->number, .tid = (uint64_t)t->tid, .position = t->at, .code = e->code, .kind = e->kind};
    bool is_here = a->by == RCP_RUN_BY_CODE, is_source = e->kind == RCP_WHAT_COPY && a->does == RCP_RUN_READS;
    r->met->address = !is_here ? a->address : is_source ? e->from : e->address;
    r->met->size = is_here ? e->size : a->size;
    r->met->known = rcp_meeting_peek(r->met->address, r->met->size, r->met->before);
    r->writes = e->kind == RCP_WHAT_EXCHANGE ? would_succeed(e) : a->does != RCP_RUN_READS;
}

static bool stands_before(const rcp_thread *t, const struct rcp_run_access *a) {
    return t && t->state == RCP_THREAD_READY && t->stands && t->at == a->position;
}

static void arrive(racer *r) {
    rcp_thread *t = r->thread = rcp_meeting_find(r->access->role);
    if (!stands_before(t, r->access)) {
        RCP_SAY(line, 256);
        rcp_say_text(&line, "a thread does not stand before its access, event ");
        rcp_say_number(&line, r->access->position);
        if (t)
            miss(t, RCP_RUN_LOST, line.text + strlen("a thread"));
        rcp_meeting_lose(meeting.outcome, RCP_RUN_LOST, line.text);
    }
    if (!is_kind(&t->event, r->access))
        miss(t, RCP_RUN_MISSED, " is about to do something else than its access");
    see(r);
    r->stop = t->stop;
    r->depth = t->hot->depth;
    t->faulted = false;
}

static bool overlap(const struct rcp_run_met *a, const struct rcp_run_met *b) {
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

bool rcp_meeting_stands(const struct rcp_run_access *access, struct rcp_run_met *met) {
    racer r = {.access = access, .met = met, .thread = rcp_meeting_find(access->role)};
    if (!stands_before(r.thread, access) || !is_kind(&r.thread->event, access))
        return false;
    see(&r);
    return met->known;
}

unsigned rcp_meeting_astray(const struct rcp_run_access access[2]) {
    unsigned astray = 0;
    for (unsigned i = 0; i < 2; i++) {
        const rcp_thread *t = rcp_meeting_find(access[i].role);
        astray |= (unsigned)(!stands_before(t, &access[i]) || !is_kind(&t->event, &access[i])) << i;
    }
    return astray;
}

bool rcp_meeting_look(const struct rcp_run_access access[2], struct rcp_run_met met[2]) {
    racer both[2];
    if (rcp_meeting_astray(access))
        return false;
    for (int i = 0; i < 2; i++) {
        both[i] = (racer){.access = &access[i], .met = &met[i], .thread = rcp_meeting_find(access[i].role)};
        see(&both[i]);
        if (!met[i].known) /* it would fault, and not be made */
            return false;
    }
    return (both[0].writes || both[1].writes) && overlap(&met[0], &met[1]);
}

/* One of the two parts of an event that touch memory: a copy has two. False: there are no more. */
static bool part_of(const rcp_thread *t, unsigned n, struct rcp_run_met *met, bool *writes) {
    const rcp_next_event *e = &t->event;
    if (n > 1 || (n && e->kind != RCP_WHAT_COPY))
        return false;
    *met = (struct rcp_run_met){.number = t->number,
                                .tid = (uint64_t)t->tid,
                                .position = t->at,
                                .code = e->code,
                                .kind = e->kind,
                                .address = n ? e->from : e->address,
                                .size = e->size};
    *writes = e->kind == RCP_WHAT_EXCHANGE ? would_succeed(e) : e->kind != RCP_WHAT_LOAD && !n;
    return true;
}

bool rcp_meeting_conflict(const rcp_thread *held, const rcp_thread *comes, struct rcp_run_met met[2]) {
    bool writes[2];
    if (held->event.is_atomic && comes->event.is_atomic)
        return false;
    for (unsigned i = 0; part_of(held, i, &met[0], &writes[0]); i++)
        for (unsigned k = 0; part_of(comes, k, &met[1], &writes[1]); k++) {
            if ((!writes[0] && !writes[1]) || !overlap(&met[0], &met[1]))
                continue;
            for (int m = 0; m < 2; m++)
                met[m].known = rcp_meeting_peek(met[m].address, met[m].size, met[m].before);
            return met[0].known && met[1].known; /* else one would fault, and not be made */
        }
    return false;
}

void rcp_meeting_begin(const struct rcp_run_config *config, struct rcp_run_outcome *outcome) {
    racer *one = &meeting.racers[0], *other = &meeting.racers[1];
    meeting.config = config;
    meeting.outcome = outcome;
    for (int i = 0; i < 2; i++) {
        meeting.racers[i] = (racer){.access = &config->race[i], .met = &outcome->met[i]};
        arrive(&meeting.racers[i]);
    }
    if (!one->writes && !other->writes)
        rcp_meeting_lose(outcome, RCP_RUN_MISSED, "neither of the two would write: a compare-and-swap would fail");
    bool is_known = one->access->by == RCP_RUN_BY_CODE && other->access->by == RCP_RUN_BY_CODE;
    if (is_known && !overlap(one->met, other->met))
        rcp_meeting_lose(outcome, RCP_RUN_MISSED, "the two accesses are to different memory");
    __atomic_store_n(&outcome->verdict, RCP_RUN_REACHED, __ATOMIC_RELEASE);
}

void rcp_meeting_begin_second(const struct rcp_run_config *config, struct rcp_run_outcome *outcome) {
    meeting.config = config;
    meeting.outcome = outcome;
    meeting.racers[1] = (racer){.access = &config->race[1], .met = &outcome->met[1]};
    arrive(&meeting.racers[1]);
    __atomic_store_n(&outcome->verdict, RCP_RUN_FIRST, __ATOMIC_RELEASE);
}

/* --- one goes on, then the other --- */

/* Has it left its event behind? It may be in a handler of its fault, in what its call calls back, or in the call. */
static bool is_made(const racer *r) {
    const rcp_thread *t = r->thread;
    if (t->state == RCP_THREAD_ENDED || !t->hot || t->hot->depth < r->depth)
        return true;
    return t->hot->depth == r->depth && t->stands && t->stop != r->stop && !t->faulted;
}

static racer *going(void) {
    if (meeting.config->flags & RCP_RUN_LATE)
        return &meeting.racers[1];
    bool is_first = meeting.outcome->verdict == RCP_RUN_REACHED;
    return &meeting.racers[is_first ? meeting.config->first : !meeting.config->first];
}

static void note_made(racer *r) {
    rcp_meeting_peek(r->met->address, r->met->size, r->met->after);
    __atomic_store_n(&meeting.outcome->verdict, meeting.outcome->verdict + 1, __ATOMIC_RELEASE);
}

static bool is_going_on(const rcp_thread *t) {
    uint32_t verdict = meeting.outcome ? meeting.outcome->verdict : RCP_RUN_BOTH;
    return (verdict == RCP_RUN_REACHED || verdict == RCP_RUN_FIRST) && going()->thread == t;
}

void rcp_meeting_exit(const rcp_thread *t) {
    if (is_going_on(t) && is_made(going()))
        note_made(going());
}

void rcp_meeting_fault(const rcp_thread *t, uint64_t address) {
    if (!is_going_on(t))
        return;
    racer *r = going();
    const rcp_next_event *e = &t->event;
    bool is_its_own =
        e->kind != RCP_WHAT_CALL && (address - e->address < e->size || (e->from && address - e->from < e->size));
    if (t->hot->depth == r->depth && !is_its_own)
        note_made(r);
}

/* The first one can't: then this is no race. Where the second one waits for the first to go on, the race was shown. */
static bool can_not_go_on(void) {
    if (meeting.outcome->verdict == RCP_RUN_REACHED)
        miss(going()->thread, RCP_RUN_MISSED, " does not make its access while the other one stands before its own");
    return false;
}

void rcp_meeting_forget(void) { meeting.outcome = NULL; }

bool rcp_meeting_give_up(void) { return can_not_go_on(); }

bool rcp_meeting_choose(rcp_choice *choice) {
    while (meeting.outcome->verdict < RCP_RUN_BOTH) {
        racer *r = going();
        rcp_thread *t = r->thread;
        if (is_made(r)) {
            note_made(r);
            continue;
        }
        bool late = t->state == RCP_THREAD_WAITS && t->deadline != RCP_NO_DEADLINE;
        if (t->state == RCP_THREAD_WAITS && !late)
            return can_not_go_on();
        /* an event at a time; where it is on its way back from a call it stops before the next one */
        *choice = (rcp_choice){t->state == RCP_THREAD_AWAY ? NULL : t, t->at + t->stands};
        return true;
    }
    return false;
}
