/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/varies.h"

#include "base/hash.h"
#include "predict/facts/must.h"

#define NONE UINT32_MAX

/* A word of one life. */
typedef struct word {
    uint32_t writes; /* how many, in all */
    uint32_t write;  /* the last one so far; NONE */
    uint32_t reads;  /* links: those so far, the last one first; NONE */
    uint32_t recent; /* of these, the last one before the last write */
    bool is_empty;   /* in the beginning it holds nothing */
    bool is_broken;  /* two writes of it may come in any order */
} word;

typedef struct link {
    uint32_t event, next;
} link;

typedef struct survey {
    const rcp_run_facts *facts;
    const rcp_trace *trace;
    const rcp_must *must;
    rcp_map index; /* word and life → words */
    rcp_map mixed; /* words that some access has in several lives at once: nothing is said of these */
    RCP_VEC(word) words;
    RCP_VEC(link) links;
    uint8_t *varies; /* by event: a read that is not fixed; later: whose value can be another */
    uint8_t *terms;
} survey;

static word *word_of(survey *s, uint32_t event, uint64_t number) {
    uint64_t life = s->trace->life[event];
    uint32_t *index = rcp_map_at(&s->index, rcp_hash_join(number, life));
    if (*index == RCP_MAP_NONE) {
        const rcp_event *begin = life ? &s->trace->events.at[life - 1] : NULL;
        bool is_empty = begin && begin->kind == RCP_ALLOC && begin->outcome != RCP_ZEROED;
        *index = (uint32_t)s->words.len;
        rcp_vec_push(&s->words, ((word){.write = NONE, .reads = NONE, .recent = NONE, .is_empty = is_empty}));
    }
    return &s->words.at[*index];
}

/* --- where reads take their bytes from --- */

static bool must_before(const survey *s, uint32_t earlier, uint32_t now) {
    return rcp_must_order(s->must, earlier, now);
}

static void read_word(survey *s, uint32_t event, word *w) {
    if (w->is_broken || (w->write != NONE && !must_before(s, w->write, event)))
        s->varies[event] = 1;
    rcp_vec_push(&s->links, ((link){event, w->reads}));
    w->reads = (uint32_t)s->links.len - 1;
}

static void write_word(survey *s, uint32_t event, word *w) {
    bool breaks = !w->is_broken && w->write != NONE && !must_before(s, w->write, event);
    for (uint32_t i = w->reads; i != NONE && (breaks || i != w->recent); i = s->links.at[i].next) {
        uint32_t read = s->links.at[i].event;
        if (breaks || (read != event && !must_before(s, read, event)))
            s->varies[read] = 1;
    }
    w->is_broken |= breaks;
    w->recent = w->reads;
    w->write = event;
}

static void look_at(survey *s, uint32_t event, bool counts) {
    const rcp_event *e = &s->trace->events.at[event];
    if (!rcp_event_is_access(e))
        return;
    bool is_mixed = rcp_map_get(&s->facts->observed.mixed_lives, event) != RCP_MAP_NONE;
    for (uint64_t number = e->addr >> 3; number <= (e->addr + e->size - 1) >> 3; number++) {
        if (is_mixed && counts)
            rcp_map_set(&s->mixed, number, 1);
        if (!counts && rcp_map_get(&s->mixed, number) != RCP_MAP_NONE) {
            s->varies[event] |= rcp_event_reads(e);
            continue;
        }
        word *w = word_of(s, event, number);
        if (counts) {
            w->writes += rcp_event_writes(e);
            continue;
        }
        if (w->writes == 1 && w->is_empty) { /* it takes that, or what is unknown */
            s->varies[event] |= rcp_event_reads(e) && w->write == NONE;
            w->write = rcp_event_writes(e) ? event : w->write;
            continue;
        }
        if (rcp_event_reads(e))
            read_word(s, event, w);
        if (rcp_event_writes(e))
            write_word(s, event, w);
    }
}

/* --- and what these hold --- */

/* Terms up to `last`, which are over reads before `event`. */
static void look_at_terms(survey *s, uint32_t *done, uint32_t last, uint32_t event) {
    for (; *done <= last; ++*done) {
        const rcp_term_node *node = rcp_term_borrow(&s->trace->terms, (rcp_term){*done});
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        uint8_t *varies = &s->terms[*done - RCP_TERM_FIRST];
        if (node->op == RCP_OP_READ)
            *varies = node->word >= event || s->varies[node->word];
        else
            for (unsigned i = 0; node->op != RCP_OP_CONST && i < rcp_op_borrow_traits(node->op)->arity; i++)
                *varies |= s->terms[arguments[i] - RCP_TERM_FIRST];
    }
}

static void look_at_value(survey *s, uint32_t event, uint32_t *done) {
    const rcp_event *e = &s->trace->events.at[event];
    if (rcp_event_reads(e) && !s->varies[event]) {
        uint64_t upto;
        for (uint64_t at = e->addr; at < e->addr + e->size; at = upto) {
            uint32_t writer = rcp_observed_writer(&s->facts->observed, (rcp_eid){event}, at, &upto);
            if (writer) /* before what code outside wrote, there was something else */
                s->varies[event] |= s->varies[writer - 1] || rcp_event_is_opaque(&s->trace->events.at[writer - 1]);
        }
    }
    if (!rcp_event_writes(e) || e->value_term.v == RCP_TERM_CONST.v)
        return;
    bool is_real = rcp_term_is_real(e->value_term);
    if (is_real)
        look_at_terms(s, done, e->value_term.v, event + 1);
    /* an exchange is one event, a read and a write: it varies where either does */
    s->varies[event] |= !is_real || s->terms[e->value_term.v - RCP_TERM_FIRST];
}

rcp_term rcp_varies_term(const rcp_event *e) {
    if (e->kind == RCP_BRANCH)
        return e->valued && rcp_term_is_real(e->cond) ? e->cond : RCP_TERM_CONST;
    if (!rcp_event_is_access(e))
        return RCP_TERM_CONST;
    return rcp_term_is_real(e->cond) ? e->cond : rcp_term_is_real(e->addr_term) ? e->addr_term : RCP_TERM_CONST;
}

static rcp_bits *list_events(const survey *s, const rcp_forced *forced) {
    size_t n = s->trace->events.len;
    rcp_bits *found = rcp_alloc_zero(n / 64 + 1, sizeof *found);
    for (size_t i = 0; i < n; i++) {
        rcp_term term = rcp_varies_term(&s->trace->events.at[i]);
        bool is = rcp_term_is_real(term) && s->terms[term.v - RCP_TERM_FIRST] && !rcp_bit(forced->steady, i);
        found[i / 64] |= (rcp_bits)is << (i % 64);
    }
    return found;
}

rcp_bits *rcp_varies_find(const rcp_run_facts *facts, const rcp_forced *forced) {
    const rcp_trace *trace = facts->trace;
    survey s = {.facts = facts, .trace = trace, .must = forced->must};
    size_t n = trace->events.len, terms = rcp_terms_count(&trace->terms);
    rcp_map_init(&s.index);
    rcp_map_init(&s.mixed);
    s.varies = rcp_alloc_zero(n + 1, 1);
    s.terms = rcp_alloc_zero(terms + 1, 1);
    for (uint32_t i = 0; i < n; i++)
        look_at(&s, i, true);
    for (uint32_t i = 0; i < n; i++)
        look_at(&s, i, false);
    uint32_t done = RCP_TERM_FIRST;
    for (uint32_t i = 0; i < n; i++)
        look_at_value(&s, i, &done);
    if (terms)
        look_at_terms(&s, &done, (uint32_t)terms + RCP_TERM_FIRST - 1, (uint32_t)n);
    rcp_bits *found = list_events(&s, forced);
    rcp_map_finish(&s.index);
    rcp_map_finish(&s.mixed);
    rcp_vec_finish(&s.words);
    rcp_vec_finish(&s.links);
    rcp_release(s.varies);
    rcp_release(s.terms);
    return found;
}
