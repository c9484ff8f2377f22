/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/forced.h"

#include "base/deadline.h"
#include "base/limits.h"
#include "base/stage.h"
#include "base/tally.h"
#include "predict/facts/must.h"
#include "predict/facts/mutant.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* What has more is passed over: sources of a read, writers of a word in all its lives, origins of a read and copies on
 * the way to them, nodes of a term, users that could say nothing of a read. And so often is the trace gone through at
 * most. */

/* Of a term: what stands in the way of its being settled. */
#define SETTLED UINT32_MAX

typedef struct pass {
    const rcp_run_facts *f;
    rcp_forced *to;
    rcp_must *must, *before; /* this pass's, and that of the round before, which knows the whole trace; or NULL */
    rcp_bits *read, *write;  /* settled ones; writes: unless this pass finds otherwise */
    bool is_late;            /* the time was over before a pass was: then nothing is known */
    bool is_stable;          /* it has not, yet */
    uint32_t *terms;     /* by node: SETTLED; or 1 + a read below it that was not when it was looked at; 0: not yet */
    uint32_t *unsettled; /* by thread: reads so far that are not settled */
    rcp_eids *pending;   /* by thread: these, and others that were, since all had to be */
    uint8_t *users;      /* by read: how many have been asked about it */
    uint32_t *opaque, *opaque_after; /* by read: 1 + the opaque event last before it, and first after it, that reached
                                        its bytes; 0: none; RCP_MIXED: not one for all */
    rcp_evaluator evaluator;
    RCP_VEC(uint32_t) todo;
    /* the read in question, and what it is to have read */
    uint32_t asked;
    uint64_t value;
    uint8_t known; /* bit i: byte i of it is */
} pass;

/* Who left what a read took: 1 + the write; 0: the initial contents of its life. */
typedef struct origin {
    uint32_t read, source;
} origin;

static const rcp_event *event_at(const pass *p, uint32_t event) { return rcp_run_facts_event(p->f, event); }
static void set_bit(rcp_bits *bits, uint32_t i) { bits[i / 64] |= UINT64_C(1) << (i % 64); }
static void clear_bit(rcp_bits *bits, uint32_t i) { bits[i / 64] &= ~(UINT64_C(1) << (i % 64)); }

/* ---- Values. */

/* Was this byte of the read what `source` left, when recorded? */
static bool was_observed(const pass *p, uint32_t read, uint64_t addr, uint32_t source) {
    uint64_t upto;
    return rcp_observed_writer(&p->f->observed, (rcp_eid){read}, addr, &upto) == source;
}

/* One byte of it. Where only the recording shows what a source left, it does so for whom it was read by. */
static bool byte_of(const pass *p, origin o, uint64_t addr, uint8_t *value) {
    const rcp_event *e = event_at(p, o.read), *w = o.source ? event_at(p, o.source - 1) : NULL;
    uint64_t upto;
    uint32_t life = rcp_observed_life(&p->f->observed, (rcp_eid){o.read}, addr, &upto);
    if (!w && life) {
        *value = 0;
        return event_at(p, life - 1)->outcome == RCP_ZEROED;
    }
    if (w && !rcp_event_is_opaque(w))
        *value = rcp_event_written(w)[addr - w->addr];
    else if (w || !rcp_observed_initial(&p->f->observed, addr, value)) {
        if (!was_observed(p, o.read, addr, o.source))
            return false;
        *value = rcp_event_bytes(e)[addr - e->addr];
    }
    return true;
}

/* Which bytes of it can be known. */
static uint8_t value_of(const pass *p, origin o, uint64_t *value) {
    const rcp_event *e = event_at(p, o.read);
    uint8_t known = 0;
    *value = 0;
    for (unsigned i = 0; i < e->size; i++)
        known |= (uint8_t)(byte_of(p, o, e->addr + i, (uint8_t *)value + i) << i); /* little-endian hosts */
    return known;
}

static bool is_as_recorded(const pass *p, uint32_t read, origin o) {
    uint64_t value;
    uint32_t size = event_at(p, read)->size;
    return value_of(p, o, &value) == (uint8_t)((1u << size) - 1) &&
           !memcmp(&value, rcp_event_bytes(event_at(p, read)), size);
}

/* The evaluator's: the read in question has the value in question, the others are settled. */
static rcp_eval look_up(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    const pass *p = context;
    const rcp_event *e = event_at(p, (uint32_t)read.v);
    *value = 0;
    if (!e->valued || offset > e->size || bytes > e->size - offset)
        return RCP_EVAL_UNKNOWN;
    bool asked = read.v == p->asked; /* of at most 8 bytes */
    if (asked && ~(p->known >> offset) & ((1u << bytes) - 1))
        return RCP_EVAL_UNKNOWN;
    memcpy(value, asked ? (const uint8_t *)&p->value + offset : rcp_event_bytes(e) + offset, bytes);
    return RCP_EVAL_OK;
}

/* The evaluator's shortcut: what is settled below is as it was recorded. */
static bool settled_value(void *context, uint32_t node, uint64_t *value) {
    const pass *p = context;
    return p->terms[node] == SETTLED && rcp_term_facts_value(&p->f->terms, node, value);
}

/* The read of a READ node; of a trace of which only the beginning was loaded one past all events, if it came later. */
static uint32_t read_of(const pass *p, const rcp_term_node *node) {
    size_t events = p->f->trace->events.len;
    return (uint32_t)(node->word < events ? node->word : events);
}

/* A read below the term that is not settled; SETTLED: there is none. A node is looked at again only once the read that
 * stood in its way has been settled. */
static uint32_t obstacle(pass *p, rcp_term term) {
    const rcp_terms *terms = &p->f->trace->terms;
    p->todo.len = 0;
    rcp_vec_push(&p->todo, term.v - RCP_TERM_FIRST);
    while (p->todo.len) {
        uint32_t i = p->todo.at[p->todo.len - 1], found = SETTLED, below = NONE;
        const rcp_term_node *node = &terms->nodes.at[i];
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        if (p->terms[i] == SETTLED || (p->terms[i] && !rcp_bit(p->read, p->terms[i] - 1))) {
            p->todo.len--;
            continue;
        }
        if (node->op == RCP_OP_READ && !rcp_bit(p->read, read_of(p, node)))
            found = read_of(p, node) + 1;
        for (unsigned k = 0; node->op != RCP_OP_READ && k < rcp_op_borrow_traits(node->op)->arity; k++) {
            uint32_t argument = arguments[k] - RCP_TERM_FIRST, state = p->terms[argument];
            if (state == SETTLED)
                continue;
            if (state && !rcp_bit(p->read, state - 1))
                found = state;
            else
                below = argument;
        }
        if (found == SETTLED && below != NONE) {
            rcp_vec_push(&p->todo, below);
            continue;
        }
        p->terms[i] = found;
        p->todo.len--;
    }
    return p->terms[term.v - RCP_TERM_FIRST];
}

/* Is this read, which is not settled, the only such one below the term? */
static bool is_the_only_one(pass *p, rcp_term term, uint32_t read) {
    const rcp_terms *terms = &p->f->trace->terms;
    unsigned nodes = 0;
    p->todo.len = 0;
    rcp_vec_push(&p->todo, term.v - RCP_TERM_FIRST);
    while (p->todo.len) {
        uint32_t i = p->todo.at[--p->todo.len];
        const rcp_term_node *node = &terms->nodes.at[i];
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        if (p->terms[i] == SETTLED)
            continue;
        if (++nodes > rcp_limit(RCP_LIMIT_FORCED_NODES))
            return false;
        if (node->op != RCP_OP_READ)
            for (unsigned k = 0; k < rcp_op_borrow_traits(node->op)->arity; k++)
                rcp_vec_push(&p->todo, arguments[k] - RCP_TERM_FIRST);
        else if (read_of(p, node) != read && !rcp_bit(p->read, read_of(p, node)))
            return false;
    }
    return true;
}

/* ---- Sources of a read: as many as there can be, by what is known of the order. */

typedef struct sources {
    uint32_t at[RCP_MOST_SOURCES + 1]; /* as rcp_observed_writer() */
    unsigned n;
} sources;

/* If `b` is executed, `a` was before it. Either may stand later in the trace than this pass has come: of such a thread
 * it knows what it knew last, which holds there, too. */
static bool must_precede(const pass *p, uint32_t a, uint32_t b) {
    return a < b && (rcp_must_order(p->must, a, b) || (p->before && rcp_must_order(p->before, a, b)));
}

/* false: there are too many, or some write a part of it only. Of opaque events there is the last one before the read:
 * what others leave there nobody knows, see look_at_read() and look_at_use(). */
static bool list_writers(const pass *p, uint32_t read, sources *s) {
    const rcp_run_facts *f = p->f;
    const rcp_event *e = event_at(p, read);
    uint64_t hi = e->addr + e->size, upto;
    uint32_t life = rcp_observed_life(&f->observed, (rcp_eid){read}, e->addr, &upto);
    if (upto < hi || p->opaque[read] == RCP_MIXED)
        return false;
    s->n = 0;
    if (p->opaque[read] > life)
        s->at[s->n++] = p->opaque[read];
    for (uint64_t number = e->addr / 8; number * 8 < hi; number++) {
        uint32_t word = rcp_map_get(&f->word_at, number);
        if (word == RCP_MAP_NONE)
            continue;
        if (f->writers.first[word + 1] - f->writers.first[word] > rcp_limit(RCP_LIMIT_FORCED_WRITERS))
            return false;
        for (uint32_t i = f->writers.first[word]; i < f->writers.first[word + 1]; i++) {
            uint32_t writer = f->writers.at[i];
            const rcp_event *w = event_at(p, writer);
            if (w->addr >= hi || w->addr + w->size <= e->addr || (w->addr / 8 != number && number != e->addr / 8))
                continue; /* one that reaches back into the word before was listed there */
            if (s->n >= rcp_limit(RCP_LIMIT_FORCED_SOURCES) || w->addr > e->addr || w->addr + w->size < hi)
                return false;
            uint32_t its_life = rcp_observed_life(&f->observed, (rcp_eid){writer}, e->addr, &upto);
            if (upto < hi)
                return false;
            if (its_life != life)
                continue;
            s->at[s->n++] = writer + 1;
        }
    }
    return true;
}

/* Is it over before the read, or does it come after? */
static bool is_ruled_out(const pass *p, uint32_t read, const sources *s, unsigned i) {
    uint32_t writer = s->at[i] - 1;
    if (writer == read || must_precede(p, read, writer))
        return true;
    for (unsigned k = 0; k < s->n; k++)
        if (k != i && s->at[k] - 1 != read && must_precede(p, writer, s->at[k] - 1) &&
            must_precede(p, s->at[k] - 1, read))
            return true;
    return false;
}

static bool list_sources(const pass *p, uint32_t read, sources *s) {
    sources all;
    bool covered = false;
    if (!list_writers(p, read, &all))
        return false;
    s->n = 0;
    for (unsigned i = 0; i < all.n; i++) {
        uint32_t writer = all.at[i] - 1;
        covered |= writer != read && must_precede(p, writer, read);
        if (!is_ruled_out(p, read, &all, i))
            s->at[s->n++] = all.at[i];
    }
    if (!covered && !RCP_MUTANT(FORCED_WITHOUT_INITIAL))
        s->at[s->n++] = 0;
    return true;
}

static bool is_plain_read(const pass *p, uint32_t read) {
    const rcp_event *e = event_at(p, read);
    return rcp_event_reads(e) && e->valued && e->size && e->size <= 8;
}

static bool is_settled_source(const pass *p, uint32_t source) {
    return !source || rcp_bit(p->write, source - 1) || rcp_event_is_opaque(event_at(p, source - 1));
}

static void settle(pass *p, uint32_t read) {
    if (rcp_bit(p->read, read))
        return;
    set_bit(p->read, read);
    p->unsettled[event_at(p, read)->tid.v]--;
}

/* Can it not have read what other opaque code left than the last one before it? P1 keeps the order of all of it. */
static bool is_in_line(const pass *p, uint32_t read) {
    uint32_t before = p->opaque[read], after = p->opaque_after[read];
    return before != RCP_MIXED && after != RCP_MIXED && (!before || must_precede(p, before - 1, read)) &&
           (!after || must_precede(p, read, after - 1));
}

/* By the order alone. */
static void look_at_read(pass *p, uint32_t read) {
    sources s;
    uint32_t tid = event_at(p, read)->tid.v;
    p->unsettled[tid]++;
    rcp_vec_push(&p->pending[tid], ((rcp_eid){read}));
    if (!is_plain_read(p, read) || !is_in_line(p, read) || !list_sources(p, read, &s))
        return;
    for (unsigned i = 0; i < s.n; i++)
        if (!is_settled_source(p, s.at[i]) || !is_as_recorded(p, read, (origin){read, s.at[i]}))
            return;
    settle(p, read);
}

/* Has it left anything that one can know? */
static bool is_known_write(const rcp_run_facts *f, uint32_t event) {
    const rcp_event *e = rcp_run_facts_event(f, event);
    return rcp_event_writes(e) && e->valued && !(f->unknown && rcp_bit(f->unknown, event));
}

/* Origins: sources, through however many writes that copy what their thread has read. */
typedef struct origins {
    origin at[RCP_MOST_SOURCES];
    uint32_t reads[RCP_MOST_SOURCES]; /* that were gone through */
    unsigned n, n_reads;
} origins;

/* The read that this write copies whole; NONE. */
static uint32_t copied_by(const pass *p, uint32_t write) {
    const rcp_event *e = event_at(p, write);
    if (!rcp_term_is_real(e->value_term) || !is_known_write(p->f, write))
        return NONE;
    const rcp_term_node *node = rcp_term_borrow(&p->f->trace->terms, e->value_term);
    bool whole = node->op == RCP_OP_READ && !node->a && node->width == 8 * e->size && node->word < write &&
                 event_at(p, (uint32_t)node->word)->size == e->size;
    return whole ? (uint32_t)node->word : NONE;
}

/* false: not all of them can be told. */
static bool gather(const pass *p, uint32_t read, origins *o) {
    sources s;
    for (unsigned i = 0; i < o->n_reads; i++)
        if (o->reads[i] == read)
            return true;
    if (o->n_reads == rcp_limit(RCP_LIMIT_FORCED_COPIES) || !is_plain_read(p, read) || !list_sources(p, read, &s))
        return false;
    o->reads[o->n_reads++] = read;
    for (unsigned i = 0; i < s.n; i++) {
        if (!is_settled_source(p, s.at[i])) {
            const rcp_event *w = event_at(p, s.at[i] - 1), *e = event_at(p, read);
            uint32_t copied = w->addr == e->addr && w->size == e->size ? copied_by(p, s.at[i] - 1) : NONE;
            if (copied != NONE && !gather(p, copied, o))
                return false;
            if (copied != NONE)
                continue;
        }
        if (o->n == rcp_limit(RCP_LIMIT_FORCED_ORIGINS))
            return false;
        o->at[o->n++] = (origin){read, s.at[i]};
    }
    return true;
}

/* How many events of thread `tid` come before all of these, or are among them. */
static rcp_position before_all(const pass *p, const origins *o, uint32_t tid) {
    rcp_position least = UINT32_MAX;
    for (unsigned i = 0; i < o->n; i++) {
        uint32_t writer = o->at[i].source - 1;
        if (!o->at[i].source)
            return 0;
        rcp_position n = p->f->trace->position[writer] + 1;
        if (event_at(p, writer)->tid.v != tid) {
            rcp_position then = p->before ? rcp_must_before_event(p->before, writer, tid) : 0;
            n = rcp_must_before_event(p->must, writer, tid);
            n = then > n ? then : n;
        }
        least = n < least ? n : least;
    }
    return o->n ? least : 0;
}

/* One of these has come before, from `user` on, or past it. */
static void force(pass *p, const origins *o, uint32_t user, bool once_executed) {
    const rcp_trace *trace = p->f->trace;
    uint32_t mine = event_at(p, user)->tid.v, target = once_executed ? rcp_run_facts_next(p->f, user) : user;
    for (uint32_t tid = 0; tid < trace->defs.threads.len && target != RCP_NO_EVENT; tid++) {
        rcp_position n = tid == mine ? 0 : before_all(p, o, tid);
        uint32_t last = n ? (uint32_t)rcp_trace_event_of(trace, (rcp_tid){tid}, n - 1).v : NONE;
        if (last > user || rcp_must_order(p->must, last, user))
            continue;
        rcp_must_learn(p->must, last, mine, trace->position[user] + once_executed);
        rcp_vec_push(&p->to->edges, ((rcp_edge){last, target}));
    }
}

/* What the user of a term, or of the value of the read itself (RCP_TERM_ALL), says of a read. With what other opaque
 * code left, which is not known, it would not be executed. */
static void look_at_use(pass *p, uint32_t user, uint32_t read, rcp_term term, uint64_t wanted, bool once_executed) {
    origins all, left; /* large: only what counts is set */
    all.n = all.n_reads = left.n = left.n_reads = 0;
    bool same = true;
    if (!gather(p, read, &all)) {
        p->users[read] = (uint8_t)rcp_limit(RCP_LIMIT_FORCED_USERS);
        return;
    }
    for (unsigned i = 0; i < all.n; i++) {
        uint64_t value;
        bool settled = is_settled_source(p, all.at[i].source);
        bool as_recorded = settled && is_as_recorded(p, read, all.at[i]);
        p->asked = read;
        p->known = settled ? value_of(p, all.at[i], &p->value) : 0;
        rcp_evaluator_forget(&p->evaluator);
        bool fits = !rcp_term_is_real(term)
                        ? as_recorded
                        : settled && rcp_evaluator_run(&p->evaluator, term, &value) == RCP_EVAL_OK && value == wanted;
        if (settled && !fits)
            continue; /* with this one the user is not executed */
        same &= as_recorded;
        left.n *= !RCP_MUTANT(FORCED_BY_ONE_OF_SEVERAL);
        left.at[left.n++] = all.at[i];
    }
    if (same)
        settle(p, read);
    force(p, &left, user, once_executed);
}

/* No read so far may have deviated. */
static void look_at_all(pass *p, uint32_t user, bool once_executed) {
    rcp_eids *reads = &p->pending[event_at(p, user)->tid.v];
    for (size_t i = 0; i < reads->len; i++) {
        uint32_t read = (uint32_t)reads->at[i].v;
        if (rcp_bit(p->read, read) || !event_at(p, read)->valued)
            continue;
        look_at_use(p, user, read, RCP_TERM_ALL, 0, once_executed);
        settle(p, read);
    }
    reads->len = 0;
}

/* By what a branch or an address of its thread says. */
static void look_at_user(pass *p, uint32_t user, rcp_term term, uint64_t wanted, bool once_executed) {
    if (term.v == RCP_TERM_ALL.v)
        look_at_all(p, user, once_executed);
    if (!rcp_term_is_real(term))
        return;
    uint32_t read = obstacle(p, term);
    if (read == SETTLED || --read > user || p->users[read] == rcp_limit(RCP_LIMIT_FORCED_USERS) ||
        !is_the_only_one(p, term, read))
        return;
    p->users[read]++;
    look_at_use(p, user, read, term, wanted, once_executed);
}

static void look_at_write(pass *p, uint32_t event) {
    const rcp_event *e = event_at(p, event);
    rcp_term term = e->value_term;
    if (!rcp_bit(p->write, event) || term.v == RCP_TERM_CONST.v || RCP_MUTANT(FORCED_BY_UNSETTLED))
        return;
    if (term.v == RCP_TERM_ALL.v ? !p->unsettled[e->tid.v] : obstacle(p, term) == SETTLED)
        return;
    clear_bit(p->write, event);
    p->is_stable = false;
}

static void look_at_reach(const pass *p, rcp_ranges *reached, uint32_t event, uint32_t *of) {
    const rcp_event *e = event_at(p, event);
    const rcp_reach_def *reach = rcp_event_is_opaque(e) ? &p->f->trace->defs.reaches.at[e->reach.v] : NULL;
    for (size_t k = 0; reach && k < reach->n; k++)
        rcp_ranges_set(reached, reach->spans[k].lo, reach->spans[k].hi, event);
    if (!rcp_event_reads(e) || !e->size)
        return;
    uint64_t hi = e->addr + e->size, upto;
    uint32_t by = rcp_ranges_stretch(reached, e->addr, hi, &upto);
    of[event] = upto < hi ? RCP_MIXED : by == RCP_RANGES_NONE ? 0 : by + 1;
}

static void find_opaque(const pass *p) {
    uint32_t n = p->f->observed.opaques.len ? (uint32_t)p->f->trace->events.len : 0;
    rcp_ranges before, after;
    rcp_ranges_init(&before);
    rcp_ranges_init(&after);
    for (uint32_t i = 0; i < n; i++)
        look_at_reach(p, &before, i, p->opaque);
    for (uint32_t i = n; i-- > 0;)
        look_at_reach(p, &after, i, p->opaque_after);
    rcp_ranges_finish(&before);
    rcp_ranges_finish(&after);
}

/* Are the reads that it hangs on settled, without what this event itself says of them? */
static bool is_steady(pass *p, uint32_t event, rcp_term term) {
    return rcp_term_is_real(term) ? obstacle(p, term) == SETTLED
                                  : term.v == RCP_TERM_CONST.v || !p->unsettled[event_at(p, event)->tid.v];
}

static void look_at_branch(pass *p, uint32_t event) {
    const rcp_event *e = event_at(p, event);
    if (is_steady(p, event, e->cond))
        set_bit(p->to->steady, event);
    else if (e->valued)
        look_at_user(p, event, e->cond, e->value, false);
}

static void look_at_access(pass *p, uint32_t event) {
    const rcp_event *e = event_at(p, event);
    bool may_swap = rcp_term_is_real(e->cond), is_there = is_steady(p, event, e->addr_term);
    look_at_user(p, event, e->addr_term, e->addr, false);
    if (rcp_event_reads(e))
        look_at_read(p, event);
    if (is_there && (!may_swap || is_steady(p, event, e->cond)))
        set_bit(p->to->steady, event);
    if (rcp_event_reads(e))
        look_at_user(p, event, e->cond, e->kind == RCP_RMW, true);
    if (rcp_event_writes(e))
        look_at_write(p, event);
}

static void visit(pass *p, uint32_t event) {
    const rcp_event *e = event_at(p, event);
    rcp_must_add(p->must, event);
    if (e->kind == RCP_BRANCH)
        look_at_branch(p, event);
    if (rcp_event_is_access(e))
        look_at_access(p, event);
}

static int by_end(const void *a, const void *b) {
    const rcp_edge *x = a, *y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->from > y->from) - (x->from < y->from);
}

static void go_through(pass *p, bool spurious_wakeups) {
    const rcp_trace *trace = p->f->trace;
    size_t words = trace->events.len / 64 + 1;
    p->to->edges.len = 0;
    memset(p->to->steady, 0, words * sizeof *p->to->steady);
    p->is_stable = true;
    p->read = rcp_alloc_zero(words, sizeof *p->read);
    p->terms = rcp_alloc_zero(trace->terms.nodes.len + 1, sizeof *p->terms);
    p->unsettled = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *p->unsettled);
    p->pending = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *p->pending);
    p->users = rcp_alloc_zero(trace->events.len + 1, sizeof *p->users);
    p->must = rcp_must_create(p->f, NULL, spurious_wakeups, false);
    for (uint32_t i = 0; i < trace->events.len && !p->is_late; i++) {
        visit(p, i);
        p->is_late = rcp_deadline_is_over_at(i + 1);
        if (!(i & 4095))
            rcp_stage_at(i, trace->events.len);
    }
    p->is_stable &= !p->is_late;
    rcp_release(p->read);
    rcp_release(p->terms);
    rcp_release(p->unsettled);
    for (size_t t = 0; t < trace->defs.threads.len; t++)
        rcp_vec_finish(&p->pending[t]);
    rcp_release(p->pending);
    rcp_release(p->users);
}

/* All writes are taken to be settled until a pass shows no reason for one: then what it said of others may be wrong,
 * and is found anew. What remains supports itself, and every part of it rests on what is executed earlier. */
static bool find_stable(pass *p, bool spurious_wakeups) {
    for (uint32_t i = 0; i < p->f->trace->events.len; i++)
        if (is_known_write(p->f, i))
            set_bit(p->write, i);
    for (uint64_t i = 0; i < rcp_limit(RCP_LIMIT_FORCED_PASSES) && !p->is_late; i++) {
        go_through(p, spurious_wakeups);
        if (p->is_stable)
            return true;
        rcp_must_destroy(p->must);
    }
    p->to->edges.len = 0;
    memset(p->to->steady, 0, (p->f->trace->events.len / 64 + 1) * sizeof *p->to->steady);
    return false;
}

/* Steady branches can be passed over, but for a thread's first event and its last one, which are spoken of by others,
 * and for those that others stand in line with (P1). */
static void find_idle(rcp_forced *forced, const rcp_run_facts *f) {
    const rcp_observed *o = &f->observed;
    for (uint32_t i = 0; i < f->trace->events.len; i++)
        if (rcp_bit(forced->steady, i) && rcp_run_facts_event(f, i)->kind == RCP_BRANCH && f->trace->position[i] &&
            rcp_run_facts_next(f, i) != RCP_NO_EVENT)
            set_bit(forced->idle, i);
    for (size_t i = 0; i < o->line.len; i++)
        clear_bit(forced->idle, o->line.at[i]);
    for (size_t i = 0; i < o->needs.len; i++)
        clear_bit(forced->idle, o->needs.at[i]);
}

static rcp_must *without_values(const rcp_run_facts *facts, bool spurious_wakeups) {
    rcp_must *must = rcp_must_create(facts, NULL, spurious_wakeups, false);
    for (uint32_t i = 0; i < facts->trace->events.len; i++)
        rcp_must_add(must, i);
    return must;
}

void rcp_forced_find(rcp_forced *forced, const rcp_run_facts *facts, bool spurious_wakeups) {
    size_t words = facts->trace->events.len / 64 + 1;
    rcp_tally_count(RCP_TALLY_FORCED_WRITES);
    *forced = (rcp_forced){.steady = rcp_alloc_zero(words, sizeof *forced->steady),
                           .idle = rcp_alloc_zero(words, sizeof *forced->idle)};
    pass p = {.f = facts, .to = forced, .write = rcp_alloc_zero(words, sizeof *p.write)};
    p.opaque = rcp_alloc_zero(facts->trace->events.len + 1, sizeof *p.opaque);
    p.opaque_after = rcp_alloc_zero(facts->trace->events.len + 1, sizeof *p.opaque_after);
    rcp_evaluator_init(&p.evaluator, &facts->trace->terms, look_up, &p);
    p.evaluator.shortcut = settled_value;
    find_opaque(&p);
    for (uint64_t i = 0;
         i < rcp_limit(RCP_LIMIT_FORCED_ROUNDS) && !facts->foreign.len && find_stable(&p, spurious_wakeups); i++) {
        if (p.before)
            rcp_must_destroy(p.before);
        p.before = p.must;
    }
    find_idle(forced, facts);
    if (forced->edges.len)
        qsort(forced->edges.at, forced->edges.len, sizeof *forced->edges.at, by_end);
    forced->must = p.before ? p.before : without_values(facts, spurious_wakeups);
    rcp_evaluator_finish(&p.evaluator);
    rcp_vec_finish(&p.todo);
    rcp_release(p.write);
    rcp_release(p.opaque);
    rcp_release(p.opaque_after);
}

void rcp_forced_finish(rcp_forced *forced) {
    if (forced->must)
        rcp_must_destroy(forced->must);
    rcp_vec_finish(&forced->edges);
    rcp_release(forced->steady);
    rcp_release(forced->idle);
}
