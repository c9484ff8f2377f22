/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/show.h"

#include <inttypes.h>

static void show_term(FILE *to, const rcp_trace *trace, rcp_term term) {
    if (term.v == RCP_TERM_CONST.v) {
        fputs("const", to);
        return;
    }
    if (term.v == RCP_TERM_ALL.v) {
        fputs("all", to);
        return;
    }
    const rcp_term_node *node = rcp_term_borrow(&trace->terms, term);
    const rcp_op_traits *traits = rcp_op_borrow_traits(node->op);
    if (node->op == RCP_OP_CONST) {
        fprintf(to, "%" PRIu64 ":%u", node->word, node->width);
    } else if (node->op == RCP_OP_READ) {
        fprintf(to, "$%" PRIu64 "+%u:%u", node->word, node->a, node->width);
    } else {
        const uint32_t arguments[] = {node->a, node->b, node->c};
        fprintf(to, "(%s:%u", traits->name, node->width);
        for (int i = 0; i < traits->arity; i++) {
            fputc(' ', to);
            show_term(to, trace, (rcp_term){arguments[i]});
        }
        if (node->op == RCP_OP_EXTRACT)
            fprintf(to, " from %u", node->b);
        fputc(')', to);
    }
}

static void show_bytes(FILE *to, const uint8_t *bytes, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        fprintf(to, "%02x", bytes[i]);
}

static void show_event(FILE *to, const rcp_trace *trace, size_t i) {
    const rcp_event *e = &trace->events.at[i];
    const rcp_traits *traits = rcp_event_traits(e->kind);
    const rcp_defs *defs = &trace->defs;
    fprintf(to, "%3zu  %s %s", i, rcp_defs_borrow_string(defs, defs->threads.at[e->tid.v].name), traits->name);
    if (traits->uses & RCP_USES_CHILD)
        fprintf(to, " %s", rcp_defs_borrow_string(defs, defs->threads.at[e->child.v].name));
    if (traits->uses & RCP_USES_OBJECT)
        fprintf(to, " %s", rcp_defs_borrow_string(defs, defs->objects.at[e->object.v].name));
    if (traits->uses & RCP_USES_LOCK)
        fprintf(to, " %s", rcp_defs_borrow_string(defs, defs->objects.at[e->lock.v].name));
    if (traits->uses & RCP_USES_MODE && e->mode)
        fprintf(to, " %s", rcp_mode_name(e->mode));
    if (traits->uses & RCP_USES_ADDR)
        fprintf(to, " 0x%" PRIx64 ":%" PRIu64, e->addr, rcp_event_extent(e));
    if (e->valued && e->kind == RCP_BRANCH)
        fprintf(to, " %" PRIu64, e->value);
    if (e->valued && rcp_event_is_access(e)) {
        fputs(" = ", to);
        show_bytes(to, rcp_event_bytes(e), e->size);
        if (e->kind == RCP_RMW) {
            fputs(" -> ", to);
            show_bytes(to, rcp_event_written(e), e->size);
        }
    }
    if (traits->uses & RCP_USES_ORDER && e->mode)
        fprintf(to, " %s", rcp_order_name(e->mode));
    if (e->outcome)
        fprintf(to, " %s", rcp_outcome_name(e->outcome));
    if (traits->uses & RCP_USES_REACH)
        for (size_t s = 0; s < defs->reaches.at[e->reach.v].n; s++)
            fprintf(to, " 0x%" PRIx64 "-0x%" PRIx64, defs->reaches.at[e->reach.v].spans[s].lo,
                    defs->reaches.at[e->reach.v].spans[s].hi);
    const rcp_term terms[] = {e->value_term, e->addr_term, e->cond};
    static const char *const words[] = {" <- ", " at ", " if "};
    for (int t = 0; t < 3; t++)
        if (terms[t].v) {
            fputs(words[t], to);
            show_term(to, trace, terms[t]);
        }
    fputc('\n', to);
}

void rcp_show_trace(FILE *to, const rcp_trace *trace) {
    const rcp_defs *defs = &trace->defs;
    for (size_t i = 0; i < defs->objects.len; i++)
        fprintf(to, "     %s %s = %" PRIu64 "\n", rcp_object_kind_name(defs->objects.at[i].kind),
                rcp_defs_borrow_string(defs, defs->objects.at[i].name), defs->objects.at[i].initial);
    for (size_t i = 0; i < defs->images.len; i++) {
        fprintf(to, "     image 0x%" PRIx64 " ", defs->images.at[i].addr);
        show_bytes(to, defs->images.at[i].bytes, (uint32_t)defs->images.at[i].n);
        fputc('\n', to);
    }
    if (rcp_defs_implicit_branches(defs))
        fputs("     implicit branches\n", to);
    for (size_t i = 0; i < trace->events.len; i++)
        show_event(to, trace, i);
}

void rcp_show_witness(FILE *to, const rcp_trace *trace, const rcp_witness *witness) {
    rcp_position *done = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *done);
    fputs("schedule:", to);
    for (size_t s = 0; s < witness->steps.len; s++) {
        rcp_step step = witness->steps.at[s];
        for (; done[step.tid.v] < step.to; done[step.tid.v]++)
            fprintf(to, " %" PRIu64, rcp_trace_event_of(trace, step.tid, done[step.tid.v]).v);
    }
    if (witness->race[0].v != RCP_NO_EID.v)
        fprintf(to, "; race %" PRIu64 " %" PRIu64, witness->race[0].v, witness->race[1].v);
    fputc('\n', to);
    rcp_release(done);
}
