/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/run_facts.h"

#include "base/tally.h"

#include <stdlib.h>
#include <string.h>

/* Two passes over (list, event) pairs: count, then fill. */
static void lists_begin(rcp_lists *lists, size_t n) {
    lists->n = n;
    lists->first = rcp_alloc_zero(n + 2, sizeof *lists->first);
}

static void lists_allot(rcp_lists *lists) {
    for (size_t i = 0; i < lists->n; i++)
        lists->first[i + 1] += lists->first[i];
    lists->at = rcp_alloc((lists->first[lists->n] + 1) * sizeof *lists->at);
    memmove(lists->first + 1, lists->first, lists->n * sizeof *lists->first);
    lists->first[0] = 0;
}

static void lists_finish(rcp_lists *lists) {
    rcp_release(lists->first);
    rcp_release(lists->at);
}

/* fill == false: counts; then lists_allot(); then the same calls with fill == true. */
static void lists_add(rcp_lists *lists, bool fill, size_t list, uint32_t event) {
    if (fill)
        lists->at[lists->first[list + 1]++] = event;
    else
        lists->first[list + 1]++;
}

size_t rcp_lists_before(const rcp_lists *lists, size_t list, uint32_t event) {
    size_t lo = lists->first[list], hi = lists->first[list + 1];
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (lists->at[middle] < event)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo - lists->first[list];
}

uint32_t rcp_run_facts_next(const rcp_run_facts *f, uint32_t event) {
    const rcp_event *e = rcp_run_facts_event(f, event);
    rcp_position next = f->trace->position[event] + 1;
    return next < rcp_trace_thread_len(f->trace, e->tid) ? (uint32_t)rcp_trace_event_of(f->trace, e->tid, next).v
                                                         : RCP_NO_EVENT;
}

uint32_t rcp_run_facts_previous(const rcp_run_facts *f, uint32_t event) {
    rcp_position position = f->trace->position[event];
    return position ? (uint32_t)rcp_trace_event_of(f->trace, rcp_run_facts_event(f, event)->tid, position - 1).v
                    : RCP_NO_EVENT;
}

bool rcp_run_facts_waits_alone(const rcp_run_facts *f, uint32_t wait) {
    uint32_t next = rcp_run_facts_next(f, wait);
    return next != RCP_NO_EVENT && rcp_run_facts_event(f, next)->kind == RCP_WAKE &&
           rcp_run_facts_event(f, next)->outcome != RCP_DONE;
}

/* Objects: lists of who names them, and what that leaves. */
static void name_objects(rcp_run_facts *f, bool fill) {
    for (uint32_t i = 0; i < f->trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        uint32_t uses = rcp_event_traits(e->kind)->uses;
        if (!(uses & RCP_USES_OBJECT))
            continue;
        lists_add(&f->named, fill, e->object.v, i);
        if (uses & RCP_USES_LOCK)
            lists_add(&f->named, fill, e->lock.v, i);
        if (e->kind == RCP_INIT && fill)
            f->init[e->object.v] = i;
        if (e->kind == RCP_DESTROY && fill)
            f->destroy[e->object.v] = i;
    }
}

static void keep_balance(rcp_run_facts *f) {
    size_t objects = f->trace->defs.objects.len;
    f->balance = rcp_alloc((f->named.first[objects] + 1) * sizeof *f->balance);
    for (uint32_t o = 0; o < objects; o++) {
        const rcp_object *definition = &f->trace->defs.objects.at[o];
        uint64_t now = definition->kind == RCP_SEM ? definition->initial : 0;
        for (size_t i = f->named.first[o]; i < f->named.first[o + 1]; i++) {
            uint32_t event = f->named.at[i];
            const rcp_event *e = rcp_run_facts_event(f, event);
            if (e->kind == RCP_SEM_POST || e->kind == RCP_BARRIER_ENTER)
                now++;
            if (e->kind == RCP_SEM_WAIT && e->outcome == RCP_DONE)
                now--;
            if (e->kind == RCP_WAIT && e->object.v == o && !rcp_run_facts_waits_alone(f, event))
                now++;
            if (e->kind == RCP_WAKE && e->object.v == o && e->outcome == RCP_DONE)
                now--;
            f->balance[i] = now < UINT32_MAX ? (uint32_t)now : UINT32_MAX;
        }
    }
}

uint64_t rcp_run_facts_balance(const rcp_run_facts *f, uint32_t object, size_t place) {
    const rcp_object *definition = &f->trace->defs.objects.at[object];
    if (place)
        return f->balance[f->named.first[object] + place - 1];
    return definition->kind == RCP_SEM ? definition->initial : 0;
}

/* Critical sections. */
typedef struct open_section {
    uint32_t depth, section;
} open_section;

static uint64_t held_key(uint32_t lock, uint32_t tid, unsigned mode) {
    return (uint64_t)lock << 33 | (uint64_t)mode << 32 | tid;
}

static void find_sections_of(rcp_run_facts *f, uint32_t lock, rcp_map *held) {
    RCP_VEC(open_section) open = {0};
    for (size_t i = f->named.first[lock]; i < f->named.first[lock + 1]; i++) {
        uint32_t event = f->named.at[i];
        const rcp_event *e = rcp_run_facts_event(f, event);
        bool takes = (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE) || e->kind == RCP_WAKE;
        bool gives = e->kind == RCP_RELEASE || e->kind == RCP_WAIT;
        if (!takes && !gives)
            continue;
        unsigned mode = e->kind == RCP_ACQUIRE || e->kind == RCP_RELEASE ? e->mode : RCP_EXCLUSIVE;
        uint32_t *place = rcp_map_at(held, held_key(lock, e->tid.v, mode));
        if (*place == RCP_MAP_NONE) {
            *place = (uint32_t)open.len;
            rcp_vec_push(&open, (open_section){0});
        }
        open_section *o = &open.at[*place];
        if (takes && !o->depth++) {
            o->section = (uint32_t)f->sections.len;
            rcp_map_set(&f->section_at, event, o->section);
            rcp_vec_push(&f->sections, ((rcp_critical){event, RCP_NO_EVENT, e->tid.v, lock, (uint8_t)mode}));
        } else if (gives && o->depth && !--o->depth) {
            f->sections.at[o->section].release = event;
        }
    }
    rcp_vec_finish(&open);
}

static void find_sections(rcp_run_facts *f) {
    size_t objects = f->trace->defs.objects.len;
    f->first_section = rcp_alloc_zero(objects + 2, sizeof *f->first_section);
    rcp_map held;
    rcp_map_init(&held);
    for (uint32_t o = 0; o < objects; o++) {
        f->first_section[o] = (uint32_t)f->sections.len;
        uint8_t kind = f->trace->defs.objects.at[o].kind;
        if (kind == RCP_MUTEX || kind == RCP_RECURSIVE || kind == RCP_SPIN || kind == RCP_RWLOCK)
            find_sections_of(f, o, &held);
    }
    f->first_section[objects] = (uint32_t)f->sections.len;
    rcp_map_finish(&held);
}

void rcp_run_facts_open_sections(const rcp_run_facts *f, uint32_t lock, uint32_t event, void *context,
                                 void (*each)(void *context, uint32_t section)) {
    size_t lo = f->first_section[lock], hi = f->first_section[lock + 1], begin = lo;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (f->sections.at[middle].acquire < event)
            lo = middle + 1;
        else
            hi = middle;
    }
    /* Of an exclusive section that has ended nothing before it can be open; shared ones may overlap. */
    for (size_t i = lo; i-- > begin;) {
        const rcp_critical *s = &f->sections.at[i];
        if (s->release >= event)
            each(context, (uint32_t)i);
        if (s->mode == RCP_EXCLUSIVE)
            break;
    }
}

static void find_partners(rcp_run_facts *f) {
    rcp_map inside;
    rcp_map_init(&inside);
    for (uint32_t i = 0; i < f->trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        uint64_t key = (uint64_t)e->object.v << 32 | e->tid.v;
        if (e->kind == RCP_BARRIER_ENTER)
            rcp_map_set(&inside, key, i);
        if (e->kind != RCP_BARRIER_LEAVE)
            continue;
        uint32_t enter = rcp_map_get(&inside, key);
        if (enter != RCP_MAP_NONE) {
            rcp_map_set(&f->partner, i, enter);
            rcp_map_set(&f->partner, enter, i);
        }
    }
    rcp_map_finish(&inside);
}

/* Memory. */
static void find_writers(rcp_run_facts *f, bool fill) {
    for (uint32_t i = 0; i < f->trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        if (!rcp_event_writes(e) || !e->size)
            continue;
        for (uint64_t word = e->addr / 8; word <= (e->addr + e->size - 1) / 8; word++)
            lists_add(&f->writers, fill, rcp_map_get(&f->word_at, word), i);
    }
}

static size_t number_words(rcp_run_facts *f) {
    size_t n = 0;
    for (uint32_t i = 0; i < f->trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        if (!rcp_event_writes(e) || !e->size)
            continue;
        for (uint64_t word = e->addr / 8; word <= (e->addr + e->size - 1) / 8; word++) {
            uint32_t *place = rcp_map_at(&f->word_at, word);
            if (*place == RCP_MAP_NONE)
                *place = (uint32_t)n++;
        }
    }
    return n;
}

static bool covers(const rcp_event *e, uint64_t addr) { return addr >= e->addr && addr - e->addr < e->size; }

uint32_t rcp_run_facts_plain_writer_before(const rcp_run_facts *f, uint64_t addr, uint32_t life, uint32_t event) {
    uint32_t found = 0, word = rcp_map_get(&f->word_at, addr / 8);
    if (word != RCP_MAP_NONE)
        for (size_t i = rcp_lists_before(&f->writers, word, event); i-- > 0 && !found;) {
            uint32_t w = f->writers.at[f->writers.first[word] + i];
            if (w < life)
                break;
            if (covers(rcp_run_facts_event(f, w), addr))
                found = w + 1;
        }
    return found;
}

uint32_t rcp_run_facts_writer_before(const rcp_run_facts *f, uint64_t addr, uint32_t life, uint32_t event) {
    uint32_t found = rcp_run_facts_plain_writer_before(f, addr, life, event);
    for (size_t r = 0; r < f->opaques.n; r++) {
        if (f->opaques.first[r] == f->opaques.first[r + 1] ||
            !rcp_defs_reach_holds(&f->trace->defs, (rcp_reach){(uint32_t)r}, addr, addr + 1))
            continue;
        size_t n = rcp_lists_before(&f->opaques, r, event);
        uint32_t o = n ? f->opaques.at[f->opaques.first[r] + n - 1] : 0;
        if (n && o >= life && o + 1 > found)
            found = o + 1;
    }
    return found;
}

uint32_t rcp_run_facts_call_of(const rcp_run_facts *f, uint32_t branch) {
    rcp_loc loc = rcp_run_facts_event(f, branch)->loc;
    for (uint32_t i = branch; loc.v && i != RCP_NO_EVENT; i = rcp_run_facts_next(f, i)) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        if (e->loc.v != loc.v || (e->kind != RCP_BRANCH && e->kind != RCP_READ))
            return e->kind == RCP_OPAQUE_BEGIN && e->loc.v == loc.v ? i : RCP_NO_EVENT;
    }
    return RCP_NO_EVENT;
}

static void find_opaques(rcp_run_facts *f, bool fill) {
    for (size_t k = 0; k < f->observed.opaques.len; k++) {
        uint32_t event = (uint32_t)f->observed.opaques.at[k];
        lists_add(&f->opaques, fill, rcp_run_facts_event(f, event)->reach.v, event);
    }
}

typedef struct ended_life {
    uint32_t life;
    rcp_life_end end;
} ended_life;

static int by_life(const void *a, const void *b) {
    const ended_life *x = a, *y = b;
    if (x->life != y->life)
        return x->life < y->life ? -1 : 1;
    return (x->end.lo > y->end.lo) - (x->end.lo < y->end.lo);
}

static void find_life_ends(rcp_run_facts *f) {
    RCP_VEC(ended_life) all = {0};
    for (uint32_t i = 0; i < f->trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        if (e->kind != RCP_ALLOC && e->kind != RCP_FREE)
            continue;
        uint64_t hi = e->addr + e->value, upto;
        for (uint64_t at = e->addr; at < hi; at = upto) {
            uint32_t life = rcp_observed_life(&f->observed, (rcp_eid){i}, at, &upto);
            if (life)
                rcp_vec_push(&all, ((ended_life){life, {at, upto, i}}));
            else
                rcp_ranges_set(&f->first_ends, at, upto, i);
        }
    }
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, by_life);
    for (size_t i = 0; i < all.len; i++) {
        if (!i || all.at[i - 1].life != all.at[i].life) {
            rcp_map_set(&f->life_ends_at, all.at[i].life, (uint32_t)f->life_lists.len);
            rcp_vec_push(&f->life_lists, ((rcp_pieces){f->life_ends.len, 0}));
        }
        f->life_lists.at[f->life_lists.len - 1].n++;
        rcp_vec_push(&f->life_ends, all.at[i].end);
    }
    rcp_vec_finish(&all);
}

uint32_t rcp_run_facts_life_end(const rcp_run_facts *f, uint32_t life, uint64_t addr, uint64_t hi, uint64_t *upto) {
    *upto = hi;
    if (!life) {
        uint32_t event = rcp_ranges_stretch(&f->first_ends, addr, hi, upto);
        return event == RCP_RANGES_NONE ? RCP_NO_EVENT : event;
    }
    uint32_t list = rcp_map_get(&f->life_ends_at, life);
    if (list == RCP_MAP_NONE)
        return RCP_NO_EVENT;
    const rcp_life_end *ends = &f->life_ends.at[f->life_lists.at[list].first];
    size_t lo = 0, n = f->life_lists.at[list].n, top = n;
    while (lo < top) { /* the first that ends after addr */
        size_t middle = lo + (top - lo) / 2;
        if (ends[middle].hi <= addr)
            lo = middle + 1;
        else
            top = middle;
    }
    if (lo == n || ends[lo].lo >= hi)
        return RCP_NO_EVENT;
    bool inside = ends[lo].lo <= addr;
    *upto = inside ? (ends[lo].hi < hi ? ends[lo].hi : hi) : ends[lo].lo;
    return inside ? ends[lo].by : RCP_NO_EVENT;
}

/* Terms over other threads' reads. Each node's reads are of one thread, of none or of several. */
#define NO_THREAD UINT32_MAX
#define SEVERAL   (UINT32_MAX - 1)

static uint32_t *threads_of_terms(const rcp_run_facts *f) {
    const rcp_terms *terms = &f->trace->terms;
    uint32_t *of = rcp_alloc((terms->nodes.len + 1) * sizeof *of);
    for (size_t i = 0; i < terms->nodes.len; i++) {
        const rcp_term_node *node = &terms->nodes.at[i];
        of[i] = NO_THREAD;
        if (node->op == RCP_OP_READ) {
            of[i] = node->word < f->trace->events.len ? f->trace->events.at[node->word].tid.v : SEVERAL;
            continue;
        }
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned k = 0; k < rcp_op_borrow_traits(node->op)->arity; k++) {
            uint32_t other = of[arguments[k] - RCP_TERM_FIRST];
            of[i] = of[i] == NO_THREAD ? other : other == NO_THREAD || other == of[i] ? of[i] : SEVERAL;
        }
    }
    return of;
}

/* A search below a term for what other threads have read. */
typedef struct foreign_search {
    const uint32_t *of; /* threads_of_terms() */
    rcp_map seen;       /* of the nodes with reads of several threads */
    RCP_VEC(uint32_t) todo;
    RCP_VEC(uint32_t) last; /* by thread: 1 + its last read below the term; 0: none */
    RCP_VEC(uint32_t) threads;
} foreign_search;

/* 1 + the last read below each term; 0: none. */
static uint32_t *last_reads(const rcp_run_facts *f) {
    const rcp_terms *terms = &f->trace->terms;
    uint32_t *last = rcp_alloc((terms->nodes.len + 1) * sizeof *last);
    for (size_t i = 0; i < terms->nodes.len; i++) {
        const rcp_term_node *node = &terms->nodes.at[i];
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        last[i] = node->op == RCP_OP_READ && node->word < f->trace->events.len ? (uint32_t)node->word + 1 : 0;
        for (unsigned k = 0; node->op > RCP_OP_READ && k < rcp_op_borrow_traits(node->op)->arity; k++) {
            uint32_t below = last[arguments[k] - RCP_TERM_FIRST];
            last[i] = below > last[i] ? below : last[i];
        }
    }
    return last;
}

static void search_foreign(const rcp_run_facts *f, foreign_search *s, const uint32_t *last, rcp_term term) {
    rcp_map_init(&s->seen);
    rcp_vec_push(&s->todo, term.v - RCP_TERM_FIRST);
    while (s->todo.len) {
        uint32_t i = s->todo.at[--s->todo.len], thread = s->of[i];
        const rcp_term_node *node = &f->trace->terms.nodes.at[i];
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        if (thread == NO_THREAD)
            continue;
        if (thread != SEVERAL) {
            if (!s->last.at[thread])
                rcp_vec_push(&s->threads, thread);
            s->last.at[thread] = last[i] > s->last.at[thread] ? last[i] : s->last.at[thread];
            continue;
        }
        uint32_t *mark = rcp_map_at(&s->seen, i);
        if (*mark != RCP_MAP_NONE)
            continue;
        *mark = 1;
        for (unsigned k = 0; node->op > RCP_OP_READ && k < rcp_op_borrow_traits(node->op)->arity; k++)
            rcp_vec_push(&s->todo, arguments[k] - RCP_TERM_FIRST);
    }
    rcp_map_finish(&s->seen);
}

static void find_foreign(rcp_run_facts *f) {
    uint32_t *of = threads_of_terms(f), *last = NULL;
    foreign_search s = {.of = of};
    memset(rcp_vec_extend(&s.last, f->trace->defs.threads.len + 1), 0,
           (f->trace->defs.threads.len + 1) * sizeof *s.last.at);
    for (uint32_t i = 0; i < f->trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        const rcp_term terms[3] = {e->cond, e->addr_term, e->value_term};
        for (int k = 0; k < 3; k++) {
            if (!rcp_term_is_real(terms[k]))
                continue;
            uint32_t thread = of[terms[k].v - RCP_TERM_FIRST];
            if (thread == e->tid.v || thread == NO_THREAD)
                continue;
            last = last ? last : last_reads(f);
            s.threads.len = 0;
            search_foreign(f, &s, last, terms[k]);
            for (size_t r = 0; r < s.threads.len; r++) {
                uint32_t *read = &s.last.at[s.threads.at[r]];
                if (s.threads.at[r] != e->tid.v)
                    rcp_vec_push(&f->foreign, ((rcp_foreign){i, *read - 1, k == 2}));
                *read = 0;
            }
        }
    }
    rcp_vec_finish(&s.todo);
    rcp_vec_finish(&s.last);
    rcp_vec_finish(&s.threads);
    rcp_release(of);
    rcp_release(last);
}

rcp_code rcp_run_facts_init(rcp_run_facts *f, const rcp_trace *trace) {
    *f = (rcp_run_facts){.trace = trace, .all_valued = true};
    rcp_tally_count(RCP_TALLY_RUN_FACTS);
    size_t objects = trace->defs.objects.len;
    rcp_map_init(&f->section_at);
    rcp_map_init(&f->partner);
    rcp_map_init(&f->word_at);
    rcp_ranges_init(&f->first_ends);
    rcp_map_init(&f->life_ends_at);
    RCP_TRY(rcp_observed_init(&f->observed, trace));
    f->init = rcp_alloc((objects + 1) * sizeof *f->init);
    f->destroy = rcp_alloc((objects + 1) * sizeof *f->destroy);
    memset(f->init, 0xff, (objects + 1) * sizeof *f->init);
    memset(f->destroy, 0xff, (objects + 1) * sizeof *f->destroy);
    lists_begin(&f->named, objects);
    lists_begin(&f->writers, number_words(f));
    lists_begin(&f->opaques, trace->defs.reaches.len);
    for (int fill = 0; fill < 2; fill++) {
        name_objects(f, fill);
        find_writers(f, fill);
        find_opaques(f, fill);
        if (!fill) {
            lists_allot(&f->named);
            lists_allot(&f->writers);
            lists_allot(&f->opaques);
        }
    }
    keep_balance(f);
    find_sections(f);
    find_partners(f);
    find_life_ends(f);
    find_foreign(f);
    for (uint32_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = rcp_run_facts_event(f, i);
        if ((rcp_event_is_access(e) || e->kind == RCP_BRANCH) && !e->valued)
            f->all_valued = false;
    }
    rcp_run_facts_find_unknown(f);
    return RCP_OK;
}

void rcp_run_facts_finish(rcp_run_facts *f) {
    rcp_observed_finish(&f->observed);
    rcp_vec_finish(&f->sections);
    rcp_release(f->first_section);
    rcp_map_finish(&f->section_at);
    lists_finish(&f->named);
    rcp_release(f->balance);
    rcp_map_finish(&f->partner);
    rcp_release(f->init);
    rcp_release(f->destroy);
    rcp_map_finish(&f->word_at);
    lists_finish(&f->writers);
    lists_finish(&f->opaques);
    rcp_ranges_finish(&f->first_ends);
    rcp_map_finish(&f->life_ends_at);
    rcp_vec_finish(&f->life_lists);
    rcp_vec_finish(&f->life_ends);
    rcp_vec_finish(&f->foreign);
    rcp_term_facts_finish(&f->terms);
    rcp_release(f->first_deviation);
    rcp_release(f->unknown);
}
