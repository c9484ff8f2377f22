/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/lower.h"

#include "base/hash.h"
#include "base/ranges.h"
#include "trace/text/importer.h"
#include "trace/text/names.h"
#include "trace/model/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variable of the result: some bytes in one life, or the state of a synchronisation object. */
typedef struct piece {
    uint64_t lo, life; /* life: 1 + the event that began it, 0 = the trace's beginning */
    const char *name;
    const char *lock; /* for atomic accesses; NULL until one needs it */
} piece;

/* A part of the access that is being lowered. */
typedef struct touched {
    uint32_t piece;
    uint64_t offset, size;
} touched;

typedef struct state {
    const char *lock, *variable; /* of an object; NULL until needed */
    uint64_t count;              /* what the variable holds */
    bool simple;                 /* a lock whose acquires and releases go through as they are */
    bool watched;                /* a thread whose end somebody looked for and did not find */
} state;

typedef struct lowering {
    const rcp_trace *trace;
    rcp_lower_options options;
    rcp_lower_sink *sink;
    void *context;
    rcp_lowering *notes;
    rcp_names threads, locks, variables; /* the names taken */
    const char **thread_names;
    state *objects, *ends; /* by object; by thread, for its end */
    state opaque;
    bool has_opaque;
    uint32_t *depth;        /* per thread: barrier pairs that it is inside of */
    RCP_VEC(uint64_t) cuts; /* sorted: where pieces begin and end */
    RCP_VEC(piece) pieces;
    RCP_VEC(touched) touched;
    rcp_map by_place; /* (lo, life) -> its piece */
    rcp_ranges lives;
    rcp_ranges reached; /* by opaque calls */
    rcp_places places;
    const rcp_event *event; /* the one that is being lowered */
} lowering;

static bool can_stand(const char *name, const char *bad) {
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f || strchr(bad, *c))
            return false;
    return *name != 0;
}

/* The wanted name, or the other one, or that with primes: whatever is free. */
static const char *pick(rcp_names *taken, const char *bad, const char *wanted, const char *other) {
    if (!can_stand(wanted, bad) || !rcp_names_add(taken, wanted, strlen(wanted), 0)) {
        rcp_text made = {0};
        rcp_text_puts(&made, other);
        while (!rcp_names_add(taken, made.at, made.len, 0))
            rcp_text_puts(&made, "'");
        rcp_text_finish(&made);
    }
    return taken->entries.at[taken->entries.len - 1].at;
}

static int by_address(const void *left, const void *right) {
    uint64_t x = *(const uint64_t *)left, y = *(const uint64_t *)right;
    return x < y ? -1 : x > y;
}

static void collect_cuts(lowering *low) {
    const rcp_trace *trace = low->trace;
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        uint64_t extent = rcp_event_extent(e);
        if (extent) {
            rcp_vec_push(&low->cuts, e->addr);
            rcp_vec_push(&low->cuts, e->addr + extent);
        }
    }
    if (!low->cuts.len)
        return;
    qsort(low->cuts.at, low->cuts.len, sizeof *low->cuts.at, by_address);
    size_t kept = 1;
    for (size_t i = 1; i < low->cuts.len; i++)
        if (low->cuts.at[i] != low->cuts.at[kept - 1])
            low->cuts.at[kept++] = low->cuts.at[i];
    low->cuts.len = kept;
}

static size_t cut_at(const lowering *low, uint64_t addr) {
    size_t a = 0, b = low->cuts.len;
    while (a < b) {
        size_t middle = (a + b) / 2;
        if (low->cuts.at[middle] < addr)
            a = middle + 1;
        else
            b = middle;
    }
    return a;
}

static const char *piece_name(lowering *low, uint64_t lo, uint64_t size, uint64_t life) {
    const rcp_defs *defs = &low->trace->defs;
    uint32_t v = rcp_places_find(&low->places, defs, lo, size);
    rcp_text wanted = {0}, other = {0};
    if (v != RCP_NO_VARIABLE) {
        const rcp_variable *variable = &defs->variables.at[v];
        rcp_text_puts(&wanted, rcp_defs_borrow_string(defs, variable->name));
        if (wanted.len && (lo != variable->addr || size != variable->size))
            rcp_text_printf(&wanted, "+%" PRIu64 ":%" PRIu64, lo - variable->addr, size);
    }
    rcp_text_printf(&other, "0x%" PRIx64 ":%" PRIu64, lo, size);
    if (life) {
        if (wanted.len)
            rcp_text_printf(&wanted, "@%" PRIu64, life - 1);
        rcp_text_printf(&other, "@%" PRIu64, life - 1);
    }
    const char *name = pick(&low->variables, low->options.bad, wanted.len ? wanted.at : other.at, other.at);
    rcp_text_finish(&wanted);
    rcp_text_finish(&other);
    return name;
}

static uint32_t piece_of(lowering *low, uint64_t lo, uint64_t size) {
    uint32_t begun = rcp_ranges_get(&low->lives, lo);
    uint64_t life = begun == RCP_RANGES_NONE ? 0 : (uint64_t)begun + 1;
    for (uint64_t key = rcp_hash_join(lo, life);; key++) {
        uint32_t *i = rcp_map_at(&low->by_place, key);
        if (*i == RCP_MAP_NONE) {
            *i = (uint32_t)low->pieces.len;
            rcp_vec_push(&low->pieces, ((piece){.lo = lo, .life = life, .name = piece_name(low, lo, size, life)}));
            return (uint32_t)low->pieces.len - 1;
        }
        const piece *known = &low->pieces.at[*i];
        if (known->lo == lo && known->life == life)
            return *i;
    }
}

static void emit(lowering *low, rcp_lowered_op op, const char *name, uint64_t value) {
    rcp_lowered out = {
        .op = op, .thread = low->thread_names[low->event->tid.v], .name = name, .value = value, .loc = low->event->loc};
    low->sink(low->context, &out);
}

/* One step on an object that the format does not know: ordered with all others on it. */
static void step(lowering *low, state *object, const char *name, const char *other) {
    if (!object->variable)
        object->variable = pick(&low->variables, low->options.bad, name, other);
    if (!object->lock)
        object->lock = pick(&low->locks, low->options.bad, name, other);
    emit(low, RCP_LOWERED_ACQUIRE, object->lock, 0);
    emit(low, RCP_LOWERED_READ, object->variable, object->count);
    emit(low, RCP_LOWERED_WRITE, object->variable, ++object->count);
    emit(low, RCP_LOWERED_RELEASE, object->lock, 0);
}

static void object_step(lowering *low, rcp_obj id) {
    state *object = &low->objects[id.v];
    char other[32];
    snprintf(other, sizeof other, "o%u", id.v);
    if (object->simple) {
        emit(low, RCP_LOWERED_ACQUIRE, object->lock, 0);
        emit(low, RCP_LOWERED_RELEASE, object->lock, 0);
    } else {
        step(low, object, rcp_defs_borrow_string(&low->trace->defs, low->trace->defs.objects.at[id.v].name), other);
    }
}

/* An acquire or release; true where it is one in the format too. */
static bool lock_step(lowering *low, rcp_lowered_op op, rcp_obj id) {
    const state *object = &low->objects[id.v];
    if (object->simple)
        emit(low, op, object->lock, 0);
    else
        object_step(low, id);
    return object->simple;
}

static void end_step(lowering *low, rcp_tid tid) {
    rcp_text name = {0};
    rcp_text_printf(&name, "%s.end", low->thread_names[tid.v]);
    for (char *c = name.at; *c; c++) /* the names of threads may hold what others may not */
        if (strchr(low->options.bad, *c))
            *c = '_';
    step(low, &low->ends[tid.v], name.at, name.at);
    rcp_text_finish(&name);
}

static uint64_t part(const uint8_t *bytes, uint64_t offset, uint64_t size) {
    uint64_t word = 0;
    memcpy(&word, bytes + offset, size < 8 ? size : 8);
    return word;
}

/* One opaque event: ordered with all others. */
static void opaque_step(lowering *low) {
    step(low, &low->opaque, "opaque", "opaque");
    low->notes->ordered[low->event->kind]++;
}

/* Can opaque code see or change what this access touches? Then it may wait for it. */
static bool is_reached(const lowering *low, const rcp_event *e) {
    rcp_range range;
    return rcp_ranges_next(&low->reached, e->addr, &range) && range.lo < e->addr + e->size;
}

static void collect_touched(lowering *low, const rcp_event *e) {
    uint64_t most = low->options.most_bytes, end = e->addr + e->size;
    size_t cut = cut_at(low, e->addr);
    low->touched.len = 0;
    for (uint64_t lo = e->addr; lo < end;) {
        uint64_t size = low->cuts.at[cut + 1] - lo;
        if (most && size > most)
            size = most;
        else
            cut++;
        touched t = {.piece = piece_of(low, lo, size), .offset = lo - e->addr, .size = size};
        rcp_vec_push(&low->touched, t);
        lo += size;
    }
}

static rcp_code access_memory(lowering *low, const rcp_event *e, size_t number) {
    if (low->options.need_values && !e->valued)
        return rcp_fail(RCP_BAD_INPUT, "event %zu has no value, and this form needs one at every access: export as std",
                        number);
    bool atomic = rcp_event_is_atomic(e), reached = is_reached(low, e) || low->depth[e->tid.v];
    collect_touched(low, e);
    if (reached) /* opaque code before it comes before it */
        step(low, &low->opaque, "opaque", "opaque");
    /* an atomic access is one step: all its locks are held together, taken in the order of addresses */
    for (size_t i = 0; atomic && i < low->touched.len; i++) {
        piece *place = &low->pieces.at[low->touched.at[i].piece];
        if (!place->lock)
            place->lock = pick(&low->locks, low->options.bad, place->name, place->name);
        emit(low, RCP_LOWERED_ACQUIRE, place->lock, 0);
    }
    for (size_t i = 0; rcp_event_reads(e) && i < low->touched.len; i++) {
        touched t = low->touched.at[i];
        emit(low, RCP_LOWERED_READ, low->pieces.at[t.piece].name,
             e->valued ? part(rcp_event_bytes(e), t.offset, t.size) : 0);
    }
    for (size_t i = 0; rcp_event_writes(e) && i < low->touched.len; i++) {
        touched t = low->touched.at[i];
        emit(low, RCP_LOWERED_WRITE, low->pieces.at[t.piece].name,
             e->valued ? part(rcp_event_written(e), t.offset, t.size) : 0);
    }
    for (size_t i = low->touched.len; atomic && i-- > 0;)
        emit(low, RCP_LOWERED_RELEASE, low->pieces.at[low->touched.at[i].piece].lock, 0);
    if (reached) /* and it comes before opaque code after it */
        opaque_step(low);
    low->notes->split += low->touched.len > 1;
    low->notes->values += e->valued && !low->options.need_values;
    low->notes->ordered[e->kind] += atomic && !reached;
    return RCP_OK;
}

/* Can opaque code reach the object itself? */
static bool is_object_reached(const lowering *low, rcp_obj object) {
    uint64_t addr = low->trace->defs.objects.at[object.v].addr;
    return addr && rcp_ranges_get(&low->reached, addr) != RCP_RANGES_NONE;
}

/* Is the order of this event and opaque code to be kept (P1 of docs/semantics.md)? Accesses see to it themselves, and
 * what is left out has no order. */
static bool keeps_in_line(const lowering *low, const rcp_event *e) {
    switch ((rcp_kind)e->kind) {
    case RCP_END: return low->has_opaque;
    case RCP_BEGIN:
    case RCP_FORK:
    case RCP_JOIN: return low->depth[e->tid.v] > 0;
    default:
        return rcp_event_traits(e->kind)->uses & RCP_USES_OBJECT &&
               (low->depth[e->tid.v] > 0 || is_object_reached(low, e->object));
    }
}

static rcp_code lower_one(lowering *low, const rcp_event *e, size_t number) {
    rcp_lowering *notes = low->notes;
    if (e->value_term.v || e->addr_term.v || (e->cond.v && e->kind != RCP_BRANCH))
        notes->terms++;
    switch ((rcp_kind)e->kind) {
    case RCP_BEGIN: emit(low, RCP_LOWERED_BEGIN, NULL, 0); break;
    case RCP_END:
        if (low->ends[e->tid.v].watched)
            end_step(low, e->tid);
        emit(low, RCP_LOWERED_END, NULL, 0);
        break;
    case RCP_FORK: emit(low, RCP_LOWERED_FORK, low->thread_names[e->child.v], 0); break;
    case RCP_JOIN:
        if (e->outcome == RCP_DONE) {
            emit(low, RCP_LOWERED_JOIN, low->thread_names[e->child.v], 0);
        } else {
            end_step(low, e->child);
            notes->ordered[RCP_JOIN]++;
        }
        break;
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: return access_memory(low, e, number);
    case RCP_ACQUIRE: notes->ordered[e->kind] += !lock_step(low, RCP_LOWERED_ACQUIRE, e->object); break;
    case RCP_RELEASE: notes->ordered[e->kind] += !lock_step(low, RCP_LOWERED_RELEASE, e->object); break;
    case RCP_WAIT:
        object_step(low, e->object);
        lock_step(low, RCP_LOWERED_RELEASE, e->lock);
        notes->ordered[e->kind]++;
        break;
    case RCP_WAKE:
        lock_step(low, RCP_LOWERED_ACQUIRE, e->lock);
        object_step(low, e->object);
        notes->ordered[e->kind]++;
        break;
    case RCP_SIGNAL:
    case RCP_BROADCAST:
    case RCP_SEM_POST:
    case RCP_SEM_WAIT:
    case RCP_BARRIER_ENTER:
    case RCP_BARRIER_LEAVE:
    case RCP_ONCE_BEGIN:
    case RCP_ONCE_END:
    case RCP_ONCE_SKIP:
    case RCP_INIT:
    case RCP_DESTROY:
        object_step(low, e->object);
        notes->ordered[e->kind]++;
        break;
    case RCP_OPAQUE_BEGIN:
        opaque_step(low);
        low->depth[e->tid.v]++;
        break;
    case RCP_OPAQUE_END:
        opaque_step(low);
        low->depth[e->tid.v] -= low->depth[e->tid.v] > 0;
        break;
    case RCP_ALLOC:
    case RCP_FREE:
        if (rcp_event_extent(e))
            rcp_ranges_set(&low->lives, e->addr, e->addr + rcp_event_extent(e), (uint32_t)number);
        notes->left_out[e->kind]++;
        break;
    case RCP_FENCE:
    case RCP_BRANCH:
    case RCP_EXIT:
    case RCP_KINDS: notes->left_out[e->kind]++; break;
    }
    return RCP_OK;
}

static rcp_code lower_event(lowering *low, const rcp_event *e, size_t number) {
    bool in_line = keeps_in_line(low, e);
    low->event = e;
    if (in_line)
        step(low, &low->opaque, "opaque", "opaque");
    RCP_TRY(lower_one(low, e, number));
    if (in_line &&
        e->kind != RCP_END) /* nothing of a thread comes after its end: the step before it serves both ways */
        step(low, &low->opaque, "opaque", "opaque");
    return RCP_OK;
}

static void collect_reached(lowering *low) {
    const rcp_trace *trace = low->trace;
    uint8_t *seen = rcp_alloc_zero(trace->defs.reaches.len, 1);
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        low->has_opaque |= rcp_event_is_opaque(e);
        if (!rcp_event_is_opaque(e) || seen[e->reach.v])
            continue;
        seen[e->reach.v] = 1;
        const rcp_reach_def *reach = &trace->defs.reaches.at[e->reach.v];
        for (size_t k = 0; k < reach->n; k++)
            rcp_ranges_set(&low->reached, reach->spans[k].lo, reach->spans[k].hi, 0);
    }
    rcp_release(seen);
    if (low->has_opaque && rcp_defs_simple_barriers(&trace->defs))
        rcp_ranges_set(&low->reached, 0, RCP_REACH_FOLLOWED, 0);
    static const char *const facts[] = {"seen", "guarded"}; /* touched whatever is open */
    rcp_span span;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        for (const char *at = NULL; rcp_defs_next_span(&trace->defs, facts[i], &at, &span);)
            rcp_ranges_set(&low->reached, span.lo, span.hi, 0);
}

static void name_everything(lowering *low) {
    const rcp_defs *defs = &low->trace->defs;
    char other[32];
    low->thread_names = rcp_alloc_zero(defs->threads.len + 1, sizeof *low->thread_names);
    bool *child = rcp_alloc_zero(defs->threads.len + 1, sizeof *child);
    for (size_t i = 0; i < low->trace->events.len; i++) {
        const rcp_event *e = &low->trace->events.at[i];
        if (rcp_event_traits(e->kind)->uses & RCP_USES_CHILD)
            child[e->child.v] = true;
    }
    for (size_t i = 0; i < defs->threads.len; i++) {
        const char *name = rcp_defs_borrow_string(defs, defs->threads.at[i].name);
        snprintf(other, sizeof other, "T%zu", i);
        const char *bad = child[i] ? low->options.bad : low->options.bad_in_thread;
        low->thread_names[i] = pick(&low->threads, bad, name, other);
    }
    rcp_release(child);
    low->ends = rcp_alloc_zero(defs->threads.len + 1, sizeof *low->ends);
    low->objects = rcp_alloc_zero(defs->objects.len + 1, sizeof *low->objects);
    for (size_t i = 0; i < defs->objects.len; i++)
        low->objects[i].simple = defs->objects.at[i].kind <= RCP_RWLOCK;
    for (size_t i = 0; i < low->trace->events.len; i++) {
        const rcp_event *e = &low->trace->events.at[i];
        bool locks = e->kind == RCP_ACQUIRE || e->kind == RCP_RELEASE;
        if (locks && (e->mode == RCP_SHARED || e->outcome != RCP_DONE))
            low->objects[e->object.v].simple = false;
        if (e->kind == RCP_JOIN && e->outcome != RCP_DONE)
            low->ends[e->child.v].watched = true;
    }
    for (size_t i = 0; i < defs->objects.len; i++)
        if (low->objects[i].simple) {
            snprintf(other, sizeof other, "o%zu", i);
            const char *name = rcp_defs_borrow_string(defs, defs->objects.at[i].name);
            low->objects[i].lock = pick(&low->locks, low->options.bad, name, other);
        }
}

rcp_code rcp_lower_trace(const rcp_trace *trace, rcp_lower_options options, rcp_lower_sink *sink, void *context,
                         rcp_lowering *notes) {
    lowering low = {.trace = trace, .options = options, .sink = sink, .context = context, .notes = notes};
    *notes = (rcp_lowering){.contents = options.need_values && trace->defs.images.len};
    if (trace->events.len >= UINT32_MAX)
        return rcp_fail(RCP_LIMIT, "a trace of %zu events is too long for this form", trace->events.len);
    rcp_names_init(&low.threads);
    rcp_names_init(&low.locks);
    rcp_names_init(&low.variables);
    rcp_map_init(&low.by_place);
    rcp_ranges_init(&low.lives);
    rcp_ranges_init(&low.reached);
    rcp_places_init(&low.places);
    rcp_places_refresh(&low.places, &trace->defs);
    name_everything(&low);
    collect_cuts(&low);
    collect_reached(&low);
    low.depth = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *low.depth);
    rcp_code code = RCP_OK;
    bool numbers = rcp_defs_are_imported(&trace->defs); /* its locations are numbers already */
    for (size_t i = 0; i < trace->events.len && code == RCP_OK; i++) {
        notes->locations += trace->events.at[i].loc.v && !numbers;
        code = lower_event(&low, &trace->events.at[i], i);
    }
    rcp_names_finish(&low.threads);
    rcp_names_finish(&low.locks);
    rcp_names_finish(&low.variables);
    rcp_map_finish(&low.by_place);
    rcp_ranges_finish(&low.lives);
    rcp_ranges_finish(&low.reached);
    rcp_places_finish(&low.places);
    rcp_release(low.depth);
    rcp_vec_finish(&low.cuts);
    rcp_vec_finish(&low.pieces);
    rcp_vec_finish(&low.touched);
    rcp_release(low.thread_names);
    rcp_release(low.objects);
    rcp_release(low.ends);
    return code;
}

void rcp_lowering_print(rcp_text *out, const rcp_lowering *notes) {
    for (int kind = 0; kind < RCP_KINDS; kind++)
        if (notes->ordered[kind])
            rcp_text_printf(out, "%" PRIu64 " '%s' kept only in their order, as steps on a lock of their own\n",
                            notes->ordered[kind], rcp_event_traits((rcp_kind)kind)->name);
    for (int kind = 0; kind < RCP_KINDS; kind++)
        if (notes->left_out[kind])
            rcp_text_printf(out, "%" PRIu64 " '%s' left out\n", notes->left_out[kind],
                            rcp_event_traits((rcp_kind)kind)->name);
    if (notes->split)
        rcp_text_printf(out, "%" PRIu64 " accesses became several, because others touch a part of their bytes\n",
                        notes->split);
    if (notes->values)
        rcp_text_printf(out, "%" PRIu64 " accesses without their values\n", notes->values);
    if (notes->terms)
        rcp_text_printf(out, "%" PRIu64 " events without their terms\n", notes->terms);
    if (notes->locations)
        rcp_text_printf(out, "%" PRIu64 " events without the file and line of their location\n", notes->locations);
    if (notes->contents)
        rcp_text_puts(out, "what memory held before the first event left out\n");
}
