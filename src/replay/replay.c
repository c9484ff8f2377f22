/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/replay.h"

#include "base/limits.h"
#include "abi/hooks.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "program/recording/sums.h"
#include "program/telling/watch.h"
#include "record/inputs.h"
#include "replay/tell.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

typedef struct replaying {
    const char *directory;
    rcp_reader *reader;
    const rcp_defs *defs;
    const rcp_plan *plan;
    const rcp_recorded_command *whole; /* that is run, as a whole; NULL: the program by itself */
    rcp_event access[2];
    rcp_replay *replay;
} replaying;

static const char *name_of(const replaying *r, rcp_tid tid) {
    return rcp_defs_borrow_string(r->defs, r->defs->threads.at[tid.v].name);
}

static const char *thread_name(const replaying *r, int i) { return name_of(r, r->access[i].tid); }

/* Memory that goes with its thread is freed at no place. */
static bool is_end(const rcp_event *e) { return e->kind == RCP_FREE && !e->loc.v; }

static const char *doing(const rcp_event *e) {
    return is_end(e)             ? "end, and to take along"
           : e->kind == RCP_FREE ? "free"
           : e->kind == RCP_RMW  ? "change"
           : rcp_event_writes(e) ? "write"
                                 : "read";
}

static void tell_meeting(const replaying *r, rcp_text *to, const rcp_event access[2],
                         const struct rcp_run_met both[2]) {
    for (int i = 0; i < 2; i++) {
        const struct rcp_run_met *met = &both[i];
        rcp_text_printf(to, "%s thread %s is about to %s %" PRIu64 " byte%s at 0x%" PRIx64,
                        i ? ", and" : "At one moment", name_of(r, access[i].tid), doing(&access[i]), met->size,
                        met->size == 1 ? "" : "s", met->address);
        if (met->known && (access[i].kind != RCP_FREE || (is_end(&access[i]) && met->size <= sizeof(uint64_t)))) {
            rcp_text_puts(to, " (they hold ");
            rcp_tell_bytes(to, met->before, met->size < met->known ? met->size : met->known);
            rcp_text_puts(to, ")");
        }
    }
    rcp_text_puts(to, ".\n");
}

/* What hangs on the order: the accesses' values, and how the program ended. */
static void tell_order(const replaying *r, const rcp_performance *p, int first, double limit) {
    rcp_text *to = &r->replay->told;
    rcp_text_printf(to, "Thread %s first: ", thread_name(r, first));
    for (int k = 0; k < 2; k++) {
        int i = k ? !first : first;
        const struct rcp_run_met *met = &p->outcome.met[i];
        bool made = p->outcome.verdict >= (k ? RCP_RUN_BOTH : RCP_RUN_FIRST);
        if (!made || !met->known)
            continue;
        if (r->access[i].kind == RCP_FREE) { /* what is there then is the allocator's */
            rcp_text_printf(to, is_end(&r->access[i]) ? "%s ends, " : "%s frees it, ", thread_name(r, i));
            continue;
        }
        rcp_text_printf(to, "%s %s ", thread_name(r, i), r->access[i].kind == RCP_READ ? "reads" : "leaves");
        rcp_tell_bytes(to, met->after, met->size < 16 ? met->size : 16);
        const bool is_after = k && r->access[first].kind == RCP_FREE;
        rcp_text_puts(to, !is_after                   ? ", "
                          : is_end(&r->access[first]) ? " in memory that is gone, "
                                                      : " in memory that was freed, ");
    }
    rcp_tell_end(to, p, limit);
    rcp_text_puts(to, ".\n");
}

/* Does it write what its thread has read there before, with something added that is not 0? */
static bool is_addition(const replaying *r, const rcp_event *e) {
    const rcp_terms *terms = rcp_reader_borrow_terms(r->reader);
    rcp_event read;
    if (e->kind != RCP_WRITE || rcp_event_is_atomic(e) || !rcp_term_is_real(e->value_term))
        return false;
    const rcp_term_node *sum = rcp_term_borrow(terms, e->value_term);
    if (sum->op != RCP_OP_ADD)
        return false;
    const rcp_term_node a = *rcp_term_borrow(terms, (rcp_term){sum->a}),
                        b = *rcp_term_borrow(terms, (rcp_term){sum->b});
    const rcp_term_node *was = a.op == RCP_OP_READ ? &a : &b, *more = a.op == RCP_OP_READ ? &b : &a;
    if (was->op != RCP_OP_READ || more->op != RCP_OP_CONST || !more->word || was->a || was->width != 8 * e->size)
        return false;
    if (rcp_reader_fetch(r->reader, (rcp_eid){was->word}, &read) != RCP_OK) {
        rcp_clear_causes();
        return false;
    }
    return read.kind == RCP_READ && read.tid.v == e->tid.v && read.addr == e->addr && read.size == e->size;
}

/* Both stand before their writes, and have read what they add to: whichever writes first, the other one writes over it.
 */
static void tell_lost(const replaying *r) {
    const rcp_event *a = &r->access[0], *b = &r->access[1];
    if (a->addr == b->addr && a->size == b->size && is_addition(r, a) && is_addition(r, b))
        rcp_text_puts(&r->replay->told, "Both have read it before they write, so one of the two updates is lost.\n");
}

/* Then nobody leads it. */
static void tell_difference(const replaying *r, const rcp_performance p[2]) {
    rcp_text difference = {0};
    rcp_tell_difference(&difference, p);
    if (difference.len)
        rcp_text_printf(&r->replay->told, "Then the program goes on by itself. %s", difference.at);
    rcp_text_finish(&difference);
}

/* The run left the witness, or never got going: nothing was tried then. */
static rcp_race_status tell_loss(const replaying *r, const rcp_performance *p, double limit) {
    rcp_text *to = &r->replay->told;
    const struct rcp_run_outcome *outcome = &p->outcome;
    size_t steps = r->plan->schedule.steps.len;
    if (!outcome->pid && r->whole && !p->was_late) {
        rcp_text_puts(to, "The whole command was run again, and this process was not among those that it started: its "
                          "command line or its working directory were others, or fewer of its like began.\n");
        return RCP_RACE_NOT_REPLAYED;
    }
    if (!outcome->pid && r->whole) {
        rcp_text_printf(to, "The whole command was run again, and had not started this process within %.0f s.\n",
                        limit);
        return RCP_RACE_NOT_REPLAYED;
    }
    if (!outcome->pid) {
        rcp_text_puts(to, "The program could not be started again: ");
        rcp_text_puts(to, p->errors.len ? p->errors.at : "it ended before recipe's part of it began.\n");
        return RCP_RACE_NOT_TRIED;
    }
    uint64_t step = outcome->step < steps ? outcome->step + 1 : steps;
    rcp_text_printf(to, "The run left the schedule at step %" PRIu64 " of %zu (%s): ", step, steps,
                    step <= r->plan->recorded ? "as recorded" : "of the witness");
    switch (outcome->verdict) {
    case RCP_RUN_LOST:
    case RCP_RUN_MISSED: rcp_text_printf(to, "%.*s", (int)sizeof outcome->what, outcome->what); break;
    default:
        rcp_tell_end(to, p, limit);
        rcp_text_puts(to, " before that.\n");
        if (p->errors.len && !p->was_late)
            rcp_text_printf(to, "It said: %.*s\n", (int)strcspn(p->errors.at, "\n"), p->errors.at);
    }
    return RCP_RACE_NOT_REPLAYED;
}

/* An instruction waits for nobody: where both accesses are such, that both stood before them suffices. Then the second
 * run only shows what hangs on the order. */
static bool needs_no_other(const replaying *r) {
    return r->plan->race[0].by == RCP_RUN_BY_CODE && r->plan->race[1].by == RCP_RUN_BY_CODE;
}

/* One run. *in_time: false where the end of all replays came before both accesses could be seen, or before it began. */
static rcp_code run_once(const rcp_staging *staging, const rcp_replay_options *options, bool may_lack,
                         rcp_performance *p, bool *in_time) {
    rcp_staging so = *staging;
    double left = options->end - rcp_seconds_now();
    bool is_short = options->end > 0 && (!options->must || may_lack) && (so.limit <= 0 || left < so.limit);
    *in_time = !is_short || left > 0;
    if (!*in_time)
        return RCP_OK;
    so.limit = is_short ? left : so.limit;
    rcp_code code = rcp_stage_perform(&so, p);
    *in_time = !is_short || !p->was_late || p->outcome.verdict >= RCP_RUN_FIRST;
    return code;
}

/* --- what calls did --- */

typedef struct deeds {
    rcp_watches watches;
    const rcp_watch *of[2]; /* by access; NULL: it is no call's */
} deeds;

/* Where access `i` is made: the nth of its places. False: there are no more. */
static bool place_of(const replaying *r, const rcp_performance *p, const deeds *d, int i, size_t n, rcp_span *place) {
    const struct rcp_run_met *met = &p->outcome.met[i];
    const rcp_watch *watch = d->of[i];
    if (!watch && !n) {
        *place = (rcp_span){met->address, met->address + met->size};
        return true;
    }
    bool writes = r->plan->race[i].does != RCP_RUN_READS;
    for (size_t k = 0; watch && k < watch->touches.len; k++) {
        const rcp_watched_touch *touch = &watch->touches.at[k];
        if (touch->writes == writes && !n--) {
            *place = (rcp_span){touch->address, touch->address + touch->size};
            return true;
        }
    }
    return false;
}

static bool meet_somewhere(const replaying *r, const rcp_performance *p, const deeds *d) {
    rcp_span a, b;
    for (size_t i = 0; place_of(r, p, d, 0, i, &a); i++)
        for (size_t k = 0; place_of(r, p, d, 1, k, &b); k++)
            if (a.lo < b.hi && b.lo < a.hi)
                return true;
    return false;
}

static bool is_callee(const char *now, const char *predicted) { return !predicted || (now && !strcmp(now, predicted)); }

/* The runtime has seen that a call was made, and not what it touched: its log is executed again. False: it is not the
 * memory of the other access, or nobody knows. */
static bool do_calls_meet(const replaying *r, const rcp_performance *p) {
    deeds d = {0};
    for (int i = 0; i < 2; i++)
        if (r->plan->race[i].by != RCP_RUN_BY_CODE) {
            const struct rcp_run_met *met = &p->outcome.met[i];
            d.of[i] = &d.watches.at[d.watches.n];
            d.watches.at[d.watches.n++] = (rcp_watch){.thread = (uint32_t)met->number,
                                                      .position = met->position,
                                                      .at_end = r->plan->race[i].by == RCP_RUN_BY_END};
        }
    bool is_known = !d.watches.n || rcp_watches_run(&d.watches, p->log) == RCP_OK;
    if (!is_known)
        rcp_clear_causes();
    bool meets = is_known && (!d.watches.n || meet_somewhere(r, p, &d));
    for (int i = 0; i < 2; i++)
        meets &= !d.of[i] || is_callee(d.of[i]->callee, r->plan->callee[i]);
    rcp_watches_finish(&d.watches);
    return meets;
}

static void tell_elsewhere(const replaying *r) {
    r->replay->status = RCP_RACE_NOT_REPLAYED;
    rcp_text_clear(&r->replay->told);
    rcp_text_puts(&r->replay->told, "Both threads came as far as the schedule says, but the call there is another "
                                    "one, or touches other memory in this run.\n");
}

/* --- others on the way --- */

static void put_place(const replaying *r, rcp_text *to, const rcp_event *event) {
    const rcp_location *at = &r->defs->locations.at[event->loc.v];
    if (event->loc.v)
        rcp_text_printf(to, "%s:%u", rcp_defs_borrow_string(r->defs, at->file), at->line);
    else
        rcp_text_puts(to, "an unknown place");
}

/* Whatever came of the race itself: what a run has shown it has shown. */
static rcp_code take_seen(const replaying *r, const rcp_performance *p) {
    for (size_t i = 0; i < p->seen.len; i++) {
        size_t other = r->plan->beside.at[i].pair;
        bool is_new = p->seen.at[i].is_seen;
        for (size_t k = 0; is_new && k < r->replay->seen.len; k++)
            is_new = r->replay->seen.at[k].other != other;
        if (!is_new)
            continue;
        rcp_event access[2];
        for (int k = 0; k < 2; k++)
            RCP_TRY(rcp_reader_fetch(r->reader, r->plan->beside.at[i].event[k], &access[k]));
        rcp_replay_seen seen = {.other = other};
        tell_meeting(r, &seen.told, access, p->seen.at[i].met);
        rcp_text_puts(&seen.told, RCP_REPLAY_BESIDE ", between ");
        put_place(r, &seen.told, &r->access[0]);
        rcp_text_puts(&seen.told, " and ");
        put_place(r, &seen.told, &r->access[1]);
        rcp_text_puts(&seen.told, "; 'recipe replay' shows what hangs on the order.\n");
        rcp_vec_push(&r->replay->seen, seen);
    }
    return RCP_OK;
}

/* --- older bytes, and late stores --- */

/* Not the race, but what the standard allows of it. */
static bool shows_allowed(const rcp_replay_options *options) { return options->older || options->late; }

/* Are the values those that the checker has judged, before the write and where the read stands? */
static bool is_as_judged(const replaying *r, const rcp_performance *p, const uint8_t *older) {
    const struct rcp_run_met *met = p->outcome.met;
    const uint64_t size = r->access[1].size;
    return met[0].size == size && met[1].size == size && !memcmp(met[0].before, older, size) &&
           !memcmp(met[1].before, rcp_event_bytes(&r->access[1]), size);
}

/* The store stores what it stored, and the other access is the one that was recorded, of the same bytes. */
static bool is_late_as_judged(const replaying *r, const rcp_performance *p, const rcp_late_verdict *late,
                              bool is_late) {
    const struct rcp_run_met *w = &p->outcome.met[0], *b = &p->outcome.met[1];
    const rcp_event *store = &r->access[0], *other = &r->access[1];
    if (p->outcome.verdict < RCP_RUN_BOTH || w->size != store->size ||
        memcmp(w->after, rcp_event_bytes(store), store->size) != 0 ||
        (late->known && memcmp(w->before, late->bytes, store->size) != 0))
        return false;
    if (r->plan->race[1].by != RCP_RUN_BY_CODE) /* which memory it touches is in the log */
        return is_late || do_calls_meet(r, p);
    const uint8_t *is = other->kind == RCP_WRITE ? b->after : b->before;
    const uint64_t at = other->addr - b->address, n = other->size < sizeof b->before ? other->size : sizeof b->before;
    return is_late || !other->valued || at + n > sizeof b->before || !memcmp(is + at, rcp_event_bytes(other), n);
}

static void tell_unlike(const replaying *r) {
    r->replay->status = RCP_RACE_NOT_REPLAYED;
    rcp_text_puts(&r->replay->told, "Memory does not hold in this run what it held when it was recorded.\n");
}

static void put_end(rcp_text *to, const rcp_performance p[2], double limit) {
    rcp_text without = {0}, with = {0};
    rcp_tell_end(&without, &p[0], limit);
    rcp_tell_end(&with, &p[1], limit);
    rcp_text_puts(to, with.at);
    if (strcmp(with.at, without.at))
        rcp_text_printf(to, "; without it %s", without.at);
    rcp_text_finish(&without);
    rcp_text_finish(&with);
}

/* "data == 42 at message.c:25" */
static void put_value(const replaying *r, rcp_text *to, const rcp_event *access, const uint8_t *value,
                      const char *where) {
    const rcp_variable *variable = rcp_defs_find_variable(r->defs, access->addr);
    const char *name = variable ? rcp_defs_borrow_string(r->defs, variable->name) : "";
    const bool is_whole = *name && variable->addr == access->addr && variable->size == access->size;
    if (is_whole)
        rcp_text_printf(to, "%s == ", name);
    rcp_tell_bytes(to, value, access->size);
    if (!is_whole)
        rcp_text_printf(to, " %s 0x%" PRIx64, where, access->addr);
    rcp_text_puts(to, " at ");
    put_place(r, to, access);
}

/* With the value that memory holds first, then with the older one. */
static void tell_older(const replaying *r, const rcp_performance p[2], double limit) {
    rcp_text *to = &r->replay->told;
    const rcp_event *read = &r->access[1];
    rcp_text_printf(to, RCP_REPLAY_ALLOWED "thread %s reads ", thread_name(r, 1));
    put_value(r, to, read, p[1].outcome.met[1].after, "from");
    rcp_text_printf(to, ", as before thread %s's write at ", thread_name(r, 0));
    put_place(r, to, &r->access[0]);
    rcp_text_puts(to, " (it read ");
    rcp_tell_bytes(to, p[0].outcome.met[1].after, read->size);
    rcp_text_puts(to, " when it was recorded): ");
    put_end(to, p, limit);
    rcp_text_puts(to, ".\n");
    rcp_tell_difference(to, p);
}

/* With the store in its place first, then late. */
static void tell_late(const replaying *r, const rcp_performance p[2], double limit) {
    rcp_text *to = &r->replay->told;
    const rcp_event *store = &r->access[0], *other = &r->access[1];
    rcp_text_printf(to, RCP_REPLAY_ALLOWED "thread %s's store of ", thread_name(r, 0));
    put_value(r, to, store, rcp_event_bytes(store), "to");
    rcp_text_printf(to, " comes late, after thread %s's %s at ", thread_name(r, 1), doing(other));
    put_place(r, to, other);
    if (other->kind != RCP_WRITE)
        rcp_text_puts(to, ", which finds what was there before");
    else if (other->valued) {
        rcp_text_puts(to, " (of ");
        rcp_tell_bytes(to, rcp_event_bytes(other), other->size);
        rcp_text_puts(to, ")");
    }
    rcp_text_puts(to, ": ");
    put_end(to, p, limit);
    rcp_text_puts(to, ".\n");
    rcp_tell_difference(to, p);
}

/* --- a deadlock --- */

static rcp_race_status tell_standstill(const replaying *r, const rcp_performance *p, double limit) {
    rcp_text *to = &r->replay->told;
    const uint32_t verdict = p->outcome.verdict;
    if (verdict == RCP_RUN_BOTH) {
        rcp_text_printf(to, "The program was led there, and waits for ever: %.*s.\n", (int)sizeof p->outcome.waits,
                        p->outcome.waits);
        return RCP_RACE_CONFIRMED;
    }
    if (verdict != RCP_RUN_REACHED && verdict != RCP_RUN_FIRST)
        return tell_loss(r, p, limit);
    rcp_text_printf(to, "All threads stood before their calls%s, but it was not seen that they wait for ever: ",
                    verdict == RCP_RUN_FIRST ? ", and came to wait in them" : "");
    rcp_tell_end(to, p, limit);
    rcp_text_puts(to, ".\n");
    return RCP_RACE_NOT_REPLAYED;
}

static rcp_code perform_standstill(replaying *r, rcp_staging *staging, const rcp_replay_options *options) {
    rcp_performance p = {0};
    bool in_time;
    rcp_code code = run_once(staging, options, false, &p, &in_time);
    r->replay->seconds += p.seconds;
    r->replay->status = RCP_RACE_NOT_TRIED;
    if (code == RCP_OK && !in_time)
        rcp_text_puts(&r->replay->told, "It was not carried out: no time was left for it.\n");
    else if (code == RCP_OK)
        r->replay->status = tell_standstill(r, &p, staging->limit);
    rcp_performance_finish(&p);
    return code;
}

static rcp_code perform(replaying *r, rcp_staging *staging, const rcp_replay_options *options) {
    if (r->plan->stands.len)
        return perform_standstill(r, staging, options);
    rcp_performance p[2] = {0};
    rcp_code code = RCP_OK;
    bool told = false, in_time;
    int orders = 0;
    r->replay->status = RCP_RACE_CONFIRMED;
    for (int first = 0; code == RCP_OK && first < 2 && r->replay->status == RCP_RACE_CONFIRMED; first++) {
        if (options->first >= 0 && options->first != first && !shows_allowed(options))
            continue;
        if (options->hurry && orders && needs_no_other(r) && !shows_allowed(options))
            break;
        staging->first = (unsigned)first;
        code = run_once(staging, options, orders && needs_no_other(r), &p[first], &in_time);
        r->replay->seconds += p[first].seconds;
        if (code == RCP_OK)
            code = take_seen(r, &p[first]);
        if (code != RCP_OK)
            break;
        if (!in_time && orders && needs_no_other(r) && !shows_allowed(options))
            break; /* it was seen */
        if (!in_time) {
            rcp_text_clear(&r->replay->told);
            rcp_text_puts(&r->replay->told, "It was not carried out: no time was left for it.\n");
            r->replay->status = RCP_RACE_NOT_TRIED;
            break;
        }
        orders++;
        if (p[first].outcome.verdict < (options->pause ? RCP_RUN_REACHED : RCP_RUN_FIRST)) {
            rcp_text_clear(&r->replay->told);
            r->replay->status = tell_loss(r, &p[first], staging->limit);
            break;
        }
        if (options->is_through) {
            r->replay->run = p[first];
            p[first] = (rcp_performance){0};
            break;
        }
        if (shows_allowed(options)) {
            if (options->older ? !is_as_judged(r, &p[first], options->older)
                               : !is_late_as_judged(r, &p[first], options->late, first))
                tell_unlike(r);
            continue;
        }
        if (!options->pause && !do_calls_meet(r, &p[first])) {
            tell_elsewhere(r);
            break;
        }
        if (!told)
            tell_meeting(r, &r->replay->told, r->access, p[first].outcome.met);
        told = true;
        if (options->pause) {
            r->replay->paused = p[first];
            p[first] = (rcp_performance){0};
            break;
        }
        tell_order(r, &p[first], first, staging->limit);
    }
    const bool has_both = code == RCP_OK && orders == 2 && r->replay->status == RCP_RACE_CONFIRMED;
    if (has_both && options->older)
        tell_older(r, p, staging->limit);
    else if (has_both && options->late)
        tell_late(r, p, staging->limit);
    else if (has_both) {
        tell_lost(r);
        tell_difference(r, p);
    }
    for (int i = 0; i < 2; i++) {
        rcp_text_finish(&r->replay->output[i]);
        r->replay->output[i] = p[i].output;
        p[i].output = (rcp_text){0};
        rcp_performance_finish(&p[i]);
    }
    return code;
}

/* Where the recording has no answer to what the program asks, those who gave it are asked again. */
static rcp_code perform_again(replaying *r, rcp_staging *staging, const rcp_replay_options *options) {
    rcp_feeding real = *staging->feeding;
    rcp_text fed = r->replay->told;
    rcp_race_status was = r->replay->status;
    real.is_fed = false;
    staging->feeding = &real;
    r->replay->told = (rcp_text){0};
    for (int i = 0; i < 2; i++)
        rcp_text_finish(&r->replay->output[i]);
    rcp_code code = perform(r, staging, options);
    if (r->replay->status != RCP_RACE_CONFIRMED) {
        if (r->replay->status == RCP_RACE_NOT_REPLAYED)
            rcp_text_printf(&fed, "Again, with who is really there instead of what was recorded of them: %s",
                            r->replay->told.at ? r->replay->told.at : "\n");
        rcp_text_finish(&r->replay->told);
        r->replay->told = fed;
        r->replay->status = was;
    } else {
        rcp_text_finish(&fed);
    }
    return code;
}

/* --- a process of a command --- */

typedef struct attempt {
    rcp_staging staging;
    rcp_feeding feeding;
    const rcp_replay_options *options;
} attempt;

/* The directory that the whole command was recorded in; from rcp_alloc(). Files of a variant are links. */
static char *take_top(const char *directory) {
    char *path = rcp_file_take_path(directory, "command"), *full = realpath(path, NULL);
    rcp_text top = {0};
    rcp_text_puts(&top, full ? full : path);
    for (int i = 0; i < 2 && strrchr(top.at, '/'); i++) { /* without DIR/'process.N/command' */
        *strrchr(top.at, '/') = 0;
        top.len = strlen(top.at);
    }
    rcp_release(path);
    free(full);
    return top.at;
}

/* Should it be tried without those that it ran beside? Fed, always. Real it is alone with what it waits for. */
static bool is_worth_alone(const attempt *a, const char *directory, const char *top) {
    if (a->feeding.why_not)
        return false;
    if (a->feeding.is_fed || !a->options->whole)
        return true;
    double own = rcp_inputs_seconds(directory), all = rcp_inputs_seconds(top);
    return all > (double)rcp_limit(RCP_LIMIT_WHOLE_SECONDS) && all > 4 * own;
}

static void tell_whole(rcp_replay *replay, const rcp_recorded_command *whole) {
    rcp_text_puts(&replay->told, "That was with the whole command, run again: ");
    rcp_command_show_words(&replay->told, whole->argv.at, whole->argv.len - 1);
    rcp_text_puts(&replay->told, ".\n");
}

static rcp_code perform_whole(replaying *r, attempt *a, const char *top) {
    rcp_recorded_command whole;
    rcp_code code = rcp_command_read(&whole, top);
    rcp_staging staging = a->staging;
    rcp_feeding real = {.output = {a->feeding.output[0], a->feeding.output[1]}};
    staging.command = &whole;
    staging.is_whole = true;
    staging.feeding = &real;
    staging.end_signal = rcp_inputs_end_signal(top); /* of the command; whoever sent the process one is there */
    staging.limit = rcp_stage_limit(a->options->limit, top);
    if (code == RCP_OK) {
        r->whole = &whole;
        rcp_text before = r->replay->told;
        r->replay->told = (rcp_text){0};
        code = perform(r, &staging, a->options);
        if (r->replay->status != RCP_RACE_NOT_TRIED)
            tell_whole(r->replay, &whole);
        if (r->replay->status != RCP_RACE_CONFIRMED && before.len) {
            rcp_text_puts(&before, r->replay->told.at ? r->replay->told.at : "");
            rcp_text_finish(&r->replay->told);
            r->replay->told = before;
        } else {
            rcp_text_finish(&before);
        }
        r->whole = NULL;
    }
    rcp_command_finish(&whole);
    return code;
}

static rcp_code try_alone(replaying *r, attempt *a) {
    if (!a->feeding.why_not)
        return perform(r, &a->staging, a->options);
    r->replay->status = a->feeding.is_lost ? RCP_RACE_NOT_TRIED : RCP_RACE_NOT_REPLAYED;
    rcp_text_printf(&r->replay->told, "It can't be replayed: %s.\n", a->feeding.why_not);
    return RCP_OK;
}

/* First by itself, then with all others. What is paused is paused by itself: a debugger wants one process. */
static rcp_code try_both(replaying *r, attempt *a) {
    char *top = take_top(r->directory);
    bool is_alone = a->options->pause || is_worth_alone(a, r->directory, top);
    rcp_code code = RCP_OK;
    r->replay->status = RCP_RACE_NOT_TRIED;
    if (is_alone) {
        code = try_alone(r, a);
        if (r->replay->status != RCP_RACE_CONFIRMED && r->replay->told.len) {
            rcp_text told = {0};
            rcp_text_printf(&told, "By itself, %s: %s", a->feeding.is_fed ? "fed" : "real", r->replay->told.at);
            rcp_text_finish(&r->replay->told);
            r->replay->told = told;
        }
    }
    bool is_open = code == RCP_OK && r->replay->status != RCP_RACE_CONFIRMED && !a->options->pause;
    if (is_open && a->options->whole)
        code = perform_whole(r, a, top);
    else if (is_open)
        rcp_text_printf(&r->replay->told, "%sThe whole command was not run again; --whole does that.\n",
                        is_alone ? "" : "By itself it has nobody to talk to. ");
    rcp_release(top);
    return code;
}

static rcp_code carry_out(replaying *r, attempt *a) {
    rcp_meant meant;
    bool is_further;
    rcp_code code = rcp_meant_read(&meant, r->directory, &is_further);
    a->staging.meant = is_further ? &meant : NULL;
    a->staging.feeding = &a->feeding;
    if (code == RCP_OK)
        code = rcp_feeding_decide(&a->feeding, r->directory, a->staging.command);
    if (code == RCP_OK)
        code = is_further ? try_both(r, a) : try_alone(r, a);
    if (code == RCP_OK && !is_further && r->replay->status == RCP_RACE_NOT_REPLAYED && a->feeding.may_be_real &&
        !a->options->pause)
        code = perform_again(r, &a->staging, a->options);
    rcp_meant_finish(&meant);
    return code;
}

/* Can it be carried out at all? */
static rcp_code prepare(const char *directory, rcp_recorded_command *command, rcp_replay *replay) {
    *replay = (rcp_replay){0};
    rcp_code code = rcp_command_read(command, directory);
    if (code == RCP_OK)
        code = rcp_command_check_program(command);
    if (code == RCP_OK)
        code = rcp_sums_check(directory); /* of a variant, whose events are its own */
    if (code == RCP_OK)
        code = rcp_inputs_compare(directory, &replay->input);
    return code;
}

static rcp_code go(replaying *r, const rcp_recorded_command *command, const rcp_replay_options *options) {
    attempt a = {.staging = {.recorded = r->directory,
                             .command = command,
                             .plan = r->plan,
                             .pause = options->pause,
                             .end_signal = rcp_inputs_end_signal(r->directory),
                             .limit = rcp_stage_limit(options->limit, r->directory)},
                 .options = options};
    return carry_out(r, &a);
}

rcp_code rcp_replay_standstill(const char *directory, rcp_reader *reader, const rcp_standstill *standstill,
                               const rcp_replay_options *options, rcp_replay *replay) {
    rcp_plan plan;
    rcp_recorded_command command;
    replaying r = {.directory = directory,
                   .reader = reader,
                   .defs = rcp_reader_borrow_defs(reader),
                   .plan = &plan,
                   .replay = replay};
    rcp_code code = prepare(directory, &command, replay);
    if (code == RCP_OK) {
        code = rcp_plan_make_stand(&plan, directory, reader, standstill);
        if (code == RCP_OK)
            code = go(&r, &command, options);
        rcp_plan_finish(&plan);
    }
    rcp_command_finish(&command);
    return code;
}

rcp_code rcp_replay_race(const char *directory, rcp_reader *reader, const rcp_race *race,
                         const rcp_replay_options *options, rcp_replay *replay) {
    rcp_plan plan;
    rcp_recorded_command command;
    replaying r = {.directory = directory,
                   .reader = reader,
                   .defs = rcp_reader_borrow_defs(reader),
                   .plan = &plan,
                   .replay = replay};
    rcp_tour tour = {0};
    rcp_code code = prepare(directory, &command, replay);
    for (int i = 0; code == RCP_OK && i < 2; i++)
        code = rcp_reader_fetch(reader, race->event[i], &r.access[i]);
    double began = rcp_seconds_now();
    if (code == RCP_OK && !options->pause && !shows_allowed(options) && !options->is_through)
        code = rcp_tour_make(&tour, reader, race, options->others, options->n_others);
    replay->looking = rcp_seconds_now() - began;
    if (code == RCP_OK) {
        code = options->is_through ? rcp_plan_make_through(&plan, directory, reader, race)
               : options->older    ? rcp_plan_make_older(&plan, directory, reader, race)
               : options->late     ? rcp_plan_make_late(&plan, directory, reader, race)
                                   : rcp_plan_make(&plan, directory, reader, race, &tour, options->others);
        replay->on_the_way = plan.sides.len;
        if (code == RCP_OK)
            code = go(&r, &command, options);
        rcp_plan_finish(&plan);
    }
    rcp_tour_finish(&tour);
    rcp_command_finish(&command);
    return code;
}

void rcp_replay_finish(rcp_replay *replay) {
    for (size_t i = 0; i < replay->seen.len; i++)
        rcp_text_finish(&replay->seen.at[i].told);
    rcp_vec_finish(&replay->seen);
    rcp_text_finish(&replay->told);
    rcp_text_finish(&replay->input);
    rcp_text_finish(&replay->output[0]);
    rcp_text_finish(&replay->output[1]);
    rcp_performance_finish(&replay->paused);
    rcp_performance_finish(&replay->run);
}
