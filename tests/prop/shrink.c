/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/shrink.h"

#include "trace/check/wellformed.h"

/* What is taken away from the original trace: bit i stands for event i. */
typedef struct edit {
    uint64_t dropped;
    uint64_t value, addr, cond; /* these terms become CONST */
    bool images;
} edit;

static const rcp_term no_term = {0};

/* Copies a term's node into the new pool; RCP_TERM_CONST where it needs a read that is gone. */
static rcp_term copy_node(const rcp_trace *from, const uint64_t *new_number, const rcp_term *new_terms, size_t i,
                          rcp_terms *pool) {
    const rcp_term_node *node = rcp_term_borrow(&from->terms, (rcp_term){(uint32_t)(RCP_TERM_FIRST + i)});
    if (node->op == RCP_OP_CONST)
        return rcp_term_const(pool, node->width, node->word);
    if (node->op == RCP_OP_READ) {
        if (node->word >= from->events.len || new_number[node->word] == UINT64_MAX)
            return RCP_TERM_CONST;
        return rcp_term_read(pool, (rcp_eid){new_number[node->word]}, node->a, node->width);
    }
    unsigned arity = rcp_op_borrow_traits(node->op)->arity;
    rcp_term a = new_terms[node->a - RCP_TERM_FIRST];
    rcp_term b = arity > 1 ? new_terms[node->b - RCP_TERM_FIRST] : no_term;
    rcp_term c = arity > 2 ? new_terms[node->c - RCP_TERM_FIRST] : no_term;
    if (!rcp_term_is_real(a) || (arity > 1 && !rcp_term_is_real(b)) || (arity > 2 && !rcp_term_is_real(c)))
        return RCP_TERM_CONST;
    if (node->op == RCP_OP_EXTRACT)
        return rcp_term_extract(pool, a, node->b, node->width);
    return rcp_term_make(pool, node->op, node->width, a, b, c);
}

static void copy_defs(const rcp_defs *from, rcp_defs *to, bool images) {
#define NAME(id) rcp_defs_borrow_string(from, id)
    for (size_t i = 0; i < from->threads.len; i++)
        rcp_defs_thread(to, NAME(from->threads.at[i].name));
    for (size_t i = 0; i < from->objects.len; i++) {
        const rcp_object *o = &from->objects.at[i];
        rcp_defs_object(to, o->kind, NAME(o->name), o->addr, o->initial);
    }
    for (size_t i = 0; i < from->variables.len; i++)
        rcp_defs_variable(to, NAME(from->variables.at[i].name), from->variables.at[i].addr, from->variables.at[i].size);
    for (size_t i = 0; i < from->facts.len; i++)
        rcp_defs_fact(to, NAME(from->facts.at[i].key), NAME(from->facts.at[i].value));
    for (size_t i = 0; images && i < from->images.len; i++)
        rcp_defs_image(to, from->images.at[i].addr, from->images.at[i].bytes, from->images.at[i].n);
    for (size_t i = 1; i < from->reaches.len; i++) {
        rcp_reach reach;
        const rcp_reach_def *def = &from->reaches.at[i];
        RCP_CHECK(rcp_defs_reach(to, def->spans, def->n + def->followed, &reach) == RCP_OK);
    }
#undef NAME
}

static rcp_term new_term(const rcp_term *new_terms, rcp_term old, bool gone) {
    if (gone)
        return RCP_TERM_CONST;
    return rcp_term_is_real(old) ? new_terms[old.v - RCP_TERM_FIRST] : old;
}

static void rebuild(const rcp_trace *from, const edit *by, rcp_trace *to) {
    rcp_trace_init(to);
    copy_defs(&from->defs, &to->defs, !by->images);
    uint64_t new_number[64], n = 0;
    for (size_t i = 0; i < from->events.len; i++)
        new_number[i] = by->dropped >> i & 1 ? UINT64_MAX : n++;
    rcp_term *new_terms = rcp_alloc_zero(rcp_terms_count(&from->terms) + 1, sizeof *new_terms);
    for (size_t i = 0; i < rcp_terms_count(&from->terms); i++)
        new_terms[i] = copy_node(from, new_number, new_terms, i, &to->terms);
    for (size_t i = 0; i < from->events.len; i++) {
        if (by->dropped >> i & 1)
            continue;
        rcp_event e = from->events.at[i];
        e.value_term = new_term(new_terms, e.value_term, by->value >> i & 1);
        e.addr_term = new_term(new_terms, e.addr_term, by->addr >> i & 1);
        e.cond = new_term(new_terms, e.cond, by->cond >> i & 1);
        e.loc = (rcp_loc){0};
        e.stack = (rcp_stack){0};
        if (rcp_event_is_opaque(&e))
            e.callee = (rcp_str){0};
        RCP_CHECK(rcp_trace_add(to, &e) == RCP_OK);
    }
    rcp_release(new_terms);
    rcp_trace_index(to);
}

static bool try_edit(const rcp_trace *trace, edit *now, edit then, rcp_shrink_predicate *holds, void *context) {
    rcp_trace candidate;
    rebuild(trace, &then, &candidate);
    bool held = holds(context, &candidate);
    rcp_trace_finish(&candidate);
    if (held)
        *now = then;
    return held;
}

void rcp_shrink(const rcp_trace *trace, rcp_shrink_predicate *holds, void *context, rcp_trace *small) {
    size_t n = trace->events.len;
    RCP_CHECK(n <= 64);
    edit now = {0};
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        edit then = now;
        for (size_t i = 0; i < n; i++)
            if (trace->events.at[i].tid.v == t)
                then.dropped |= UINT64_C(1) << i;
        try_edit(trace, &now, then, holds, context);
    }
    for (bool progress = true; progress;) {
        progress = false;
        for (size_t i = 0; i < n; i++)       /* pairs: an acquire goes with its release */
            for (size_t j = i; j < n; j++) { /* j == i: one event alone */
                edit then = now;
                then.dropped |= UINT64_C(1) << i | UINT64_C(1) << j;
                if ((now.dropped >> i & 1) || (now.dropped >> j & 1))
                    continue;
                progress |= try_edit(trace, &now, then, holds, context);
            }
        for (size_t i = 0; i < n; i++) {
            const rcp_event *e = &trace->events.at[i];
            const rcp_term terms[] = {e->value_term, e->addr_term, e->cond};
            for (int which = 0; which < 3; which++) {
                edit then = now;
                uint64_t *set = which == 0 ? &then.value : which == 1 ? &then.addr : &then.cond;
                if (!terms[which].v || now.dropped >> i & 1 || *set >> i & 1)
                    continue;
                *set |= UINT64_C(1) << i;
                progress |= try_edit(trace, &now, then, holds, context);
            }
        }
        if (!now.images && trace->defs.images.len) {
            edit then = now;
            then.images = true;
            progress |= try_edit(trace, &now, then, holds, context);
        }
    }
    rcp_trace_finish(small);
    rebuild(trace, &now, small);
}

bool rcp_shrink_is_execution(const rcp_trace *trace) {
    rcp_wellformed *check = rcp_wellformed_create(&trace->defs, &trace->terms);
    bool fine = true;
    for (size_t i = 0; i < trace->events.len && fine; i++)
        fine = rcp_wellformed_add(check, (rcp_eid){i}, &trace->events.at[i]) == RCP_OK;
    fine = fine && rcp_wellformed_finish(check) == 0;
    rcp_wellformed_destroy(check);
    return fine;
}
