/* SPDX-License-Identifier: Apache-2.0 */
#include "report/handed.h"

#include "base/map.h"
#include "report/stored.h"
#include "trace/model/own_place.h"

#include <string.h>

/* What is given stays there until somebody takes it: the first one's word is as good as a later one's. */
typedef struct following {
    const rcp_defs *defs;
    RCP_VEC(rcp_handing) handings;
    RCP_VEC(rcp_hand) given;
    rcp_map at;          /* what it is given by → `given` */
    uint32_t *had_by;    /* per thread: as `before` */
    bool *has_word;      /* per thread */
    uint64_t second;     /* the event that word may come to */
    uint32_t its_thread; /* likewise */
    bool is_over;        /* word came, or the event did without it */
} following;

/* Apart from each other: objects, locks that readers gave up, threads that begin, threads that ended, what calls
 * outside know, memory. */
enum { OBJECT, READERS, BEGINNING, ENDED, OUTSIDE, MEMORY };

static uint64_t key_of(int what, uint64_t which) { return (uint64_t)what << 60 ^ which; }

static rcp_hand hand_of(const following *f, const rcp_event *e, uint64_t eid) {
    return (rcp_hand){
        .tid = e->tid, .eid = {eid}, .loc = rcp_own_place(f->defs, e), .kind = e->kind, .before = f->had_by[e->tid.v]};
}

static void give(following *f, const rcp_event *e, uint64_t eid, int what, uint64_t which) {
    uint32_t *at = rcp_map_at(&f->at, key_of(what, which));
    if (!f->has_word[e->tid.v] || *at != RCP_MAP_NONE)
        return;
    *at = (uint32_t)f->given.len;
    rcp_vec_push(&f->given, hand_of(f, e, eid));
}

static void take(following *f, const rcp_event *e, uint64_t eid, int what, uint64_t which) {
    const uint32_t at = rcp_map_get(&f->at, key_of(what, which));
    if (f->has_word[e->tid.v] || at == RCP_MAP_NONE)
        return;
    rcp_handing is = {.from = f->given.at[at], .to = hand_of(f, e, eid)};
    if (what == OBJECT || what == READERS)
        is.object.v = (uint32_t)which;
    if (what == MEMORY)
        is.addr = which;
    rcp_vec_push(&f->handings, is);
    f->has_word[e->tid.v] = true;
    f->had_by[e->tid.v] = (uint32_t)f->handings.len;
}

static void follow(following *f, const rcp_event *e, uint64_t eid) {
    switch ((rcp_kind)e->kind) {
    case RCP_BEGIN: take(f, e, eid, BEGINNING, e->tid.v); break;
    case RCP_END: give(f, e, eid, ENDED, e->tid.v); break;
    case RCP_FORK: give(f, e, eid, BEGINNING, e->child.v); break;
    case RCP_JOIN:
        if (e->outcome == RCP_DONE)
            take(f, e, eid, ENDED, e->child.v);
        break;
    case RCP_ACQUIRE:
        if (e->outcome == RCP_DONE)
            take(f, e, eid, OBJECT, e->object.v);
        if (e->outcome == RCP_DONE && e->mode == RCP_EXCLUSIVE) /* readers wait for writers alone */
            take(f, e, eid, READERS, e->object.v);
        break;
    case RCP_SEM_WAIT:
        if (e->outcome == RCP_DONE)
            take(f, e, eid, OBJECT, e->object.v);
        break;
    case RCP_WAKE:
        take(f, e, eid, OBJECT, e->object.v);
        take(f, e, eid, OBJECT, e->lock.v);
        break;
    case RCP_WAIT: give(f, e, eid, OBJECT, e->lock.v); break;
    case RCP_BARRIER_LEAVE:
    case RCP_ONCE_SKIP: take(f, e, eid, OBJECT, e->object.v); break;
    case RCP_RELEASE: give(f, e, eid, e->mode == RCP_SHARED ? READERS : OBJECT, e->object.v); break;
    case RCP_SIGNAL:
    case RCP_BROADCAST:
    case RCP_SEM_POST:
    case RCP_BARRIER_ENTER:
    case RCP_ONCE_END: give(f, e, eid, OBJECT, e->object.v); break;
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW:
        if (rcp_event_is_atomic(e) && e->kind != RCP_WRITE)
            take(f, e, eid, MEMORY, e->addr);
        if (rcp_event_is_atomic(e) && e->kind != RCP_READ)
            give(f, e, eid, MEMORY, e->addr);
        break;
    case RCP_OPAQUE_BEGIN: take(f, e, eid, OUTSIDE, 0); break;
    case RCP_OPAQUE_END: give(f, e, eid, OUTSIDE, 0); break;
    default: break;
    }
}

static rcp_code read_between(following *f, rcp_reader *reader, uint64_t first) {
    rcp_batch batch;
    RCP_TRY(rcp_reader_seek(reader, (rcp_eid){first}));
    while (!rcp_stored_is_enough(reader)) {
        RCP_TRY(rcp_reader_next(reader, &batch));
        for (size_t i = 0; i < batch.n; i++) {
            const uint64_t eid = batch.first.v + i;
            f->is_over = eid >= f->second || f->has_word[f->its_thread];
            if (f->is_over)
                return RCP_OK;
            if (eid > first)
                follow(f, &batch.at[i], eid);
        }
        if (!batch.n)
            return RCP_OK;
    }
    return RCP_OK;
}

bool rcp_handed_find(const rcp_finding *finding, rcp_handings *to) {
    if (finding->race->models & RCP_MODEL_BIT(RCP_MODEL_HB)) /* which has looked: code outside is no order there */
        return true;
    const rcp_eid *event = finding->race->event;
    const int second = event[1].v > event[0].v;
    const uint32_t first_tid = finding->access[!second].tid.v;
    const size_t threads = finding->defs->threads.len + 1;
    following f = {.defs = finding->defs,
                   .had_by = rcp_alloc_zero(threads, sizeof *f.had_by),
                   .has_word = rcp_alloc_zero(threads, sizeof *f.has_word),
                   .second = event[second].v,
                   .its_thread = finding->access[second].tid.v};
    rcp_map_init(&f.at);
    f.has_word[first_tid] = true;
    if (read_between(&f, finding->reader, event[!second].v) != RCP_OK)
        rcp_clear_causes();
    const size_t from = to->len;
    for (uint32_t at = f.had_by[f.its_thread]; at; at = f.handings.at[at - 1].from.before)
        rcp_vec_push(to, f.handings.at[at - 1]);
    for (size_t i = from, k = to->len; i + 1 < k; i++) { /* the last one was found first */
        const rcp_handing last = to->at[--k];
        to->at[k] = to->at[i];
        to->at[i] = last;
    }
    rcp_map_finish(&f.at);
    rcp_vec_finish(&f.handings);
    rcp_vec_finish(&f.given);
    rcp_release(f.had_by);
    rcp_release(f.has_word);
    return f.is_over;
}

/* --- in words --- */

static void put_place(rcp_text *to, const rcp_defs *defs, rcp_loc loc) {
    if (!loc.v)
        return;
    rcp_text_puts(to, " at ");
    rcp_finding_location(to, defs, loc);
}

static void put_object(rcp_text *to, const rcp_finding *finding, const rcp_handing *is) {
    const rcp_defs *defs = finding->defs;
    if (is->addr) {
        rcp_text name = {0};
        rcp_defs_name_access(defs, rcp_defs_find_variable(defs, is->addr), is->addr, "", &name);
        if (name.len)
            rcp_text_printf(to, "`%s`", name.at);
        else
            rcp_text_printf(to, "0x%llx", (unsigned long long)is->addr);
        rcp_text_finish(&name);
        return;
    }
    const rcp_object *object = &defs->objects.at[is->object.v];
    if (*rcp_defs_borrow_string(defs, object->name))
        rcp_finding_object(to, defs, is->object);
    else
        rcp_text_printf(to, "the %s at 0x%llx", rcp_finding_kind((rcp_object_kind)object->kind),
                        (unsigned long long)object->addr);
}

/* What the one does who gives, what the other one does who takes; "%o": the object. */
typedef struct words {
    uint8_t kind;
    const char *did, *does;
} words;

static const words giving[] = {
    {RCP_RELEASE, "gave up ", ""},         {RCP_WAIT, "gave up ", ""},    {RCP_SIGNAL, "signalled ", ""},
    {RCP_BROADCAST, "signalled ", ""},     {RCP_SEM_POST, "posted ", ""}, {RCP_BARRIER_ENTER, "came to ", ""},
    {RCP_ONCE_END, "had done ", ""},       {RCP_WRITE, "stored to ", ""}, {RCP_RMW, "updated ", ""},
    {RCP_FORK, "created the other", NULL}, {RCP_END, "ended", NULL},      {RCP_OPAQUE_END, "called code outside", NULL},
};
static const words taking[] = {
    {RCP_ACQUIRE, "took it", "takes it"},
    {RCP_WAKE, "was woken", "is woken"},
    {RCP_SEM_WAIT, "got it", "gets it"},
    {RCP_BARRIER_LEAVE, "left it", "leaves it"},
    {RCP_ONCE_SKIP, "found it done", "finds it done"},
    {RCP_READ, "read it", "reads it"},
    {RCP_RMW, "updated it", "updates it"},
    {RCP_BEGIN, "began", "begins"},
    {RCP_JOIN, "joined it", "joins it"},
    {RCP_OPAQUE_BEGIN, "called code outside, too", "calls code outside"},
};

static const words *words_of(const words *all, size_t n, uint8_t kind) {
    for (size_t i = 0; i < n; i++)
        if (all[i].kind == kind)
            return &all[i];
    return &all[n - 1];
}
#define WORDS_OF(all, kind) words_of(all, sizeof(all) / sizeof *(all), kind)

static void put_handing(rcp_text *to, const rcp_finding *finding, const rcp_handing *is) {
    const words *gave = WORDS_OF(giving, is->from.kind), *took = WORDS_OF(taking, is->to.kind);
    rcp_finding_thread(to, finding->defs, is->from.tid);
    rcp_text_printf(to, " %s", gave->did);
    if (gave->does)
        put_object(to, finding, is);
    put_place(to, finding->defs, is->from.loc);
    rcp_text_puts(to, ", and ");
    rcp_finding_thread(to, finding->defs, is->to.tid);
    rcp_text_printf(to, " %s", took->did);
    if (is->to.kind != RCP_BEGIN)
        put_place(to, finding->defs, is->to.loc);
}

void rcp_handed_print(rcp_text *to, const rcp_finding *finding, const rcp_handings *handings) {
    enum { SHOWN = 3 };
    for (size_t i = 0; i < handings->len; i++) {
        if (handings->len > SHOWN && i == SHOWN - 1) {
            rcp_text_printf(to, "; … (%zu more)", handings->len - SHOWN);
            i = handings->len - 1;
        }
        rcp_text_puts(to, i ? "; " : "");
        put_handing(to, finding, &handings->at[i]);
    }
}

static bool is_executed(const rcp_finding *finding, const rcp_hand *hand) {
    const rcp_witness *witness = &finding->race->witness;
    bool is = hand->eid.v < witness->recorded;
    for (size_t i = 0; i < witness->steps.len && !is; i++)
        is = finding->schedule[i].tid.v == hand->tid.v && finding->schedule[i].eid.v >= hand->eid.v;
    return is;
}

void rcp_handed_print_turned(rcp_text *to, const rcp_finding *finding, const rcp_handings *handings) {
    for (size_t i = handings->len; i-- > 0;) {
        const rcp_handing *is = &handings->at[i];
        if (!is_executed(finding, &is->to) || is_executed(finding, &is->from) || is->to.kind == RCP_OPAQUE_BEGIN)
            continue;
        rcp_finding_thread(to, finding->defs, is->to.tid);
        rcp_text_printf(to, " %s first", WORDS_OF(taking, is->to.kind)->does);
        return;
    }
}

const rcp_handing *rcp_handed_find_many(const rcp_finding *finding, const rcp_handings *handings) {
    for (size_t i = 0; i < handings->len; i++) {
        const rcp_handing *is = &handings->at[i];
        const bool is_post = !is->addr && is->from.kind == RCP_SEM_POST; /* else there may be no object at all */
        const rcp_object *object = is_post ? &finding->defs->objects.at[is->object.v] : NULL;
        if (object && object->kind == RCP_SEM && object->initial >= 2)
            return is;
    }
    return NULL;
}

void rcp_handed_print_many(rcp_text *to, const rcp_finding *finding, const rcp_handings *handings) {
    const rcp_handing *is = rcp_handed_find_many(finding, handings);
    if (!is)
        return;
    rcp_text_puts(to, " But ");
    rcp_finding_object(to, finding->defs, is->object);
    rcp_text_printf(to, " begins with %llu: that many threads are let in at a time.",
                    (unsigned long long)finding->defs->objects.at[is->object.v].initial);
}
