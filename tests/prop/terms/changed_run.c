/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/terms/changed_run.h"

#include "base/hash.h"
#include "base/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the changed run has read. */
static rcp_eval look_up(void *context, rcp_eid read, uint32_t offset, unsigned n, uint64_t *value) {
    const rcp_changed_run *run = context;
    if (read.v >= run->changed->events.len)
        return RCP_EVAL_UNKNOWN;
    const rcp_event *event = &run->changed->events.at[read.v];
    const uint8_t *bytes = read.v == run->read.v ? (const uint8_t *)&run->value : rcp_event_bytes(event);
    if (!rcp_event_reads(event) || offset + n > event->size)
        return RCP_EVAL_UNKNOWN;
    *value = 0;
    memcpy(value, bytes + offset, n);
    return RCP_EVAL_OK;
}

typedef struct comparison {
    rcp_changed_run *run;
    rcp_evaluator recorded, changed; /* the terms of either trace, at what the changed run has read */
    uint64_t i;
    rcp_map same; /* of pairs of terms: 1, they are the same; 0, they differ */
} comparison;

static rcp_change wrong(comparison *c, const char *what, uint64_t predicted, uint64_t found) {
    snprintf(c->run->why, sizeof c->run->why, "%s: predicted %#" PRIx64 ", found %#" PRIx64, what, predicted, found);
    return RCP_CHANGE_WRONG;
}

/* Is the term of the recorded trace the same expression as that of the changed one? */
static bool is_same(comparison *c, rcp_term a, rcp_term b) {
    if (!rcp_term_is_real(a) || !rcp_term_is_real(b))
        return a.v == b.v;
    uint64_t key = (uint64_t)a.v << 32 | b.v;
    uint32_t known = rcp_map_get(&c->same, key);
    if (known != RCP_MAP_NONE)
        return known;
    const rcp_term_node *x = rcp_term_borrow(&c->run->recorded->terms, a),
                        *y = rcp_term_borrow(&c->run->changed->terms, b);
    bool same = x->op == y->op && x->width == y->width;
    if (same && (x->op == RCP_OP_CONST || x->op == RCP_OP_READ))
        same = x->word == y->word && x->a == y->a;
    else if (same) {
        const uint32_t left[] = {x->a, x->b, x->c}, right[] = {y->a, y->b, y->c};
        unsigned arity = rcp_op_borrow_traits((rcp_op)x->op)->arity;
        same = x->op != RCP_OP_EXTRACT || x->b == y->b;
        for (unsigned k = 0; same && k < arity; k++)
            same = is_same(c, (rcp_term){left[k]}, (rcp_term){right[k]});
    }
    rcp_map_set(&c->same, key, same);
    return same;
}

/* What the term predicts, of something that was recorded as `value`. */
typedef enum prediction { KNOWN, UNKNOWN } prediction;
static prediction predict(comparison *c, rcp_term term, uint64_t *value) {
    if (term.v == RCP_TERM_CONST.v)
        return KNOWN;
    if (!rcp_term_is_real(term))
        return UNKNOWN;
    return rcp_evaluator_run(&c->recorded, term, value) == RCP_EVAL_OK ? KNOWN : UNKNOWN;
}

static rcp_change check_branch(comparison *c, const rcp_event *was, const rcp_event *is) {
    uint64_t predicted = was->value, itself;
    if (predict(c, was->cond, &predicted) == UNKNOWN)
        return RCP_CHANGE_UNKNOWN;
    if (predicted == was->value) {
        if (is->value != was->value)
            return wrong(c, "a branch", predicted, is->value);
        return is_same(c, was->cond, is->cond) ? RCP_CHANGE_NOTHING
                                               : wrong(c, "the condition of a branch that should be the same", 0, 0);
    }
    if (is_same(c, was->cond, is->cond))
        return is->value == predicted ? RCP_CHANGE_BRANCH : wrong(c, "a branch", predicted, is->value);
    /* A pin, or a switch, says what it was now: that is another condition, and true of the values. */
    if (rcp_evaluator_run(&c->changed, is->cond, &itself) != RCP_EVAL_OK || itself != is->value)
        return wrong(c, "a branch with another condition", itself, is->value);
    return RCP_CHANGE_PIN;
}

/* What is written, up to 8 bytes of it: longer ones have no terms. */
static rcp_change check_written(comparison *c, const rcp_event *was, const rcp_event *is) {
    if (!rcp_event_writes(was) || was->value_term.v == RCP_TERM_ALL.v)
        return RCP_CHANGE_NOTHING;
    if (was->size > 8) {
        bool same = !memcmp(rcp_event_written(was), rcp_event_written(is), was->size);
        return same ? RCP_CHANGE_NOTHING : wrong(c, "bytes that are written and have no terms", 0, 0);
    }
    uint64_t recorded = was->kind == RCP_RMW ? was->written : was->value, predicted = recorded;
    uint64_t found = is->kind == RCP_RMW ? is->written : is->value;
    if (predict(c, was->value_term, &predicted) == UNKNOWN)
        return RCP_CHANGE_UNKNOWN;
    return predicted == found ? RCP_CHANGE_NOTHING : wrong(c, "a value that is written", predicted, found);
}

static rcp_change check_access(comparison *c, const rcp_event *was, const rcp_event *is) {
    uint64_t address = was->addr, exchanged = was->kind == RCP_RMW;
    if (predict(c, was->addr_term, &address) == UNKNOWN || predict(c, was->cond, &exchanged) == UNKNOWN)
        return RCP_CHANGE_UNKNOWN;
    if (address != was->addr) /* which may be nobody's but the thread's: then no event tells */
        return !rcp_event_is_access(is) || is->addr == address || !is_same(c, was->addr_term, is->addr_term)
                   ? RCP_CHANGE_ADDRESS
                   : wrong(c, "an address", address, is->addr);
    if (exchanged != (was->kind == RCP_RMW))
        return is->kind != was->kind ? RCP_CHANGE_BRANCH : wrong(c, "a compare-and-exchange", exchanged, !exchanged);
    if (is->kind != was->kind)
        return wrong(c, "the kind of an access", was->kind, is->kind);
    if (is->addr != was->addr || is->size != was->size)
        return wrong(c, "an address or size that should be the same", was->addr, is->addr);
    return check_written(c, was, is);
}

static rcp_change check_event(comparison *c, const rcp_event *was, const rcp_event *is) {
    if (was->tid.v != is->tid.v)
        return wrong(c, "the thread", was->tid.v, is->tid.v);
    if (rcp_event_is_access(was))
        return check_access(c, was, is);
    if (was->kind != is->kind) {
        /* An address that was the thread's own, and so pinned, is one that others have. */
        uint64_t outcome = was->value;
        if (was->kind == RCP_BRANCH && predict(c, was->cond, &outcome) == KNOWN && outcome != was->value)
            return RCP_CHANGE_PIN;
        return wrong(c, "the kind of an event", was->kind, is->kind);
    }
    return was->kind == RCP_BRANCH ? check_branch(c, was, is) : RCP_CHANGE_NOTHING;
}

/* Nothing of the changed run is there any more. It has no event of its own only where an address that has one now led
 * elsewhere, or a branch left the recorded run: its next event would have been that. */
static rcp_change check_end(comparison *c, const rcp_event *was) {
    uint64_t address = was->addr, outcome = was->value;
    if (rcp_event_is_access(was) && predict(c, was->addr_term, &address) == KNOWN && address != was->addr)
        return RCP_CHANGE_ADDRESS;
    if (was->kind == RCP_BRANCH && predict(c, was->cond, &outcome) == KNOWN && outcome != was->value)
        return RCP_CHANGE_PIN;
    snprintf(c->run->why, sizeof c->run->why, "the changed run ended here");
    return RCP_CHANGE_WRONG;
}

rcp_change rcp_changed_run_compare(rcp_changed_run *run) {
    comparison c = {.run = run};
    rcp_change change = RCP_CHANGE_NOTHING;
    rcp_evaluator_init(&c.recorded, &run->recorded->terms, look_up, run);
    rcp_evaluator_init(&c.changed, &run->changed->terms, look_up, run);
    rcp_map_init(&c.same);
    for (c.i = 0; change == RCP_CHANGE_NOTHING && c.i < run->recorded->events.len; c.i++) {
        const rcp_event *was = &run->recorded->events.at[c.i];
        run->at = (rcp_eid){c.i};
        change =
            c.i < run->changed->events.len ? check_event(&c, was, &run->changed->events.at[c.i]) : check_end(&c, was);
    }
    if (change == RCP_CHANGE_NOTHING && !run->ended) {
        snprintf(run->why, sizeof run->why, "the changed run does not fit its log, though nothing predicted that");
        change = RCP_CHANGE_WRONG;
    }
    rcp_evaluator_finish(&c.recorded);
    rcp_evaluator_finish(&c.changed);
    rcp_map_finish(&c.same);
    return change;
}
