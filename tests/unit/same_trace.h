/* SPDX-License-Identifier: Apache-2.0 */
/* Are two traces equal, field by field, ids included? For tests of what must lose nothing. */
#ifndef RECIPE_TESTS_SAME_TRACE_H
#define RECIPE_TESTS_SAME_TRACE_H

#include "trace/model/trace.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SAME(what, condition)                                                                                          \
    if (!(condition)) {                                                                                                \
        printf("not the same: %s (%s)\n", what, #condition);                                                           \
        return false;                                                                                                  \
    }

static inline bool same_event(const rcp_event *x, const rcp_event *y) {
    rcp_event a = *x, b = *y;
    SAME("head", a.kind == b.kind && a.mode == b.mode && a.outcome == b.outcome && a.valued == b.valued);
    SAME("place", a.tid.v == b.tid.v && a.loc.v == b.loc.v && a.stack.v == b.stack.v);
    SAME("memory", a.addr == b.addr && a.size == b.size);
    if (rcp_event_is_access(&a) && a.size > 8 && a.valued) {
        SAME("bytes", b.bytes && !memcmp(a.bytes, b.bytes, a.size));
        SAME("written bytes",
             a.kind != RCP_RMW || (b.written_bytes && !memcmp(a.written_bytes, b.written_bytes, a.size)));
        a.bytes = b.bytes = a.written_bytes = b.written_bytes = NULL;
    }
    SAME("value", a.value == b.value && a.written == b.written);
    SAME("object", a.object.v == b.object.v && a.lock.v == b.lock.v);
    SAME("terms", a.value_term.v == b.value_term.v && a.addr_term.v == b.addr_term.v && a.cond.v == b.cond.v);
    SAME("rest", !memcmp(&a, &b, sizeof a)); /* whatever field is added one day */
    return true;
}
_Static_assert(sizeof(rcp_event) == 64, "no padding, so that bytes can be compared");

static inline bool same_defs(const rcp_defs *a, const rcp_defs *b) {
#define EACH(table) SAME(#table, a->table.len == b->table.len) for (size_t i = 0; i < a->table.len; i++)
    EACH(strings)
        SAME("string",
             a->strings.at[i].len == b->strings.at[i].len && !strcmp(a->strings.at[i].at, b->strings.at[i].at));
    EACH(locations)
        SAME("location", !memcmp(&a->locations.at[i], &b->locations.at[i], sizeof a->locations.at[i]));
    EACH(stacks)
        SAME("stack", !memcmp(&a->stacks.at[i], &b->stacks.at[i], sizeof a->stacks.at[i]));
    EACH(threads)
        SAME("thread", a->threads.at[i].name.v == b->threads.at[i].name.v);
    EACH(objects) {
        const rcp_object *x = &a->objects.at[i], *y = &b->objects.at[i];
        SAME("object", x->kind == y->kind && x->name.v == y->name.v && x->addr == y->addr && x->initial == y->initial);
    }
    EACH(variables) {
        const rcp_variable *x = &a->variables.at[i], *y = &b->variables.at[i];
        SAME("variable", x->name.v == y->name.v && x->addr == y->addr && x->size == y->size);
    }
    EACH(reaches) {
        const rcp_reach_def *x = &a->reaches.at[i], *y = &b->reaches.at[i];
        size_t n = x->n + x->followed;
        SAME("reach",
             x->n == y->n && x->followed == y->followed && (!n || !memcmp(x->spans, y->spans, n * sizeof *x->spans)));
    }
    EACH(images) {
        const rcp_image *x = &a->images.at[i], *y = &b->images.at[i];
        SAME("image", x->addr == y->addr && x->n == y->n && (!x->n || !memcmp(x->bytes, y->bytes, x->n)));
    }
    EACH(facts)
        SAME("fact", a->facts.at[i].key.v == b->facts.at[i].key.v && a->facts.at[i].value.v == b->facts.at[i].value.v);
#undef EACH
    return true;
}

static inline bool same_terms(const rcp_terms *a, const rcp_terms *b) {
    SAME("number of terms", a->nodes.len == b->nodes.len);
    for (size_t i = 0; i < a->nodes.len; i++) {
        const rcp_term_node *x = &a->nodes.at[i], *y = &b->nodes.at[i];
        SAME("term", x->op == y->op && x->width == y->width && x->a == y->a && x->word == y->word);
    }
    return true;
}

static inline bool same_trace(const rcp_trace *a, const rcp_trace *b) {
    if (!same_defs(&a->defs, &b->defs) || !same_terms(&a->terms, &b->terms))
        return false;
    SAME("number of events", a->events.len == b->events.len);
    for (size_t i = 0; i < a->events.len; i++)
        if (!same_event(&a->events.at[i], &b->events.at[i])) {
            printf("event %zu\n", i);
            return false;
        }
    return true;
}
#undef SAME

#endif
