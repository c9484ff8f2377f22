/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/cure.h"

#include "results/race.h"
#include "trace/model/own_place.h"

#include <string.h>

/* A place and what it could be. Each option asks for more than the one before it. */
typedef struct place {
    rcp_order_change options[3];
    size_t n;
} place;

typedef struct search {
    const rcp_trace *trace;
    const rcp_cure_instance *instances;
    size_t n_instances;
    uint64_t cost;  /* events that one question walks over */
    uint64_t *left; /* that may still be walked over */
    place places[RCP_CURE_PLACES];
    size_t n;
    bool has_more; /* places that are not among them: they have no name, or there are too many */
    rcp_cures *found;
} search;

static void add_option(place *p, rcp_loc at, const rcp_event *e, rcp_order order) {
    if (order != e->mode)
        p->options[p->n++] = (rcp_order_change){at, e->kind, (uint8_t)order};
}

/* What the operation could have instead, from the weakest on; nothing where it has all that there is. */
static place options_of(rcp_loc at, const rcp_event *e) {
    place p = {0};
    const bool acquires = rcp_order_acquires(e->mode), releases = rcp_order_releases(e->mode);
    if (e->kind == RCP_READ && !acquires)
        add_option(&p, at, e, RCP_ACQ);
    if (e->kind == RCP_WRITE && !releases)
        add_option(&p, at, e, RCP_REL);
    if (e->kind != RCP_RMW && e->kind != RCP_FENCE)
        return p;
    if (!acquires && !releases) {
        add_option(&p, at, e, RCP_REL);
        add_option(&p, at, e, RCP_ACQ);
    }
    if (!acquires || !releases)
        add_option(&p, at, e, RCP_ACQ_REL);
    return p;
}

static void look_again(rcp_cure_place *is, const rcp_event *e) {
    is->addr = is->addr == e->addr ? is->addr : 0;
    is->is_always &= is->order == e->mode;
}

static void add_place(void *context, const rcp_event *e) {
    search *s = context;
    const rcp_loc own = rcp_own_place(&s->trace->defs, e);
    place p = options_of(own, e);
    for (size_t i = 0; i < s->n; i++)
        if (s->places[i].options->place.v == own.v && s->places[i].options->kind == e->kind) {
            look_again(&s->found->places[i], e);
            return;
        }
    if (p.n && own.v && s->n < RCP_CURE_PLACES) {
        s->found->places[s->n] = (rcp_cure_place){own, e->loc, e->kind, e->mode, e->addr, true};
        s->places[s->n++] = p;
        s->found->n_places = s->n;
    } else
        s->has_more |= p.n;
}

static bool is_cure(search *s, const rcp_order_change *changes, size_t n) {
    if (*s->left < s->cost)
        return false;
    *s->left -= s->cost;
    for (size_t i = 0; i < s->n_instances; i++)
        if (!rcp_language_orders(s->trace, s->instances[i].earlier, s->instances[i].later, changes, n))
            return false;
    return true;
}

/* Does a cure that was found ask for no more than this? */
static bool has_part(const rcp_cures *found, const rcp_order_change *changes, size_t n) {
    for (size_t c = 0; c < found->n; c++) {
        size_t held = 0;
        for (size_t i = 0; i < found->at[c].n; i++)
            for (size_t k = 0; k < n; k++) {
                const rcp_order_change *part = &found->at[c].change[i];
                held += changes[k].place.v == part->place.v && changes[k].kind == part->kind &&
                        (changes[k].order == part->order || changes[k].order == RCP_ACQ_REL);
            }
        if (held == found->at[c].n)
            return true;
    }
    return false;
}

/* All sets of `size` changes at places from `from` on, beside the `n` that are chosen. */
static void try_all(search *s, rcp_order_change *chosen, size_t n, size_t size, size_t from) {
    if (n == size) {
        if (!has_part(s->found, chosen, n) && is_cure(s, chosen, n)) {
            rcp_cure *cure = &s->found->at[s->found->n++];
            memcpy(cure->change, chosen, n * sizeof *chosen);
            cure->n = n;
        }
        return;
    }
    for (size_t i = from; i < s->n; i++)
        for (size_t k = 0; k < s->places[i].n && s->found->n < RCP_CURES && *s->left >= s->cost; k++) {
            chosen[n] = s->places[i].options[k];
            try_all(s, chosen, n + 1, size, i + 1);
        }
}

void rcp_cures_find(const rcp_trace *trace, const rcp_cure_instance *instances, size_t n, uint64_t *left,
                    rcp_cures *cures) {
    search s = {.trace = trace, .instances = instances, .n_instances = n, .left = left, .found = cures};
    rcp_order_change chosen[RCP_CURE_PLACES];
    *cures = (rcp_cures){0};
    for (size_t i = 0; i < n; i++)
        s.cost += instances[i].later.v;
    if (*left / 2 < s.cost)
        return;
    *left -= s.cost;
    for (size_t i = 0; i < n; i++)
        rcp_language_between(trace, instances[i].earlier, instances[i].later, add_place, &s);
    for (size_t i = 0; i < s.n; i++)
        chosen[i] = s.places[i].options[s.places[i].n - 1];
    if (!is_cure(&s, chosen, s.n)) {
        cures->is_none = !s.has_more;
        return;
    }
    for (size_t size = 1; size <= RCP_CURE_CHANGES && size <= s.n && cures->n < RCP_CURES; size++)
        try_all(&s, chosen, 0, size, 0);
}

static const char *kind_name(uint8_t kind) {
    return kind == RCP_READ ? "load" : kind == RCP_WRITE ? "store" : kind == RCP_RMW ? "read-modify-write" : "fence";
}

static void tell_change(const rcp_defs *defs, const rcp_order_change *change, rcp_text *to) {
    const rcp_location *at = &defs->locations.at[change->place.v];
    rcp_text_printf(to, "the %s at %s:%u:%u %s", kind_name(change->kind), rcp_defs_borrow_string(defs, at->file),
                    at->line, at->column, rcp_order_name(change->order));
}

/* "the store to `ready` (a.c:31:5, now relaxed) release" */
static void tell_in_full(const rcp_cures *cures, const rcp_defs *defs, const rcp_order_change *change, rcp_text *to) {
    const rcp_location *at = &defs->locations.at[change->place.v];
    const rcp_cure_place *is = NULL;
    rcp_text name = {0};
    for (size_t i = 0; i < cures->n_places; i++)
        if (cures->places[i].place.v == change->place.v && cures->places[i].kind == change->kind)
            is = &cures->places[i];
    if (is && is->addr)
        rcp_defs_name_access(defs, rcp_defs_find_variable(defs, is->addr), is->addr,
                             rcp_defs_borrow_string(defs, defs->locations.at[is->loc.v].member), &name);
    rcp_text_printf(to, "the %s", kind_name(change->kind));
    if (name.len)
        rcp_text_printf(to, " %s `%s`", change->kind == RCP_WRITE ? "to" : "of", name.at);
    rcp_text_printf(to, RCP_CURE_PLACE "%s:%u:%u", rcp_defs_borrow_string(defs, at->file), at->line, at->column);
    if (is && is->is_always)
        rcp_text_printf(to, ", now %s", rcp_order_name(is->order));
    rcp_text_printf(to, ") %s", rcp_order_name(change->order));
    rcp_text_finish(&name);
}

static void tell_all(const rcp_cures *cures, const rcp_defs *defs, bool in_full, rcp_text *to) {
    for (size_t c = 0; c < cures->n; c++) {
        rcp_text_puts(to, c ? RCP_CURE_NEXT : in_full ? RCP_CURE_MAKE : RCP_CURE_FIRST);
        for (size_t i = 0; i < cures->at[c].n; i++) {
            rcp_text_puts(to, !i ? "" : i + 1 < cures->at[c].n ? ", " : " and ");
            if (in_full)
                tell_in_full(cures, defs, &cures->at[c].change[i], to);
            else
                tell_change(defs, &cures->at[c].change[i], to);
        }
    }
    rcp_text_puts(to, cures->n ? "." : "");
}

void rcp_cures_tell(const rcp_cures *cures, const rcp_defs *defs, rcp_text *to) {
    if (cures->is_none)
        rcp_text_puts(to, RCP_CURE_NONE);
    tell_all(cures, defs, false, to);
    tell_all(cures, defs, true, to);
}
