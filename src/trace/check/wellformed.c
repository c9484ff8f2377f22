/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/wellformed.h"

#include "base/deadline.h"
#include "base/stage.h"

#include "trace/model/label.h"
#include "trace/check/memory.h"
#include "trace/check/read_store.h"
#include "trace/check/sync.h"

#include <inttypes.h>
#include <string.h>

typedef struct thread {
    bool has_run, ended, joined, forked;
    bool named; /* by a JOIN, done or failed */
} thread;

struct rcp_wellformed {
    const rcp_defs *defs;
    const rcp_terms *terms;
    uint64_t next; /* event */
    bool exited;
    RCP_VEC(thread) threads;
    rcp_sync *sync;
    rcp_memory memory;
    rcp_ranges images; /* address -> index in the definitions */
    size_t images_seen;
    uint32_t lives; /* begun; life 2 * n + 1 is the nth and zeroed, 2 * n is not */
    rcp_read_store reads;
    rcp_evaluator evaluator;
    RCP_VEC(uint64_t) visited; /* a bit per term: its reads are known to be earlier ones */
    RCP_VEC(uint32_t) stack;
    RCP_VEC(rcp_fault) faults;
    uint64_t count;
};

/* What is being checked: the event in hand. */
typedef struct subject {
    rcp_eid eid;
    const rcp_event *e;
} subject;

#define THREAD(tid) rcp_label_thread(w->defs, tid).at

static rcp_eval look_up(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    const rcp_wellformed *w = context;
    return rcp_read_store_get(&w->reads, read, offset, bytes, value);
}

rcp_wellformed *rcp_wellformed_create(const rcp_defs *defs, const rcp_terms *terms) {
    rcp_wellformed *w = rcp_alloc_zero(1, sizeof *w);
    w->defs = defs;
    w->terms = terms;
    w->sync = rcp_sync_create(defs, false);
    rcp_memory_init(&w->memory);
    rcp_ranges_init(&w->images);
    rcp_read_store_init(&w->reads);
    rcp_evaluator_init(&w->evaluator, terms, look_up, w);
    return w;
}

void rcp_wellformed_destroy(rcp_wellformed *w) {
    if (!w)
        return;
    rcp_sync_destroy(w->sync);
    rcp_memory_finish(&w->memory);
    rcp_ranges_finish(&w->images);
    rcp_read_store_finish(&w->reads);
    rcp_evaluator_finish(&w->evaluator);
    rcp_vec_finish(&w->threads);
    rcp_vec_finish(&w->visited);
    rcp_vec_finish(&w->stack);
    rcp_vec_finish(&w->faults);
    rcp_release(w);
}

static void found(rcp_wellformed *w, subject s, const char *reason) {
    w->count++;
    if (w->faults.len >= RCP_FAULTS_KEPT)
        return;
    rcp_fault fault = {.eid = s.eid, .tid = s.e->tid, .loc = s.e->loc};
    snprintf(fault.reason, sizeof fault.reason, "%s", reason);
    rcp_vec_push(&w->faults, fault);
}

#define FOUND(w, s, ...)                                                                                               \
    do {                                                                                                               \
        char reason_[RCP_REASON_ROOM];                                                                                 \
        (void)rcp_refuse(reason_, __VA_ARGS__);                                                                        \
        found(w, s, reason_);                                                                                          \
    } while (0)

static void fork_join(rcp_wellformed *w, subject s) {
    thread *child = &w->threads.at[s.e->child.v];
    child->named |= s.e->kind == RCP_JOIN;
    if (s.e->kind == RCP_JOIN && s.e->outcome == RCP_DONE) {
        if (s.e->child.v == s.e->tid.v)
            FOUND(w, s, "%s joins itself", THREAD(s.e->tid));
        else
            child->joined = true;
    } else if (s.e->kind == RCP_JOIN) {
        if (child->ended)
            FOUND(w, s, "%s fails to join %s, which has ended", THREAD(s.e->tid), THREAD(s.e->child));
    } else {
        if (child->forked)
            FOUND(w, s, "%s is forked a second time", THREAD(s.e->child));
        else if (child->has_run)
            FOUND(w, s, "%s is forked after it has run", THREAD(s.e->child));
        else if (child->named)
            FOUND(w, s, "%s is forked after a join of it", THREAD(s.e->child));
        child->forked = true;
    }
}

static void threads(rcp_wellformed *w, subject s) {
    size_t known = w->threads.len, all = w->defs->threads.len;
    if (known < all)
        memset(rcp_vec_extend(&w->threads, all - known), 0, (all - known) * sizeof(thread));
    thread *t = &w->threads.at[s.e->tid.v];
    if (w->exited)
        FOUND(w, s, "%s goes on after the process has ended", THREAD(s.e->tid));
    if (t->ended)
        FOUND(w, s, "%s goes on after its end", THREAD(s.e->tid));
    else if (t->joined)
        FOUND(w, s, "%s goes on after it was joined", THREAD(s.e->tid));
    if (s.e->kind == RCP_BEGIN && t->has_run)
        FOUND(w, s, "%s begins after it has run", THREAD(s.e->tid));
    t->has_run = true;
    if (s.e->kind == RCP_END)
        t->ended = true;
    if (s.e->kind == RCP_EXIT)
        w->exited = true;
    if (s.e->kind == RCP_FORK || s.e->kind == RCP_JOIN)
        fork_join(w, s);
}

static bool visit(rcp_wellformed *w, uint32_t term) {
    uint32_t i = term - RCP_TERM_FIRST;
    if (w->visited.at[i / 64] >> i % 64 & 1)
        return false;
    w->visited.at[i / 64] |= UINT64_C(1) << i % 64;
    return true;
}

/* Do the term's reads exist, and early enough? Each term is looked at once: reads that are earlier than one event are
 * earlier than all later ones. */
static bool reads_earlier(rcp_wellformed *w, subject s, const char *what, rcp_term term) {
    size_t words = rcp_terms_count(w->terms) / 64 + 1, known = w->visited.len;
    if (known < words)
        memset(rcp_vec_extend(&w->visited, words - known), 0, (words - known) * sizeof *w->visited.at);
    if (!visit(w, term.v))
        return true;
    bool good = true;
    rcp_vec_push(&w->stack, term.v);
    while (w->stack.len) {
        const rcp_term_node *node = rcp_term_borrow(w->terms, (rcp_term){w->stack.at[--w->stack.len]});
        if (node->op == RCP_OP_READ) {
            uint32_t size = rcp_read_store_size(&w->reads, (rcp_eid){node->word}), bytes = node->width / 8u;
            if (node->a <= size && bytes <= size - node->a && size)
                continue;
            if (good)
                FOUND(w, s, "the %s term names bytes %u to %u of event %" PRIu64 ", which %s", what, node->a,
                      node->a + bytes, node->word, size ? "reads fewer" : "is no earlier read");
            good = false;
            continue;
        }
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned i = 0; i < rcp_op_borrow_traits(node->op)->arity; i++)
            if (visit(w, arguments[i]))
                rcp_vec_push(&w->stack, arguments[i]);
    }
    return good;
}

/* At the recorded values of its reads the term must give what was recorded, where that is `known`. */
static void check_term(rcp_wellformed *w, subject s, const char *what, rcp_term term, bool known, uint64_t recorded) {
    if (!rcp_term_is_real(term))
        return;
    if (!reads_earlier(w, s, what, term)) {
        rcp_evaluator_forget(&w->evaluator);
        return;
    }
    uint64_t value;
    rcp_eval how = rcp_evaluator_run(&w->evaluator, term, &value);
    if (how == RCP_EVAL_UNDEFINED)
        FOUND(w, s, "the %s term has no value at the recorded reads (division by zero, oversized shift …)", what);
    else if (how == RCP_EVAL_OK && known && value != recorded)
        FOUND(w, s, "the %s term gives %#" PRIx64 " at the recorded reads, recorded is %#" PRIx64, what, value,
              recorded);
}

/* Writers are only named in messages, so that a trace of any length will do. */
enum { NO_NUMBER = INT32_MAX };

static uint32_t number(rcp_eid eid) { return eid.v < NO_NUMBER - 1 ? (uint32_t)eid.v + 1 : NO_NUMBER; }

static void refresh_images(rcp_wellformed *w) {
    for (; w->images_seen < w->defs->images.len; w->images_seen++) {
        const rcp_image *image = &w->defs->images.at[w->images_seen];
        if (image->n && image->n <= UINT64_MAX - image->addr)
            rcp_ranges_set(&w->images, image->addr, image->addr + image->n, (uint32_t)w->images_seen);
    }
}

/* Gives a fresh byte its initial contents. */
static void begin(const rcp_wellformed *w, const rcp_cursor *c, unsigned i) {
    unsigned lane = c->lane + i;
    if (c->word->cell[lane] != RCP_CELL_FRESH)
        return;
    c->word->cell[lane] = c->life % 2 ? RCP_CELL_KNOWN : c->life ? RCP_CELL_UNKNOWN : RCP_CELL_AS_RECORDED;
    uint64_t addr = c->begin + c->offset + i;
    uint32_t image = c->life ? RCP_RANGES_NONE : rcp_ranges_get(&w->images, addr);
    if (image != RCP_RANGES_NONE) {
        c->word->cell[lane] = RCP_CELL_KNOWN;
        c->word->value[lane] = w->defs->images.at[image].bytes[addr - w->defs->images.at[image].addr];
    }
}

/* A valued read must find what is known to be there; where nothing is known, and nothing can have changed it unseen,
 * the read shows what it is. */
static void read_bytes(rcp_wellformed *w, subject s) {
    const uint8_t *recorded = rcp_event_bytes(s.e);
    bool good = true;
    rcp_cursor c = rcp_cursor_of(s.e->addr, s.e->size);
    while (rcp_memory_step(&w->memory, &c))
        for (unsigned i = 0; i < c.count; i++) {
            unsigned lane = c.lane + i;
            begin(w, &c, i);
            if (c.word->cell[lane] == RCP_CELL_UNKNOWN)
                continue;
            uint8_t now = c.word->value[lane], read = recorded[c.offset + i];
            if (c.word->cell[lane] == RCP_CELL_KNOWN && now != read && good) {
                char origin[64] = "was 0x";
                if (c.word->writer[lane] && c.word->writer[lane] != NO_NUMBER)
                    snprintf(origin, sizeof origin, "event %u, the last to write there, left 0x",
                             c.word->writer[lane] - 1);
                FOUND(w, s, "%s reads 0x%02x at %#" PRIx64 " where %s%02x", THREAD(s.e->tid), read,
                      c.begin + c.offset + i, origin, now);
                good = false;
            }
            c.word->cell[lane] = RCP_CELL_KNOWN;
            c.word->value[lane] = read;
        }
}

static void write_bytes(rcp_wellformed *w, subject s) {
    const uint8_t *bytes = s.e->valued ? rcp_event_written(s.e) : NULL;
    uint32_t writer = number(s.eid);
    rcp_cursor c = rcp_cursor_of(s.e->addr, s.e->size);
    while (rcp_memory_step(&w->memory, &c))
        for (unsigned i = 0; i < c.count; i++) {
            c.word->writer[c.lane + i] = writer;
            c.word->cell[c.lane + i] = bytes ? RCP_CELL_KNOWN : RCP_CELL_AS_RECORDED;
            c.word->value[c.lane + i] = bytes ? bytes[c.offset + i] : 0;
        }
}

static rcp_code memory(rcp_wellformed *w, subject s) {
    switch ((rcp_kind)s.e->kind) {
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW:
        if (rcp_event_reads(s.e) && s.e->valued)
            read_bytes(w, s);
        if (rcp_event_writes(s.e))
            write_bytes(w, s);
        return RCP_OK;
    case RCP_ALLOC:
    case RCP_FREE:
        if (w->lives == UINT32_MAX / 2 - 1)
            return rcp_fail(RCP_LIMIT, "the check takes traces of up to %u allocations and frees", w->lives);
        w->lives++;
        rcp_memory_begin_life(&w->memory, s.e->addr, s.e->addr + s.e->value,
                              w->lives * 2 + (s.e->outcome == RCP_ZEROED));
        return RCP_OK;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: {
        const rcp_reach_def *reach = &w->defs->reaches.at[s.e->reach.v];
        for (size_t i = 0; i < reach->n; i++)
            rcp_memory_opaque(&w->memory, reach->spans[i].lo, reach->spans[i].hi, number(s.eid));
        return RCP_OK;
    }
    default: return RCP_OK;
    }
}

rcp_code rcp_wellformed_add(rcp_wellformed *w, rcp_eid eid, const rcp_event *e) {
    if (eid.v != w->next)
        return rcp_fail(RCP_INTERNAL, "the check got event %" PRIu64 " where event %" PRIu64 " comes next", eid.v,
                        w->next);
    w->next++;
    subject s = {eid, e};
    char why[RCP_REASON_ROOM];
    refresh_images(w);
    threads(w, s);
    if (!rcp_sync_step(w->sync, e, false, why))
        found(w, s, why);
    RCP_TRY(memory(w, s));

    /* An address can't depend on the event's own read; the outcome of a compare-and-swap and what it writes can. */
    check_term(w, s, "address", e->addr_term, true, e->addr);
    rcp_read_store_add(&w->reads, e);
    if (e->kind == RCP_BRANCH)
        check_term(w, s, "condition", e->cond, e->valued, e->value);
    else
        check_term(w, s, "condition", e->cond, true, e->kind == RCP_RMW);
    bool known = e->valued && rcp_event_writes(e) && e->size <= 8;
    check_term(w, s, "value", e->value_term, known, known ? (e->kind == RCP_RMW ? e->written : e->value) : 0);
    return RCP_OK;
}

rcp_code rcp_wellformed_read(rcp_wellformed *check, rcp_reader *reader, uint64_t *n) {
    rcp_batch batch;
    *n = 0;
    RCP_TRY(rcp_reader_seek(reader, (rcp_eid){0}));
    for (;;) {
        RCP_TRY(rcp_reader_next(reader, &batch));
        if (!batch.n)
            return RCP_OK;
        for (size_t i = 0; i < batch.n; i++, ++*n) {
            if (rcp_deadline_is_over_at(*n + 1))
                return RCP_OK;
            if (!(*n & 0xffff))
                rcp_stage_at(*n, rcp_reader_count(reader));
            RCP_TRY(rcp_wellformed_add(check, (rcp_eid){batch.first.v + i}, &batch.at[i]));
        }
    }
}

uint64_t rcp_wellformed_finish(rcp_wellformed *w) { return w->count; }

const rcp_fault *rcp_wellformed_borrow(const rcp_wellformed *w, size_t i) {
    return i < w->faults.len ? &w->faults.at[i] : NULL;
}
