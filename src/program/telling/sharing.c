/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/sharing_state.h"

#include "base/hash.h"
#include "base/limits.h"
#include "program/reach/lives.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULE = RCP_SPACE_GRANULE };
#define MANY UINT32_MAX

/* A thread as marks have it. */
static uint32_t number_of(uint32_t thread) {
    return thread < RCP_TOUCHED_BY_MANY - 1 ? thread + 1 : RCP_TOUCHED_BY_MANY;
}

/* Calls that nobody knows touch megabytes, again and again: the page is looked up once, and marks that stay are passed
 * over. */
void rcp_sharing_touch_slow(rcp_space *space, uint32_t thread, uint64_t address, uint64_t size, bool writes) {
    if (!size || !rcp_space_holds(address, size))
        return;
    uint64_t end = address + size;
    const uint32_t all = 255u << RCP_TOUCH_BYTES, self = number_of(thread);
    const uint32_t stays = self << RCP_TOUCH_SHIFT | 255u << RCP_TOUCH_WROTE | all | RCP_TOUCH_WRITTEN;
    for (uint64_t a = address & ~(uint64_t)(GRANULE - 1); a < end;) {
        uint64_t next = (a | (RCP_SPACE_PAGE - 1)) + 1;
        next = next < end ? next : end;
        uint8_t *at = rcp_space_at(space, a, 1);
        uint32_t *mark = rcp_space_mark(at ? at : rcp_space_make(space, a), a);
        for (; a < next; a += GRANULE, mark++) {
            if (*mark == stays)
                continue;
            uint32_t bytes = all;
            if (a < address)
                bytes &= all << (address - a);
            if (end - a < GRANULE)
                bytes &= all >> (GRANULE - (end - a));
            bytes |= writes ? bytes << (RCP_TOUCH_WROTE - RCP_TOUCH_BYTES) : 0;
            bytes |= *mark & (255u << RCP_TOUCH_WROTE | all);
            if (*mark & RCP_TOUCH_SHARED) {
                *mark |= bytes;
                continue;
            }
            uint32_t who = *mark >> RCP_TOUCH_SHIFT, written = (*mark & RCP_TOUCH_WRITTEN) | writes;
            who = !who || who == self ? self : RCP_TOUCHED_BY_MANY;
            *mark = who << RCP_TOUCH_SHIFT | bytes | written |
                    (who == RCP_TOUCHED_BY_MANY && written ? (uint32_t)RCP_TOUCH_SHARED : 0u);
        }
    }
}

void rcp_sharing_touch_moved(rcp_space *space, uint64_t to, uint64_t from, uint64_t size) {
    if ((to | from) % GRANULE || !rcp_space_holds(to, size) || !rcp_space_holds(from, size))
        return; /* as written as it says */
    for (uint64_t done = 0; done < size; done += GRANULE) {
        uint8_t *is = rcp_space_at(space, to + done, 1), *was = rcp_space_at(space, from + done, 1);
        uint32_t wrote = was ? *rcp_space_mark(was, from + done) >> RCP_TOUCH_WROTE & 255u : 0;
        if (size - done < GRANULE)
            wrote |= 255u << (size - done) & 255u;
        if (is)
            *rcp_space_mark(is, to + done) &= ~((~wrote & 255u) << RCP_TOUCH_WROTE);
    }
}

rcp_sharing *rcp_sharing_create(void) {
    rcp_sharing *sharing = rcp_alloc_zero(1, sizeof *sharing);
    rcp_ranges_init(&sharing->unsure);
    rcp_ranges_init(&sharing->known);
    rcp_ranges_init(&sharing->reached);
    rcp_ranges_init(&sharing->lasting);
    rcp_ranges_init(&sharing->variables);
    rcp_ranges_init(&sharing->own);
    rcp_ranges_init(&sharing->handled);
    rcp_ranges_init(&sharing->exposed);
    rcp_ranges_init(&sharing->natives);
    rcp_ranges_init(&sharing->slots);
    rcp_ranges_init(&sharing->aliases);
    rcp_ranges_init(&sharing->seen);
    rcp_ranges_init(&sharing->divided);
    rcp_ranges_init(&sharing->objects);
    rcp_ranges_init(&sharing->freed);
    rcp_ranges_init(&sharing->guarded);
    rcp_ranges_init(&sharing->errnos);
    rcp_ranges_init(&sharing->tables);
    rcp_ranges_init(&sharing->constants);
    rcp_map_init(&sharing->callees);
    rcp_map_init(&sharing->further_index);
    rcp_map_init(&sharing->result_index);
    rcp_descriptors_init(&sharing->descriptors);
    return sharing;
}

void rcp_sharing_destroy(rcp_sharing *sharing) {
    if (!sharing)
        return;
    rcp_ranges_finish(&sharing->unsure);
    rcp_ranges_finish(&sharing->known);
    rcp_ranges_finish(&sharing->reached);
    rcp_ranges_finish(&sharing->lasting);
    rcp_ranges_finish(&sharing->variables);
    rcp_ranges_finish(&sharing->own);
    rcp_ranges_finish(&sharing->handled);
    rcp_ranges_finish(&sharing->exposed);
    rcp_ranges_finish(&sharing->natives);
    rcp_ranges_finish(&sharing->slots);
    rcp_ranges_finish(&sharing->aliases);
    rcp_ranges_finish(&sharing->seen);
    rcp_ranges_finish(&sharing->divided);
    rcp_ranges_finish(&sharing->objects);
    rcp_ranges_finish(&sharing->freed);
    rcp_vec_finish(&sharing->object_uses);
    rcp_ranges_finish(&sharing->guarded);
    rcp_ranges_finish(&sharing->errnos);
    rcp_ranges_finish(&sharing->tables);
    rcp_ranges_finish(&sharing->constants);
    rcp_vec_finish(&sharing->contents);
    rcp_map_finish(&sharing->callees);
    rcp_map_finish(&sharing->further_index);
    rcp_map_finish(&sharing->result_index);
    rcp_descriptors_finish(&sharing->descriptors);
    rcp_vec_finish(&sharing->results);
    rcp_vec_finish(&sharing->further);
    rcp_vec_finish(&sharing->further_of);
    rcp_vec_finish(&sharing->runs);
    rcp_vec_finish(&sharing->bares);
    rcp_vec_finish(&sharing->spans);
    rcp_vec_finish(&sharing->oddities);
    rcp_vec_finish(&sharing->missed);
    rcp_vec_finish(&sharing->restless);
    rcp_release(sharing);
}

static void keep(rcp_sharing *sharing, uint32_t life, uint64_t lo, uint64_t hi) {
    rcp_shared_run *last = sharing->runs.len ? &sharing->runs.at[sharing->runs.len - 1] : NULL;
    if (last && last->life == life && last->span.hi == lo)
        last->span.hi = hi;
    else
        rcp_vec_push(&sharing->runs, ((rcp_shared_run){life, {lo, hi}}));
}

static bool has_any(const rcp_ranges *ranges, uint64_t lo, uint64_t hi) {
    rcp_range range;
    return rcp_ranges_next(ranges, lo, &range) && range.lo < hi;
}

/* What becomes of the marks of a stretch of one life. */
typedef struct sweep {
    rcp_sharing *sharing;
    uint32_t life;
    uint32_t freer;         /* who frees it, + 1; 0: nobody does */
    bool is_heap;           /* a block's or a mapping's, no thread's stack */
    const rcp_lives *lives; /* NULL: `is_heap` says it of the whole stretch */
    uint32_t become;        /* the marks afterwards */
} sweep;

/* Somebody else has called code that may reach everything: objects that one thread alone was seen to touch, too. (Of
 * what is on its stack only what others may have been told of.) */
static bool is_reached_by_others(const sweep *s, uint32_t mark, uint64_t address) {
    const rcp_sharing *sharing = s->sharing;
    uint64_t lo, hi;
    bool by_others = sharing->everything && sharing->everything != mark >> RCP_TOUCH_SHIFT;
    if (!mark || (!by_others && !sharing->tells_all))
        return false;
    if (rcp_ranges_get(&sharing->variables, address) != RCP_RANGES_NONE || rcp_sharing_is_exposed(sharing, address))
        return true;
    return s->lives ? rcp_lives_block_at(s->lives, address, &lo, &hi) : s->is_heap;
}

/* Recorded code has touched memory that is no object of its own: left out code has told it of that, whose stack it may
 * be, and has a way there that nobody sees. What is on the thread's own stack are arguments; or it is called back by
 * left out code that has told others of a variable there. Then that call is open, so what its thread does is between
 * the two ends of a pair, and through whatever memory the others were told they share that with its reach: the pairs
 * are ordered, and so is what is between (tests/programs/opaque/own_callback.c). */
static bool is_nobodys(const sweep *s, bool has_stacks, uint32_t mark, uint64_t address) {
    const rcp_sharing *sharing = s->sharing;
    uint32_t who = mark >> RCP_TOUCH_SHIFT;
    uint64_t lo, hi;
    if (!mark || (s->life && !has_stacks) || !((sharing->callers && sharing->callers != who) || sharing->tells_all))
        return false;
    uint32_t owner = rcp_ranges_get(&sharing->natives, address);
    if (owner != RCP_RANGES_NONE)
        return owner + 1 != who;
    const rcp_ranges *objects[] = {&sharing->variables, &sharing->own, &sharing->known, &sharing->tables,
                                   &sharing->constants};
    for (size_t i = 0; i < sizeof objects / sizeof *objects && !s->life; i++)
        if (has_any(objects[i], address, address + GRANULE))
            return false;
    return !s->life && !(s->lives && rcp_lives_block_at(s->lives, address, &lo, &hi));
}

/* Touched by another one than who had freed it, before it had marks? */
static bool is_freed_by_another(const rcp_sharing *sharing, uint32_t mark, uint64_t address) {
    uint32_t freer = sharing->freed.live ? rcp_ranges_get(&sharing->freed, address) : RCP_RANGES_NONE;
    return freer != RCP_RANGES_NONE && mark >> RCP_TOUCH_SHIFT != freer;
}

static bool is_argument(const rcp_sharing *sharing, uint64_t address) {
    return sharing->arguments.lo <= address && address < sharing->arguments.hi;
}

static void stretch(rcp_span *span, uint64_t granule) {
    span->lo = span->hi && span->lo < granule ? span->lo : granule;
    span->hi = span->hi > granule + GRANULE ? span->hi : granule + GRANULE;
}

static void sweep_page(const sweep *s, uint8_t *at, uint64_t lo, uint64_t hi) {
    uint32_t *mark = rcp_space_mark(at, lo);
    bool has_stacks = has_any(&s->sharing->natives, lo, hi);
    for (uint64_t a = lo; a < hi; a += GRANULE, mark++) {
        bool is_shared = *mark & RCP_TOUCH_SHARED || (s->freer && *mark && *mark >> RCP_TOUCH_SHIFT != s->freer);
        is_shared |= *mark && (rcp_sharing_is_alias(s->sharing, a) || is_freed_by_another(s->sharing, *mark, a));
        bool is_foreign = is_nobodys(s, has_stacks, *mark, a);
        bool is_seen = *mark && rcp_sharing_is_seen(s->sharing, a, GRANULE);
        /* Functions that are known may read the environment (localtime): what nobody has written they all find alike.
         */
        if (is_seen || (is_foreign && (!is_argument(s->sharing, a) || *mark & RCP_TOUCH_WRITTEN)))
            rcp_vec_push(&s->sharing->missed, ((rcp_span){a, a + GRANULE}));
        else if (is_foreign)
            stretch(&s->sharing->touched, a);
        is_shared |= *mark && s->sharing->guarded.live && has_any(&s->sharing->guarded, a, a + GRANULE);
        uint8_t bare = (uint8_t)(*mark >> RCP_TOUCH_BYTES & ~(*mark >> RCP_TOUCH_WROTE));
        if (is_shared || is_seen || is_foreign || is_reached_by_others(s, *mark, a)) {
            keep(s->sharing, s->life, a, a + GRANULE);
            if (s->life && bare)
                rcp_vec_push(&s->sharing->bares, ((rcp_bare_bytes){s->life, bare, a}));
        }
        *mark = s->become;
    }
}

/* Pages that nobody touched have no marks: who frees those is kept apart. */
static void sweep_over(const sweep *s, rcp_space *space, uint64_t lo, uint64_t hi) {
    for (uint64_t a = lo, end; a < hi; a = end) {
        end = (a | (RCP_SPACE_PAGE - 1)) + 1;
        uint8_t *at = rcp_space_at(space, a, 1);
        end = at ? end : rcp_space_next(space, end);
        end = end < hi ? end : hi;
        if (at)
            sweep_page(s, at, a, end);
        if (!at && s->freer)
            rcp_ranges_set(&s->sharing->freed, a, end, s->freer);
        else if (s->sharing->freed.live)
            rcp_ranges_erase(&s->sharing->freed, a, end);
    }
}

void rcp_sharing_change(rcp_sharing *sharing, rcp_space *space, const rcp_lives *lives, const rcp_life_change *change) {
    uint32_t who = number_of(change->thread);
    rcp_sharing_objects_settle(sharing, space, change->lo, change->hi);
    for (uint64_t a = change->lo, upto; a < change->hi; a = upto) {
        sweep s = {.sharing = sharing,
                   .life = rcp_lives_stretch(lives, a, change->hi, &upto),
                   .freer = change->frees ? who : 0,
                   .is_heap = !change->is_own,
                   .become = change->frees ? who << RCP_TOUCH_SHIFT | RCP_TOUCH_WRITTEN : 0};
        sweep_over(&s, space, a, upto);
    }
    if (sharing->unsure.live)
        rcp_ranges_erase(&sharing->unsure, change->lo, change->hi);
}

void rcp_sharing_own(rcp_sharing *sharing, uint64_t lo, uint64_t hi) {
    if (hi > lo && rcp_space_holds(lo, hi - lo))
        rcp_ranges_set(&sharing->own, lo, hi, 0);
}

/* As at a life's end. What is there now the next reader learns, and nobody has changed what had been seen there. */
static void remap(rcp_sharing *sharing, rcp_space *space, const rcp_lives *lives, rcp_span span) {
    for (uint64_t a = span.lo, next; a < span.hi; a = next) {
        uint8_t *at = rcp_space_at(space, a, 1);
        next = at ? a + GRANULE : rcp_space_next(space, (a | (RCP_SPACE_PAGE - 1)) + 1);
        if (at && *rcp_space_mark(at, a))
            rcp_ranges_set(&sharing->unsure, a, a + GRANULE, 0);
    }
    for (uint64_t a = span.lo, upto; a < span.hi; a = upto) {
        sweep s = {.sharing = sharing, .lives = lives, .life = rcp_lives_stretch(lives, a, span.hi, &upto)};
        sweep_over(&s, space, a, upto);
    }
}

void rcp_sharing_constant(rcp_sharing *sharing, rcp_space *space, const rcp_lives *lives, rcp_span span) {
    if (!rcp_space_holds(span.lo, span.hi - span.lo) || rcp_ranges_get(&sharing->constants, span.lo) != RCP_RANGES_NONE)
        return;
    remap(sharing, space, lives, span);
    rcp_ranges_set(&sharing->constants, span.lo, span.hi, 0);
}

void rcp_sharing_constant_end(rcp_sharing *sharing, rcp_space *space, const rcp_lives *lives, rcp_span span) {
    if (rcp_ranges_get(&sharing->constants, span.lo) == RCP_RANGES_NONE)
        return;
    remap(sharing, space, lives, span);
    rcp_ranges_erase(&sharing->constants, span.lo, span.hi);
}

void rcp_sharing_table(rcp_sharing *sharing, uint64_t slot) {
    if (rcp_space_holds(slot, 8))
        rcp_ranges_set(&sharing->slots, slot, slot + 8, 0);
}

/* What the slot holds was not known when it was told of. */
static void find_tables(rcp_sharing *sharing, rcp_space *space) {
    enum { BEFORE = 128 * 4, SIZE = RCP_TABLE_SIZE }; /* its pointer points to the character 0 */
    rcp_range slot;
    for (uint64_t at = 0; rcp_ranges_next(&sharing->slots, at, &slot); at = slot.hi)
        for (uint64_t word = 0, k = slot.lo; k < slot.hi; k += sizeof word) {
            rcp_space_read(space, k, &word, sizeof word);
            rcp_ranges_set(&sharing->tables, k, k + sizeof word, 0);
            if (word <= BEFORE || !rcp_space_holds(word - BEFORE, SIZE) ||
                rcp_ranges_get(&sharing->tables, word) != RCP_RANGES_NONE)
                continue;
            rcp_ranges_set(&sharing->tables, word - BEFORE, word - BEFORE + SIZE, 0);
            rcp_character_table found = {.address = word - BEFORE};
            rcp_space_read(space, found.address, found.bytes, SIZE);
            rcp_vec_push(&sharing->contents, found);
        }
}

bool rcp_sharing_is_own(const rcp_sharing *sharing, uint64_t address) {
    return rcp_ranges_get(&sharing->own, address) != RCP_RANGES_NONE;
}

void rcp_sharing_native(rcp_sharing *sharing, uint32_t thread, uint64_t lo, uint64_t hi) {
    if (hi > lo && rcp_space_holds(lo, hi - lo))
        rcp_ranges_set(&sharing->natives, lo, hi, thread);
}

void rcp_sharing_arguments(rcp_sharing *sharing, uint64_t address) {
    enum { MOST = 8 << 20 }; /* the system takes no more than 6 MB */
    const uint64_t lo = address & ~(uint64_t)(GRANULE - 1);
    if (rcp_space_holds(lo, MOST))
        sharing->arguments = (rcp_span){lo, lo + MOST};
}

/* Where it is part of a block, its life goes on, and who it was will not be known then. */
void rcp_sharing_native_end(rcp_sharing *sharing, rcp_space *space, uint64_t lo, uint64_t hi) {
    const sweep s = {.sharing = sharing};
    if (hi <= lo || !rcp_space_holds(lo, hi - lo))
        return;
    for (uint64_t a = lo & ~(uint64_t)(GRANULE - 1), next; a < hi; a = next) {
        uint8_t *at = rcp_space_at(space, a, 1);
        next = at ? a + GRANULE : rcp_space_next(space, (a | (RCP_SPACE_PAGE - 1)) + 1);
        if (!at || !is_nobodys(&s, true, *rcp_space_mark(at, a), a))
            continue;
        rcp_vec_push(&sharing->missed, ((rcp_span){a, a + GRANULE}));
        *rcp_space_mark(at, a) |= RCP_TOUCH_SHARED;
    }
    rcp_ranges_erase(&sharing->natives, lo, hi);
}

void rcp_sharing_alias(rcp_sharing *sharing, uint64_t address, uint64_t size) {
    if (size && rcp_space_holds(address, size))
        rcp_ranges_set(&sharing->aliases, address, address + size, 0);
}

bool rcp_sharing_is_alias(const rcp_sharing *sharing, uint64_t address) {
    return sharing->aliases.live && rcp_ranges_get(&sharing->aliases, address) != RCP_RANGES_NONE;
}

void rcp_sharing_see(rcp_sharing *sharing, uint64_t address, uint64_t size) {
    if (size && rcp_space_holds(address, size))
        rcp_ranges_set(&sharing->seen, address, address + size, 0);
}

bool rcp_sharing_is_seen(const rcp_sharing *sharing, uint64_t address, uint64_t size) {
    return sharing->seen.live && has_any(&sharing->seen, address, address + size);
}

void rcp_sharing_divide(rcp_sharing *sharing, uint64_t object) {
    rcp_ranges_set(&sharing->divided, object, object + 1, 0);
}

bool rcp_sharing_is_divided(const rcp_sharing *sharing, uint64_t object) {
    return sharing->divided.live && rcp_ranges_get(&sharing->divided, object) != RCP_RANGES_NONE;
}

static bool next_of(const rcp_ranges *ranges, uint64_t from, rcp_span *span) {
    rcp_range range;
    if (!rcp_ranges_next(ranges, from, &range))
        return false;
    *span = (rcp_span){range.lo, range.hi};
    return true;
}

bool rcp_sharing_next_seen(const rcp_sharing *sharing, uint64_t from, rcp_span *seen) {
    return next_of(&sharing->seen, from, seen);
}

void rcp_sharing_guard(rcp_sharing *sharing, uint64_t address, uint64_t size) {
    if (size && rcp_space_holds(address, size))
        rcp_ranges_set(&sharing->guarded, address, address + size, 0);
}

void rcp_sharing_guard_seen(rcp_sharing *sharing) {
    for (rcp_span seen = {0, 0}; next_of(&sharing->seen, seen.hi, &seen);)
        rcp_sharing_guard(sharing, seen.lo, seen.hi - seen.lo);
}

bool rcp_sharing_next_guarded(const rcp_sharing *sharing, uint64_t from, rcp_span *guarded) {
    return next_of(&sharing->guarded, from, guarded);
}

void rcp_sharing_errno(rcp_sharing *sharing, uint64_t address, uint64_t size) {
    if (rcp_space_holds(address, size))
        rcp_ranges_set(&sharing->errnos, address, address + size, 0);
}

bool rcp_sharing_next_alias(const rcp_sharing *sharing, uint64_t from, rcp_span *alias) {
    return next_of(&sharing->aliases, from, alias);
}

void rcp_sharing_expose(rcp_sharing *sharing, uint64_t lo, uint64_t hi) {
    rcp_ranges_set(&sharing->exposed, lo & ~(uint64_t)(GRANULE - 1), (hi + GRANULE - 1) & ~(uint64_t)(GRANULE - 1), 0);
}

bool rcp_sharing_is_exposed(const rcp_sharing *sharing, uint64_t address) {
    return rcp_ranges_get(&sharing->exposed, address) != RCP_RANGES_NONE;
}

void rcp_sharing_variable(rcp_sharing *sharing, uint64_t address, uint64_t size) {
    if (size && rcp_space_holds(address, size))
        rcp_ranges_set(&sharing->variables, address & ~(uint64_t)(GRANULE - 1), address + size, 0);
}

static void add_caller(uint32_t *callers, uint32_t caller) {
    *callers = !*callers || *callers == caller ? caller : MANY;
}

void rcp_sharing_call(rcp_sharing *sharing, uint32_t thread, const char *callee, bool is_known, bool is_alone) {
    if (!is_alone)
        add_caller(&sharing->callers, thread + 1);
    uint32_t *suspect = rcp_map_at(&sharing->callees, rcp_hash_bytes(callee, strlen(callee)));
    if (*suspect == RCP_MAP_NONE) {
        *suspect = !is_known;
        sharing->has_callees |= is_known;
    }
    if (!is_alone && (!is_known || *suspect))
        add_caller(&sharing->everything, thread + 1);
}

void rcp_sharing_tell_all(rcp_sharing *sharing) { sharing->tells_all = true; }

void rcp_sharing_learn(rcp_sharing *sharing, rcp_run_fact fact) { sharing->facts |= fact; }

bool rcp_sharing_has_learnt(const rcp_sharing *sharing, rcp_run_fact fact) { return sharing->facts & fact; }

void rcp_sharing_result(rcp_sharing *sharing, uint64_t visit, uint64_t result) {
    if (sharing->results.len == rcp_limit(RCP_LIMIT_KEPT_RESULTS)) {
        rcp_limit_reached(RCP_LIMIT_KEPT_RESULTS);
        return;
    }
    rcp_map_set(&sharing->result_index, visit, (uint32_t)sharing->results.len);
    rcp_vec_push(&sharing->results, result);
}

bool rcp_sharing_result_of(const rcp_sharing *sharing, uint64_t visit, uint64_t *result) {
    uint32_t index = rcp_map_get(&sharing->result_index, visit);
    if (index != RCP_MAP_NONE)
        *result = sharing->results.at[index];
    return index != RCP_MAP_NONE;
}

bool rcp_sharing_may_differ(const rcp_sharing *sharing, uint64_t lo, uint64_t hi) {
    return sharing->everything || has_any(&sharing->unsure, lo, hi) || has_any(&sharing->reached, lo, hi);
}

/* Code that is not recorded may have changed it, but not what is a thread's own and nobody was told of. */
bool rcp_sharing_is_sure(const rcp_sharing *sharing, uint64_t lo, uint64_t hi) {
    if (!rcp_sharing_may_differ(sharing, lo, hi))
        return true;
    for (uint64_t at = lo; at < hi; at++)
        if (!rcp_sharing_is_own(sharing, at) || rcp_sharing_is_exposed(sharing, at))
            return false;
    return true;
}

void rcp_sharing_further(rcp_sharing *sharing, uint64_t visit, uint64_t lo, uint64_t hi) {
    uint32_t *first = rcp_map_at(&sharing->further_index, visit);
    if (*first == RCP_MAP_NONE)
        *first = (uint32_t)sharing->further.len;
    rcp_vec_push(&sharing->further, ((rcp_span){lo, hi}));
    rcp_vec_push(&sharing->further_of, visit);
}

const rcp_span *rcp_sharing_borrow_further(const rcp_sharing *sharing, uint64_t visit, size_t *n) {
    uint32_t first = rcp_map_get(&sharing->further_index, visit);
    *n = 0;
    while (first != RCP_MAP_NONE && first + *n < sharing->further.len && sharing->further_of.at[first + *n] == visit)
        ++*n;
    return *n ? &sharing->further.at[first] : NULL;
}

void rcp_sharing_reached(rcp_sharing *sharing, uint64_t lo, uint64_t hi, bool lasts) {
    rcp_ranges_set(&sharing->reached, lo, hi, 0);
    if (lasts)
        rcp_ranges_set(&sharing->lasting, lo, hi, 0);
}

void rcp_sharing_handled(rcp_sharing *sharing, uint64_t lo, uint64_t hi) {
    rcp_ranges_set(&sharing->handled, lo, hi, 0);
}

bool rcp_sharing_is_handled(const rcp_sharing *sharing, uint64_t address) {
    return sharing->handled.live && rcp_ranges_get(&sharing->handled, address) != RCP_RANGES_NONE;
}

bool rcp_sharing_is_suspect(const rcp_sharing *sharing, const char *callee) {
    return rcp_map_get(&sharing->callees, rcp_hash_bytes(callee, strlen(callee))) == 1;
}

static void suspect_all(rcp_sharing *sharing) {
    RCP_MAP_EACH(&sharing->callees, slot) {
        slot->value = 1;
    }
    sharing->has_callees = false;
    if (sharing->callers)
        add_caller(&sharing->everything, sharing->callers);
}

void rcp_sharing_unsure(rcp_sharing *sharing, uint64_t address, uint64_t size) {
    if (size && rcp_space_holds(address, size))
        rcp_ranges_set(&sharing->unsure, address, address + size, 0);
}

void rcp_sharing_known(rcp_sharing *sharing, uint64_t address, uint64_t size) {
    if (size && rcp_space_holds(address, size))
        rcp_ranges_set(&sharing->known, address, address + size, 0);
}

/* Has anybody seen what the granule held? */
static bool is_seen(const rcp_sharing *sharing, const rcp_lives *lives, uint8_t *at, uint64_t address) {
    uint64_t upto;
    return *rcp_space_mark(at, address) ||
           (rcp_ranges_stretch(&sharing->known, address, address + GRANULE, &upto) == 0 &&
            !rcp_lives_stretch(lives, address, address + GRANULE, &upto));
}

/* And what the byte held? What is beside what was written in a block holds what the heap has left there. */
static bool is_seen_byte(const rcp_sharing *sharing, const rcp_lives *lives, uint8_t *at, uint64_t address) {
    uint64_t upto;
    return !rcp_lives_stretch(lives, address, address + 1, &upto) ||
           *rcp_space_mark(at, address) >> (RCP_TOUCH_BYTES + address % GRANULE) & 1 ||
           rcp_ranges_get(&sharing->seen, address) != RCP_RANGES_NONE;
}

/* Of the bytes of a granule that change (`objects`, a bit each), has recorded code seen any? What is beside them may
 * never have been written: it holds what it held when the object was made. */
static bool is_known_byte_among(uint32_t mark, const rcp_sharing *sharing, uint64_t address, uint64_t objects) {
    bool is_known = rcp_ranges_get(&sharing->known, address) != RCP_RANGES_NONE;
    return objects & (is_known ? 255 : mark >> RCP_TOUCH_BYTES & 255);
}

/* The system has put there what it holds, before anybody ran; and that calls that are known read it shows nobody what
 * that is. `at`: the byte in the space, or NULL. */
static bool is_first_sight(const rcp_sharing *sharing, uint8_t *at, uint64_t address) {
    return is_argument(sharing, address) &&
           (!at || (!*at && !(*rcp_space_mark(at, address) >> (RCP_TOUCH_WROTE + address % GRANULE) & 1)));
}

void rcp_sharing_miss(rcp_sharing *sharing, rcp_space *space, const rcp_lives *lives, uint64_t address,
                      const uint8_t *bytes, uint64_t objects) {
    uint8_t *at = rcp_space_at(space, address, 64); /* lines are aligned: it is within a page */
    for (unsigned g = 0; at && g < 64; g += GRANULE) {
        if (!is_seen(sharing, lives, at + g, address + g))
            continue;
        for (unsigned i = g; i < g + GRANULE; i++)
            if (at[i] != bytes[i] && rcp_ranges_get(&sharing->unsure, address + i) == RCP_RANGES_NONE) {
                rcp_span granule = {address + g, address + g + GRANULE};
                if (rcp_ranges_get(&sharing->reached, address + i) != RCP_RANGES_NONE)
                    break;
                if (!is_seen_byte(sharing, lives, at + i, address + i) || is_first_sight(sharing, at + i, address + i))
                    continue;
                rcp_vec_push(&sharing->missed, granule);
                if (sharing->has_callees &&
                    is_known_byte_among(*rcp_space_mark(at + g, address + g), sharing, address + g, objects >> g & 255))
                    suspect_all(sharing);
                break;
            }
    }
    if (sharing->unsure.live)
        rcp_ranges_erase(&sharing->unsure, address, address + 64);
}

uint64_t rcp_sharing_changed(const rcp_sharing *sharing, rcp_space *space, const rcp_lives *lives, uint32_t thread,
                             uint64_t address, const uint8_t *bytes) {
    static const uint8_t zeros[64];
    uint8_t *at = rcp_space_at(space, address, 64);
    const uint8_t *now = at ? at : zeros;
    uint64_t changed = 0;
    for (unsigned i = 0; i < 64; i++) {
        uint64_t upto, byte = address + i;
        if (now[i] == bytes[i] || is_first_sight(sharing, at ? at + i : NULL, byte) ||
            rcp_ranges_get(&sharing->unsure, byte) != RCP_RANGES_NONE ||
            rcp_ranges_get(&sharing->errnos, byte) != RCP_RANGES_NONE ||
            rcp_ranges_get(&sharing->natives, byte) == thread)
            continue;
        if (rcp_ranges_get(&sharing->reached, byte) != RCP_RANGES_NONE &&
            rcp_ranges_get(&sharing->lasting, byte) == RCP_RANGES_NONE)
            continue; /* a call that is over has done it, or will be told to have */
        bool is_known = rcp_ranges_get(&sharing->known, byte) != RCP_RANGES_NONE &&
                        !rcp_lives_stretch(lives, byte, byte + 1, &upto);
        bool is_touched = at && *rcp_space_mark(at + i, byte) >> (RCP_TOUCH_BYTES + byte % GRANULE) & 1;
        if (is_known || is_touched || rcp_ranges_get(&sharing->seen, byte) != RCP_RANGES_NONE)
            changed |= UINT64_C(1) << i;
    }
    return changed;
}

bool rcp_sharing_is_first(const rcp_sharing *sharing, rcp_space *space, const rcp_lives *lives, uint64_t address,
                          const uint8_t *bytes) {
    static const uint8_t zeros[64];
    uint8_t *at = rcp_space_at(space, address, 64);
    const uint8_t *now = at ? at : zeros;
    const rcp_ranges *const written[] = {&sharing->unsure, &sharing->reached, &sharing->errnos,
                                         &sharing->seen,   &sharing->known,   &sharing->natives};
    for (unsigned i = 0; i < 64; i++) {
        uint64_t upto, byte = address + i;
        if (now[i] == bytes[i] || is_first_sight(sharing, at ? at + i : NULL, byte))
            continue;
        for (size_t k = 0; k < sizeof written / sizeof *written; k++)
            if (rcp_ranges_get(written[k], byte) != RCP_RANGES_NONE)
                return false;
        if (rcp_lives_stretch(lives, byte, byte + 1, &upto) ||
            (at && *rcp_space_mark(at + i, byte) >> (RCP_TOUCH_BYTES + byte % GRANULE) & 1))
            return false;
    }
    return true;
}

void rcp_sharing_note(rcp_sharing *sharing, uint64_t visit, rcp_oddity oddity) {
    rcp_vec_push(&sharing->oddities, RCP_ODDITIES * visit + oddity);
}

static int by_life(const void *a, const void *b) {
    const rcp_shared_run *x = a, *y = b;
    if (x->life != y->life)
        return x->life < y->life ? -1 : 1;
    return x->span.lo < y->span.lo ? -1 : x->span.lo > y->span.lo;
}

static int by_address(const void *a, const void *b) {
    const rcp_span *x = a, *y = b;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static int by_number(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int by_size(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x > *y ? -1 : *x < *y;
}

/* Every call that is not known has all of it in its reach, and whoever analyses pays for every span of every call:
 * hundreds of spans and a hundred thousand calls are minutes. So at most as many are kept as the limit restless-spans
 * says, those with the widest gaps between them; what lies in the other gaps is taken to be reached, too, which orders
 * more and claims no more. */
static void join_restless(rcp_sharing *sharing) {
    size_t n = sharing->restless.len;
    rcp_span *at = sharing->restless.at;
    uint64_t most = rcp_limit(RCP_LIMIT_RESTLESS_SPANS);
    if (n <= most)
        return;
    rcp_limit_reached(RCP_LIMIT_RESTLESS_SPANS);
    uint64_t *gaps = rcp_alloc((n - 1) * sizeof *gaps);
    for (size_t i = 1; i < n; i++)
        gaps[i - 1] = at[i].lo - at[i - 1].hi;
    qsort(gaps, n - 1, sizeof *gaps, by_size);
    uint64_t narrow = gaps[most - 1]; /* the first one too many */
    size_t last = 0;
    for (size_t i = 1; i < n; i++)
        if (at[i].lo - at[last].hi <= narrow)
            at[last].hi = at[i].hi;
        else
            at[++last] = at[i];
    sharing->restless.len = last + 1;
    rcp_release(gaps);
}

/* Of what changed unseen, the granules that are shared in some life. */
static void find_restless(rcp_sharing *sharing) {
    rcp_ranges shared;
    rcp_ranges_init(&shared);
    for (size_t i = 0; sharing->missed.len && i < sharing->runs.len; i++)
        rcp_ranges_set(&shared, sharing->runs.at[i].span.lo, sharing->runs.at[i].span.hi, 0);
    if (sharing->missed.len)
        qsort(sharing->missed.at, sharing->missed.len, sizeof *sharing->missed.at, by_address);
    for (size_t i = 0; i < sharing->missed.len; i++) {
        rcp_span span = sharing->missed.at[i];
        rcp_span *last = sharing->restless.len ? &sharing->restless.at[sharing->restless.len - 1] : NULL;
        if (rcp_ranges_get(&shared, span.lo) == RCP_RANGES_NONE || (last && last->hi > span.lo))
            continue;
        if (last && last->hi == span.lo)
            last->hi = span.hi;
        else
            rcp_vec_push(&sharing->restless, span);
    }
    rcp_ranges_finish(&shared);
    join_restless(sharing);
}

typedef struct entry {
    uint64_t visit, number;
    rcp_span span;
} entry;

static int by_visit(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->visit != y->visit)
        return x->visit < y->visit ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Calls that are open at the same time are told of in turns: what was said of one becomes one list. */
static void gather_further(rcp_sharing *sharing) {
    size_t n = sharing->further.len;
    if (!n)
        return;
    entry *entries = rcp_alloc(n * sizeof *entries);
    for (size_t i = 0; i < n; i++)
        entries[i] = (entry){sharing->further_of.at[i], i, sharing->further.at[i]};
    qsort(entries, n, sizeof *entries, by_visit);
    sharing->further.len = sharing->further_of.len = 0;
    rcp_map_finish(&sharing->further_index);
    rcp_map_init(&sharing->further_index);
    for (size_t i = 0; i < n; i++)
        rcp_sharing_further(sharing, entries[i].visit, entries[i].span.lo, entries[i].span.hi);
    rcp_release(entries);
}

static int by_life_and_place(const void *a, const void *b) {
    const rcp_bare_bytes *x = a, *y = b;
    if (x->life != y->life)
        return x->life < y->life ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

bool rcp_sharing_has_bare(const rcp_sharing *sharing) { return sharing->bares.len; }

uint8_t rcp_sharing_bare(const rcp_sharing *sharing, uint32_t life, uint64_t address) {
    const rcp_bare_bytes key = {.life = life, .address = address & ~(uint64_t)(GRANULE - 1)};
    const rcp_bare_bytes *found =
        sharing->bares.len ? bsearch(&key, sharing->bares.at, sharing->bares.len, sizeof key, by_life_and_place) : NULL;
    return found ? found->mask : 0;
}

void rcp_sharing_end(rcp_sharing *sharing, rcp_space *space, const rcp_lives *lives) {
    const uint64_t end = UINT64_C(1) << 48;
    find_tables(sharing, space);
    rcp_sharing_objects_settle(sharing, space, 0, end);
    for (uint64_t a = 0, upto; a < end; a = upto) {
        sweep s = {.sharing = sharing, .lives = lives, .life = rcp_lives_stretch(lives, a, end, &upto)};
        sweep_over(&s, space, a, upto);
    }
    if (sharing->runs.len)
        qsort(sharing->runs.at, sharing->runs.len, sizeof *sharing->runs.at, by_life);
    for (size_t i = 0; i < sharing->runs.len; i++)
        rcp_vec_push(&sharing->spans, sharing->runs.at[i].span);
    if (sharing->bares.len)
        qsort(sharing->bares.at, sharing->bares.len, sizeof *sharing->bares.at, by_life_and_place);
    if (sharing->oddities.len)
        qsort(sharing->oddities.at, sharing->oddities.len, sizeof *sharing->oddities.at, by_number);
    gather_further(sharing);
    find_restless(sharing);
    rcp_vec_finish(&sharing->missed);
}

void rcp_sharing_put_tables(const rcp_sharing *sharing, rcp_space *space) {
    for (size_t i = 0; i < sharing->contents.len; i++)
        rcp_space_write(space, sharing->contents.at[i].address, sharing->contents.at[i].bytes, RCP_TABLE_SIZE);
}

const rcp_span *rcp_sharing_borrow(const rcp_sharing *sharing, uint32_t life, size_t *n) {
    size_t low = 0, high = sharing->runs.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sharing->runs.at[middle].life < life)
            low = middle + 1;
        else
            high = middle;
    }
    for (*n = 0; low + *n < sharing->runs.len && sharing->runs.at[low + *n].life == life;)
        ++*n;
    return *n ? &sharing->spans.at[low] : NULL;
}

rcp_span rcp_sharing_touched_arguments(const rcp_sharing *sharing) { return sharing->touched; }

const rcp_span *rcp_sharing_borrow_restless(const rcp_sharing *sharing, size_t *n) {
    *n = sharing->restless.len;
    return sharing->restless.at;
}

bool rcp_sharing_has_noted(const rcp_sharing *sharing, uint64_t visit, rcp_oddity oddity) {
    uint64_t key = RCP_ODDITIES * visit + oddity;
    return sharing->oddities.len && bsearch(&key, sharing->oddities.at, sharing->oddities.len, sizeof key, by_number);
}
