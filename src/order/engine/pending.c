/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/pending.h"

#include "base/limits.h"

void rcp_pending_init(rcp_pending *pending, rcp_clocks *clocks) {
    *pending = (rcp_pending){.clocks = clocks};
    rcp_map_init(&pending->by_eid);
}

void rcp_pending_finish(rcp_pending *pending) {
    for (size_t t = 0; t < pending->threads.len; t++)
        rcp_vec_finish(&pending->threads.at[t].looked);
    rcp_vec_finish(&pending->threads);
    rcp_vec_finish(&pending->reads);
    rcp_vec_finish(&pending->stack);
    rcp_map_finish(&pending->by_eid);
}

static rcp_pending_thread *thread_at(rcp_pending *pending, uint32_t tid) {
    while (pending->threads.len <= tid)
        rcp_vec_push(&pending->threads, (rcp_pending_thread){0});
    return &pending->threads.at[tid];
}

/* Takes the oldest one's place. */
static rcp_pending_read *place(rcp_pending *pending, uint32_t *index) {
    size_t most = (size_t)rcp_limit(RCP_LIMIT_ORDER_PENDING);
    if (pending->reads.len < most) {
        *index = (uint32_t)pending->reads.len;
        return rcp_vec_extend(&pending->reads, 1);
    }
    *index = (uint32_t)(pending->oldest++ % most);
    rcp_pending_read *old = &pending->reads.at[*index];
    if (old->after.count) {
        pending->forgotten++;
        rcp_map_remove(&pending->by_eid, old->eid); /* with those behind it: they are about as old */
        rcp_clock_drop(pending->clocks, old->after.clock);
    }
    return old;
}

void rcp_pending_add(rcp_pending *pending, rcp_runner *runner, uint64_t eid, rcp_stamp after) {
    if (!after.count || rcp_runner_knows(runner, after.tid, after.count))
        return;
    rcp_clock_join_stamp(pending->clocks, &thread_at(pending, runner->tid)->all, after);
    pending->added++;
    if (!pending->by_term)
        return;
    uint32_t index;
    rcp_pending_read *read = place(pending, &index);
    uint32_t *first = rcp_map_at(&pending->by_eid, eid);
    rcp_clock_hold(pending->clocks, after.clock);
    *read = (rcp_pending_read){eid, after, *first == RCP_MAP_NONE ? UINT32_MAX : *first};
    *first = index;
}

static void take_read(rcp_pending *pending, rcp_runner *runner, uint64_t eid) {
    uint32_t i = rcp_map_get(&pending->by_eid, eid);
    for (; i < pending->reads.len && pending->reads.at[i].eid == eid; i = pending->reads.at[i].next)
        rcp_clock_receive(pending->clocks, runner, pending->reads.at[i].after);
}

/* Has this thread not been below the term? Now it has. */
static bool look(rcp_pending_thread *thread, uint32_t term) {
    while (thread->looked.len <= term / 64)
        rcp_vec_push(&thread->looked, 0);
    uint64_t bit = UINT64_C(1) << (term % 64), *word = &thread->looked.at[term / 64];
    bool first = !(*word & bit);
    *word |= bit;
    return first;
}

static void take_below(rcp_pending *pending, rcp_runner *runner, const rcp_terms *terms, uint32_t term) {
    rcp_pending_thread *thread = thread_at(pending, runner->tid);
    size_t bottom = pending->stack.len;
    rcp_vec_push(&pending->stack, term);
    while (pending->stack.len > bottom) {
        uint32_t top = pending->stack.at[--pending->stack.len];
        if (!look(thread, top))
            continue;
        const rcp_term_node *node = rcp_term_borrow(terms, (rcp_term){top});
        if (node->op == RCP_OP_READ) {
            take_read(pending, runner, node->word);
            continue;
        }
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned i = 0; i < rcp_op_borrow_traits(node->op)->arity; i++)
            rcp_vec_push(&pending->stack, arguments[i]);
    }
}

/* Finds divisions, remainders and shifts; a value's term is walked as a tree only down to the first of them, or to what
 * the thread has been below already. */
static void take_partial(rcp_pending *pending, rcp_runner *runner, const rcp_terms *terms, uint32_t term) {
    const size_t most = (size_t)rcp_limit(RCP_LIMIT_ORDER_TERM_NODES); /* a larger term costs an edge at most */
    uint32_t todo[most];
    size_t n = 0, seen = 0;
    todo[n++] = term;
    while (n && seen++ < most) {
        uint32_t top = todo[--n];
        const rcp_term_node *node = rcp_term_borrow(terms, (rcp_term){top});
        if (rcp_op_is_partial(node->op)) {
            take_below(pending, runner, terms, top);
            continue;
        }
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned i = 0; i < rcp_op_borrow_traits(node->op)->arity && n < most; i++)
            todo[n++] = arguments[i];
    }
}

void rcp_pending_take(rcp_pending *pending, rcp_runner *runner, const rcp_terms *terms, rcp_term term, bool partial) {
    if (term.v == RCP_TERM_CONST.v)
        return;
    if (term.v == RCP_TERM_ALL.v) {
        rcp_pending_thread *thread = thread_at(pending, runner->tid);
        if (partial || !thread->all.v)
            return;
        rcp_runner_join(pending->clocks, runner, thread->all);
        rcp_clock_drop(pending->clocks, thread->all);
        thread->all = (rcp_clock){0};
        return;
    }
    if (!terms)
        return;
    if (partial)
        take_partial(pending, runner, terms, term.v);
    else
        take_below(pending, runner, terms, term.v);
}
