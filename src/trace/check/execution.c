/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/execution.h"

#include <inttypes.h>
#include <string.h>

#define THREAD(tid) rcp_label_thread(&x->trace->defs, tid).at

static rcp_lookup look_up;

void rcp_execution_init(rcp_execution *x, const rcp_observed *observed, rcp_value_rule values, const rcp_bits *causal) {
    const rcp_trace *trace = observed->trace;
    size_t threads = trace->defs.threads.len;
    *x = (rcp_execution){
        .observed = observed, .trace = trace, .values = values, .causal = causal, .reading = UINT64_MAX};
    x->done = rcp_alloc_zero(threads + 1, sizeof *x->done);
    x->deviated = rcp_alloc_zero(threads + 1, 1);
    rcp_memory_init(&x->memory);
    rcp_ranges_init(&x->modifier);
    rcp_map_init(&x->taken_at);
    rcp_evaluator_init(&x->evaluator, &trace->terms, look_up, x);
    if (values != RCP_VALUES_RELAXED)
        x->settled = rcp_alloc_zero(rcp_terms_count(&trace->terms) / 64 + 1, sizeof *x->settled);
}

void rcp_execution_finish(rcp_execution *x) {
    rcp_release(x->done);
    rcp_release(x->deviated);
    rcp_memory_finish(&x->memory);
    rcp_ranges_finish(&x->modifier);
    rcp_map_finish(&x->taken_at);
    rcp_vec_finish(&x->taken);
    rcp_vec_finish(&x->taken_bytes);
    rcp_vec_finish(&x->scratch);
    rcp_evaluator_finish(&x->evaluator);
    rcp_release(x->settled);
    rcp_vec_finish(&x->stack);
}

void rcp_execution_copy(rcp_execution *x, const rcp_execution *from) {
    size_t threads = from->trace->defs.threads.len;
    *x = *from;
    x->done = rcp_copy(from->done, (threads + 1) * sizeof *x->done);
    x->deviated = rcp_copy(from->deviated, threads + 1);
    rcp_memory_copy(&x->memory, &from->memory);
    rcp_ranges_copy(&x->modifier, &from->modifier);
    rcp_map_copy(&x->taken_at, &from->taken_at);
    rcp_vec_copy(&x->taken, &from->taken);
    rcp_vec_copy(&x->taken_bytes, &from->taken_bytes);
    rcp_vec_copy(&x->scratch, &from->scratch);
    rcp_vec_copy(&x->stack, &from->stack);
    /* what the evaluator remembers it can find out again */
    rcp_evaluator_init(&x->evaluator, &x->trace->terms, look_up, x);
    if (from->settled)
        x->settled = rcp_copy(from->settled, (rcp_terms_count(&x->trace->terms) / 64 + 1) * sizeof *x->settled);
}

size_t rcp_execution_size(const rcp_execution *x) {
    size_t terms = x->settled ? rcp_terms_count(&x->trace->terms) / 8 : 0;
    return x->memory.words.len * sizeof *x->memory.words.at + (x->memory.heads.mask + 1) * sizeof(rcp_map_slot) +
           (x->memory.lives.len + x->memory.opaque.len + x->modifier.len) * 32 + x->taken_bytes.len + terms + 4096;
}

static rcp_eval look_up(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    rcp_execution *x = context;
    *value = 0;
    if (read.v >= x->trace->events.len)
        return RCP_EVAL_UNKNOWN;
    const rcp_event *e = &x->trace->events.at[read.v];
    if (!rcp_event_reads(e) || offset > e->size || bytes > e->size - offset)
        return RCP_EVAL_UNKNOWN;
    if (read.v != x->reading && !rcp_execution_has(x, read)) {
        x->early = true;
        return RCP_EVAL_UNKNOWN;
    }
    uint32_t taken = rcp_map_get(&x->taken_at, read.v);
    if (taken == RCP_MAP_NONE) {
        if (!e->valued)
            return RCP_EVAL_UNKNOWN;
        memcpy(value, rcp_event_bytes(e) + offset, bytes);
        return RCP_EVAL_OK;
    }
    const uint8_t *at = x->taken_bytes.at + x->taken.at[taken].first;
    for (unsigned i = 0; i < bytes; i++)
        if (!at[e->size + offset + i])
            return RCP_EVAL_UNKNOWN;
    memcpy(value, at + offset, bytes);
    return RCP_EVAL_OK;
}

/* V1, V2: are the term's reads executed? Each term is looked at once: what was executed stays so, and after a refusal
 * nobody asks again. */
static bool reads_executed(rcp_execution *x, const rcp_event *e, rcp_term term, const char *what, char *why) {
    if (!rcp_term_is_real(term))
        return true;
    x->stack.len = 0;
    rcp_vec_push(&x->stack, term.v);
    while (x->stack.len) {
        uint32_t i = x->stack.at[--x->stack.len] - RCP_TERM_FIRST;
        const rcp_term_node *node = &x->trace->terms.nodes.at[i];
        if (rcp_bit(x->settled, i))
            continue;
        x->settled[i / 64] |= UINT64_C(1) << (i % 64);
        if (node->op == RCP_OP_READ && node->word != x->reading &&
            !(node->word < x->trace->events.len && rcp_execution_has(x, (rcp_eid){node->word})))
            return rcp_refuse(why, "%s: the %s: event %" PRIu64 ", on which it depends, is not executed",
                              THREAD(e->tid), what, node->word);
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned k = 0; k < rcp_op_borrow_traits(node->op)->arity; k++)
            rcp_vec_push(&x->stack, arguments[k]);
    }
    return true;
}

static rcp_eval evaluate(rcp_execution *x, rcp_term term, uint64_t *value) {
    x->early = false;
    rcp_eval how = rcp_evaluator_run(&x->evaluator, term, value);
    if (x->early) /* that read may be executed later: what was remembered of it would be wrong then */
        rcp_evaluator_forget(&x->evaluator);
    return how;
}

/* V3: a term that must have this value. */
static bool keeps(rcp_execution *x, const rcp_event *e, rcp_term term, uint64_t wanted, const char *what, char *why) {
    if (term.v == RCP_TERM_CONST.v)
        return true;
    if (term.v == RCP_TERM_ALL.v)
        return !x->deviated[e->tid.v]
                   ? true
                   : rcp_refuse(why,
                                "%s: the %s may depend on every earlier read of the thread, and one took another "
                                "value than recorded",
                                THREAD(e->tid), what);
    uint64_t value;
    switch (evaluate(x, term, &value)) {
    case RCP_EVAL_OK:
        return value == wanted ? true
                               : rcp_refuse(why, "%s: the %s would be %#" PRIx64 ", recorded was %#" PRIx64,
                                            THREAD(e->tid), what, value, wanted);
    case RCP_EVAL_UNKNOWN:
    case RCP_EVAL_DOUBTFUL:
        return rcp_refuse(why, "%s: the %s depends on a read whose value is unknown here", THREAD(e->tid), what);
    default:
        return rcp_refuse(why, "%s: the %s has no value here (division by zero, oversized shift …)", THREAD(e->tid),
                          what);
    }
}

/* A BRANCH without a recorded value: there is nothing to compare its term with, so its reads must be as recorded. */
static bool reads_kept(rcp_execution *x, const rcp_event *e, char *why) {
    rcp_eids reads = {0};
    bool kept = true;
    rcp_term_reads(&x->trace->terms, e->cond, &reads);
    for (size_t i = 0; i < reads.len && kept; i++) {
        rcp_eid read = reads.at[i];
        bool executed = read.v < x->trace->events.len && rcp_execution_has(x, read);
        uint32_t taken = rcp_map_get(&x->taken_at, read.v);
        if (!executed)
            kept = rcp_refuse(why, "%s: the branch depends on event %" PRIu64 ", which is not executed", THREAD(e->tid),
                              read.v);
        else if (taken != RCP_MAP_NONE && x->taken.at[taken].deviates)
            kept = rcp_refuse(why,
                              "%s: the branch has no recorded value, and event %" PRIu64 ", on which it depends, "
                              "reads another value than recorded",
                              THREAD(e->tid), read.v);
    }
    rcp_vec_finish(&reads);
    return kept;
}

bool rcp_execution_address(rcp_execution *x, rcp_eid eid, char why[RCP_REASON_ROOM]) {
    const rcp_event *e = &x->trace->events.at[eid.v];
    return x->values == RCP_VALUES_RELAXED ? keeps(x, e, e->addr_term, e->addr, "address", why)
                                           : reads_executed(x, e, e->addr_term, "address", why);
}

bool rcp_execution_alive(const rcp_execution *x, rcp_eid eid, rcp_eid freed, char why[RCP_REASON_ROOM]) {
    const rcp_event *e = &x->trace->events.at[eid.v];
    uint64_t end = e->addr + rcp_event_extent(e), upto;
    for (uint64_t at = e->addr; at < end; at = upto) {
        uint64_t expected_upto;
        uint32_t expected = rcp_observed_life(x->observed, eid, at, &expected_upto);
        uint32_t actual = rcp_memory_life(&x->memory, at, expected_upto, &upto);
        if (actual == expected || (freed.v != RCP_NO_EID.v && expected == freed.v + 1))
            continue;
        if (expected && !rcp_execution_has(x, (rcp_eid){expected - 1}))
            return rcp_refuse(why,
                              "%s: the byte at %#" PRIx64 " is not there yet: event %u, the %s that begins its life, "
                              "is not executed",
                              THREAD(e->tid), at, expected - 1,
                              rcp_event_traits(x->trace->events.at[expected - 1].kind)->name);
        return rcp_refuse(why,
                          "%s: the byte at %#" PRIx64 " is gone: event %u, the %s after which it is another one, is "
                          "executed",
                          THREAD(e->tid), at, actual - 1, rcp_event_traits(x->trace->events.at[actual - 1].kind)->name);
    }
    return true;
}

/* Gives a fresh byte its initial contents. */
static void begin(rcp_execution *x, const rcp_cursor *c, unsigned i) {
    unsigned lane = c->lane + i;
    if (c->word->cell[lane] != RCP_CELL_FRESH)
        return;
    c->word->writer[lane] = 0;
    if (!c->life) {
        bool shown = rcp_observed_initial(x->observed, c->begin + c->offset + i, &c->word->value[lane]);
        c->word->cell[lane] = shown ? RCP_CELL_KNOWN : RCP_CELL_AS_RECORDED;
    } else {
        bool zeroed = x->trace->events.at[c->life - 1].outcome == RCP_ZEROED;
        c->word->value[lane] = 0;
        c->word->cell[lane] = zeroed ? RCP_CELL_KNOWN : RCP_CELL_UNKNOWN;
    }
}

/* Is the known byte at `addr` what its writer recorded? Initial contents never change. */
static bool as_written(const rcp_execution *x, uint32_t writer, uint64_t addr, uint8_t value) {
    if (!writer)
        return true;
    const rcp_event *w = &x->trace->events.at[writer - 1];
    return w->valued && rcp_event_written(w)[addr - w->addr] == value;
}

static bool deviates(const rcp_execution *x, const rcp_event *e, const rcp_cursor *c, unsigned i, uint32_t observed) {
    unsigned lane = c->lane + i;
    uint32_t writer = c->word->writer[lane];
    uint8_t value = c->word->value[lane];
    switch ((rcp_cell_state)c->word->cell[lane]) {
    case RCP_CELL_KNOWN:
        return e->valued ? value != rcp_event_bytes(e)[c->offset + i]
                         : writer != observed || !as_written(x, writer, c->begin + c->offset + i, value);
    case RCP_CELL_AS_RECORDED: return writer != observed;
    default: return true;
    }
}

/* 'event 12' or 'the initial contents' */
static rcp_label origin(uint32_t writer) {
    rcp_label label;
    if (writer)
        snprintf(label.at, sizeof label.at, "event %u", writer - 1);
    else
        snprintf(label.at, sizeof label.at, "the initial contents");
    return label;
}

static bool refuse_read(rcp_execution *x, const rcp_event *e, const rcp_cursor *c, unsigned i, uint32_t observed,
                        char *why) {
    unsigned lane = c->lane + i;
    uint64_t addr = c->begin + c->offset + i;
    uint32_t writer = c->word->writer[lane];
    x->is_unwritten = c->word->cell[lane] == RCP_CELL_UNKNOWN;
    if (x->values == RCP_VALUES_LAST_WRITER && writer == observed)
        return rcp_refuse(why,
                          "%s: a branch or an address depends on this read, and its byte at %#" PRIx64
                          " is uninitialised: nobody has written it since event %u, the %s that begins its life",
                          THREAD(e->tid), addr, c->life - 1,
                          rcp_event_traits(x->trace->events.at[c->life - 1].kind)->name);
    if (x->values == RCP_VALUES_LAST_WRITER)
        return rcp_refuse(why,
                          "%s: a branch or an address depends on this read, and its byte at %#" PRIx64
                          " would come from %s instead of %s",
                          THREAD(e->tid), addr, origin(writer).at, origin(observed).at);
    if (c->word->cell[lane] == RCP_CELL_UNKNOWN)
        return rcp_refuse(why, "%s reads the byte at %#" PRIx64 ", which nobody has written in its life",
                          THREAD(e->tid), addr);
    if (c->word->cell[lane] == RCP_CELL_KNOWN && e->valued)
        return rcp_refuse(why, "%s would read 0x%02x at %#" PRIx64 " (from %s) where it read 0x%02x (from %s)",
                          THREAD(e->tid), c->word->value[lane], addr, origin(writer).at,
                          rcp_event_bytes(e)[c->offset + i], origin(observed).at);
    return rcp_refuse(why,
                      "%s would read the byte at %#" PRIx64 " from %s instead of %s, and no values tell that they "
                      "are equal",
                      THREAD(e->tid), addr, origin(writer).at, origin(observed).at);
}

/* V3: remembers what the read took. The scratch has its bytes and then their 'is known'. */
static void take(rcp_execution *x, rcp_eid eid, const rcp_event *e, bool deviated, bool plain) {
    if (plain)
        return;
    rcp_map_set(&x->taken_at, eid.v, (uint32_t)x->taken.len);
    rcp_vec_push(&x->taken, ((rcp_taken){x->taken_bytes.len, deviated}));
    memcpy(rcp_vec_extend(&x->taken_bytes, 2 * (size_t)e->size), x->scratch.at, 2 * (size_t)e->size);
}

static bool read_bytes(rcp_execution *x, rcp_eid eid, const rcp_event *e, char *why) {
    bool relaxed = x->values == RCP_VALUES_RELAXED, deviated = false, any_known = false;
    bool causal = x->values == RCP_VALUES_LAST_WRITER && rcp_bit(x->causal, eid.v);
    if (relaxed) {
        x->scratch.len = 0;
        memset(rcp_vec_extend(&x->scratch, 2 * (size_t)e->size), 0, 2 * (size_t)e->size);
    }
    uint64_t upto = e->addr;
    uint32_t observed = 0;
    rcp_cursor c = rcp_cursor_of(e->addr, e->size);
    while (rcp_memory_step(&x->memory, &c)) {
        for (unsigned i = 0; i < c.count; i++) {
            uint64_t addr = c.begin + c.offset + i;
            unsigned lane = c.lane + i;
            if (addr >= upto)
                observed = rcp_observed_writer(x->observed, eid, addr, &upto);
            begin(x, &c, i);
            if (x->values == RCP_VALUES_LAST_WRITER) {
                /* no write leaves 'unknown' under V1: such a byte has had none */
                if (causal && (c.word->writer[lane] != observed || c.word->cell[lane] == RCP_CELL_UNKNOWN))
                    return refuse_read(x, e, &c, i, observed, why);
                continue;
            }
            bool different = deviates(x, e, &c, i, observed);
            if (!relaxed) {
                if (different)
                    return refuse_read(x, e, &c, i, observed, why);
                continue;
            }
            deviated |= different;
            bool known = c.word->cell[lane] == RCP_CELL_KNOWN;
            bool recorded = c.word->cell[lane] == RCP_CELL_AS_RECORDED && !different && e->valued;
            if (known || recorded) {
                x->scratch.at[c.offset + i] = known ? c.word->value[lane] : rcp_event_bytes(e)[c.offset + i];
                x->scratch.at[e->size + c.offset + i] = 1;
                any_known = true;
            }
        }
    }
    if (relaxed) {
        take(x, eid, e, deviated, !deviated && (e->valued || !any_known));
        x->deviated[e->tid.v] |= deviated;
    }
    return true;
}

/* What the write leaves, under V3: its recorded value, `value`, or unknown. */
static bool written(rcp_execution *x, const rcp_event *e, rcp_cell_state *cell, const uint8_t **bytes, uint64_t *value,
                    char *why) {
    *cell = e->valued ? RCP_CELL_KNOWN : RCP_CELL_AS_RECORDED;
    *bytes = e->valued ? rcp_event_written(e) : NULL;
    if (x->values != RCP_VALUES_RELAXED)
        return reads_executed(x, e, e->value_term, "value to be written", why);
    if (e->value_term.v == RCP_TERM_CONST.v)
        return true;
    if (e->value_term.v == RCP_TERM_ALL.v) {
        if (x->deviated[e->tid.v])
            *cell = RCP_CELL_UNKNOWN;
        return true;
    }
    rcp_eval how = evaluate(x, e->value_term, value);
    if (how == RCP_EVAL_UNDEFINED)
        return rcp_refuse(why, "%s: the value to be written has no value here (division by zero, oversized shift …)",
                          THREAD(e->tid));
    if (how == RCP_EVAL_DOUBTFUL)
        return rcp_refuse(why,
                          "%s: the value to be written may have no value here: it is divided or shifted by what is "
                          "unknown",
                          THREAD(e->tid));
    *cell = how == RCP_EVAL_OK ? RCP_CELL_KNOWN : RCP_CELL_UNKNOWN;
    *bytes = (const uint8_t *)value; /* little-endian hosts, at most 8 bytes: rcp_event_validate() */
    return true;
}

static bool write_bytes(rcp_execution *x, rcp_eid eid, const rcp_event *e, char *why) {
    rcp_cell_state cell;
    const uint8_t *bytes;
    uint64_t value = 0;
    if (!written(x, e, &cell, &bytes, &value, why))
        return false;
    rcp_cursor c = rcp_cursor_of(e->addr, e->size);
    while (rcp_memory_step(&x->memory, &c))
        for (unsigned i = 0; i < c.count; i++) {
            c.word->writer[c.lane + i] = (uint32_t)eid.v + 1;
            c.word->cell[c.lane + i] = (uint8_t)cell;
            c.word->value[c.lane + i] = cell == RCP_CELL_KNOWN ? bytes[c.offset + i] : 0;
        }
    if (x->observed->opaques.len)
        rcp_ranges_set(&x->modifier, e->addr, e->addr + e->size, (uint32_t)eid.v + 1);
    return true;
}

static bool access(rcp_execution *x, rcp_eid eid, const rcp_event *e, char *why) {
    bool relaxed = x->values == RCP_VALUES_RELAXED;
    if (!rcp_execution_address(x, eid, why) || !rcp_execution_alive(x, eid, RCP_NO_EID, why))
        return false;
    if (rcp_event_reads(e)) {
        if (!read_bytes(x, eid, e, why))
            return false;
        x->reading = eid.v;
        const char *outcome = "outcome of the compare-and-swap";
        if (relaxed ? !keeps(x, e, e->cond, e->kind == RCP_RMW, outcome, why)
                    : !reads_executed(x, e, e->cond, outcome, why))
            return false;
        if (relaxed && x->observed->implicit_branches &&
            !keeps(x, e, RCP_TERM_ALL, 0, "branch that follows this read", why))
            return false;
    }
    return !rcp_event_writes(e) || write_bytes(x, eid, e, why);
}

static bool change_life(rcp_execution *x, rcp_eid eid, const rcp_event *e, char *why) {
    if (!rcp_execution_address(x, eid, why) || !rcp_execution_alive(x, eid, RCP_NO_EID, why))
        return false;
    rcp_memory_begin_life(&x->memory, e->addr, e->addr + e->value, (uint32_t)eid.v + 1);
    if (x->observed->opaques.len)
        rcp_ranges_set(&x->modifier, e->addr, e->addr + e->value, (uint32_t)eid.v + 1);
    return true;
}

/* P2's contents: are the bytes of [lo, hi) what `writer`, which wrote them last, recorded? */
static bool left_as_recorded(rcp_execution *x, uint64_t lo, uint64_t hi, uint64_t *where) {
    rcp_cursor c = rcp_cursor_of(lo, hi - lo);
    while (rcp_memory_step(&x->memory, &c))
        for (unsigned i = 0; i < c.count; i++) {
            unsigned lane = c.lane + i;
            *where = c.begin + c.offset + i;
            if (c.word->cell[lane] == RCP_CELL_UNKNOWN ||
                (c.word->cell[lane] == RCP_CELL_KNOWN &&
                 !as_written(x, c.word->writer[lane], *where, c.word->value[lane])))
                return false;
        }
    return true;
}

/* The last event that wrote, allocated or freed each byte of the reach must be the observed one. That settles lives as
 * well (M1): the same event came last at the byte, in the life in which it was observed, and no ALLOC or FREE after it.
 */
static bool opaque(rcp_execution *x, rcp_eid eid, const rcp_event *e, char *why) {
    const rcp_observed *o = x->observed;
    rcp_pieces list = o->reached.at[rcp_observed_opaque(o, eid)];
    for (size_t k = 0; k < list.n; k++) {
        const rcp_piece *piece = &o->pieces.at[list.first + k];
        uint64_t upto, where;
        for (uint64_t at = piece->lo; at < piece->hi; at = upto) {
            uint32_t last = rcp_ranges_stretch(&x->modifier, at, piece->hi, &upto);
            if ((last == RCP_RANGES_NONE ? 0 : last) != piece->value)
                return rcp_refuse(
                    why, "%s: opaque code reaches the byte at %#" PRIx64 ", last changed by %s instead of %s",
                    THREAD(e->tid), at, origin(last == RCP_RANGES_NONE ? 0 : last).at, origin(piece->value).at);
        }
        if (x->values == RCP_VALUES_RELAXED && piece->value &&
            rcp_event_writes(&x->trace->events.at[piece->value - 1]) &&
            !left_as_recorded(x, piece->lo, piece->hi, &where))
            return rcp_refuse(why,
                              "%s: opaque code reaches the byte at %#" PRIx64 ", where %s left another value than "
                              "recorded",
                              THREAD(e->tid), where, origin(piece->value).at);
    }
    const rcp_reach_def *reach = &x->trace->defs.reaches.at[e->reach.v];
    for (size_t i = 0; i < reach->n; i++) {
        rcp_ranges_set(&x->modifier, reach->spans[i].lo, reach->spans[i].hi, (uint32_t)eid.v + 1);
        rcp_memory_opaque(&x->memory, reach->spans[i].lo, reach->spans[i].hi, (uint32_t)eid.v + 1);
    }
    return true;
}

static bool branch(rcp_execution *x, const rcp_event *e, char *why) {
    if (x->values != RCP_VALUES_RELAXED)
        return reads_executed(x, e, e->cond, "branch's condition", why);
    if (rcp_term_is_real(e->cond) && !e->valued)
        return reads_kept(x, e, why);
    return keeps(x, e, e->cond, e->value, "branch's condition", why);
}

/* What is before those that it needs was needed by them. */
bool rcp_execution_in_line(const rcp_execution *x, rcp_eid eid, char why[RCP_REASON_ROOM]) {
    const rcp_event *e = &x->trace->events.at[eid.v];
    size_t n;
    const uint32_t *needs = rcp_observed_needs(x->observed, eid, &n);
    for (size_t i = 0; i < n; i++)
        if (!rcp_execution_has(x, (rcp_eid){needs[i]})) {
            if (x->trace->events.at[needs[i]].kind == RCP_END)
                return rcp_refuse(why, "%s: opaque code can see that a thread had ended, which here has not",
                                  THREAD(e->tid));
            return rcp_refuse(why,
                              "%s: opaque code may make the order of events %" PRIu32 " and %" PRIu64
                              " matter, and the earlier one is not executed",
                              THREAD(e->tid), needs[i], eid.v);
        }
    return true;
}

bool rcp_execution_step(rcp_execution *x, rcp_eid eid, char why[RCP_REASON_ROOM]) {
    const rcp_event *e = &x->trace->events.at[eid.v];
    x->reading = UINT64_MAX;
    if (!rcp_execution_in_line(x, eid, why))
        return false;
    switch ((rcp_kind)e->kind) {
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: return access(x, eid, e, why);
    case RCP_ALLOC:
    case RCP_FREE: return change_life(x, eid, e, why);
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: return opaque(x, eid, e, why);
    case RCP_BRANCH: return branch(x, e, why);
    default: return true;
    }
}
