/* SPDX-License-Identifier: Apache-2.0 */
/* Calls outside of a thread that is explored. An answer that was recorded is the answer to the same question: the same
 * call, at the same depth, with the same arguments, over memory that holds the same. In between, recorded calls may be
 * left out that nobody notices the lack of. What was not recorded is modelled, where that is known: locks; output whose
 * result nobody looks at. */
#include "program/explore_state.h"

#include "base/hash.h"
#include "program/notes.h"

#include <errno.h>
#include <string.h>

/* Recorded calls that may lie between where a thread was and where it is, when it has not taken the recorded way. */
#define SKIPPED_MAX 256

static const rcp_activation *top_of(const rcp_strand *t) { return &t->frames.at[t->frames.len - 1]; }

static const rcp_call *call_of(const rcp_strand *t) { return &top_of(t)->routine->calls.at[t->pc->b]; }

static const char *name_of(const rcp_exploring *x, const rcp_strand *t) {
    const rcp_program *program = x->run->m.program;
    if (!t->pc->k)
        return call_of(t)->callee ? call_of(t)->name : "";
    uint32_t index = rcp_map_get(&program->foreign, top_of(t)->registers[t->pc->a]);
    return index == RCP_MAP_NONE ? "" : program->declared.at[index].name;
}

static bool is_result_used(const rcp_strand *t) {
    const rcp_routine *routine = top_of(t)->routine;
    LLVMValueRef origin = routine->origin.at[t->pc - routine->code.at];
    return !origin || LLVMGetFirstUse(origin);
}

static uint64_t flow_of(const rcp_exploring *x, const rcp_strand *t, const rcp_outside *outside, bool takes) {
    uint64_t words[16], flow = rcp_hash_bytes(name_of(x, t), strlen(name_of(x, t)));
    const rcp_call *call = call_of(t);
    rcp_outside_call made = {.outside = outside, .arguments = words};
    for (size_t i = 0; i < call->arguments.len; i++) {
        uint64_t word = top_of(t)->registers[call->arguments.at[i]];
        if (made.n < 16)
            words[made.n++] = word;
        if (takes)
            flow = rcp_explore_mix(flow, word);
    }
    made.block = made.n ? rcp_explore_block_size(x, words[0]) : 0;
    rcp_outside_touch touch = {0};
    for (const char *at = NULL; outside && rcp_outside_next(&made, x->run->m.space, &at, &touch);) {
        if (touch.how == 'w' || touch.size > UINT64_C(1) << 30)
            continue;
        uint8_t *bytes = rcp_alloc(touch.size);
        rcp_space_read(x->run->m.space, touch.address, bytes, touch.size);
        flow = rcp_explore_mix(flow, rcp_hash_bytes(bytes, touch.size));
        if (touch.second) {
            rcp_space_read(x->run->m.space, touch.second, bytes, touch.size);
            flow = rcp_explore_mix(flow, rcp_hash_bytes(bytes, touch.size));
        }
        rcp_release(bytes);
    }
    return flow;
}

/* Nobody waits for it, and nothing that it leaves is looked at but by who calls it. */
static bool may_be_missed(const char *name, rcp_outside_kind kind) {
    static const char *const locks[] = {"pthread_mutex_lock",    "pthread_mutex_unlock",  "pthread_spin_lock",
                                        "pthread_spin_unlock",   "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
                                        "pthread_rwlock_unlock", "pthread_mutex_trylock"};
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++)
        if (!strcmp(name, locks[i]))
            return true;
    return kind == RCP_OUTSIDE_HARMLESS || kind == RCP_OUTSIDE_PRINTS;
}

void rcp_explore_ask(rcp_exploring *x, const rcp_strand *t, rcp_asked *asked) {
    const char *name = name_of(x, t);
    const rcp_outside *outside = *name ? rcp_outside_find(name) : NULL;
    rcp_outside_kind kind = outside ? (rcp_outside_kind)outside->kind : RCP_OUTSIDE_UNKNOWN;
    bool takes = kind != RCP_OUTSIDE_PRINTS || is_result_used(t);
    *asked = (rcp_asked){.ins = (uint32_t)(t->pc - top_of(t)->routine->code.at),
                         .depth = (uint32_t)t->frames.len,
                         .function = rcp_notes_function(top_of(t)->routine),
                         .position = t->position,
                         .flow = flow_of(x, t, outside, takes),
                         .kind = (uint8_t)kind,
                         .may_be_missed = may_be_missed(name, kind)};
}

static bool has_state(uint8_t kind) {
    return kind == RCP_OUTSIDE_PAIR || kind == RCP_OUTSIDE_OBJECT || kind == RCP_OUTSIDE_STREAM ||
           kind == RCP_OUTSIDE_UNKNOWN || kind == RCP_OUTSIDE_SETTING;
}

static bool is_same_call(const rcp_asked *a, const rcp_asked *b) {
    return a->ins == b->ins && a->depth == b->depth && a->function == b->function;
}

bool rcp_explore_may_skip(const rcp_explore_lane *lane, size_t to) {
    for (size_t i = lane->next_call; i < lane->course->asked.len && lane->course->asked.at[i].first < to; i++)
        if (!lane->course->asked.at[i].may_be_missed)
            return false;
    return true;
}

/* --- what is modelled --- */

static void queue(rcp_explore_lane *lane, rcp_log_record record) {
    record.thread = lane->thread;
    rcp_vec_push(&lane->queue, record);
}

static void queue_return(rcp_explore_lane *lane, uint64_t value) {
    queue(lane, (rcp_log_record){.tag = value ? RCP_LOG_RETURN : RCP_LOG_RETURN_0, .value = value});
}

/* A lock that nobody has used yet is what its first word say: glibc's mutexes have their kind in the fifth. */
static bool kind_of_fresh(rcp_exploring *x, const char *name, uint64_t address, uint8_t *kind) {
    enum { WORDS = 5, KIND = 4, RECURSIVE = 1 };
    int32_t words[WORDS];
    if (!rcp_explore_is_object(x, address, sizeof words))
        return false;
    rcp_space_read(x->run->m.space, address, words, sizeof words);
    *kind = strstr(name, "spin") ? RCP_SYNC_SPIN : strstr(name, "rwlock") ? RCP_SYNC_RWLOCK : RCP_SYNC_MUTEX;
    if (*kind != RCP_SYNC_MUTEX)
        return *kind == RCP_SYNC_RWLOCK;
    for (int i = 0; i < KIND; i++)
        if (words[i])
            return false;
    if (words[KIND] & ~3)
        return false;
    *kind = (words[KIND] & 3) == RECURSIVE ? RCP_SYNC_RECURSIVE : RCP_SYNC_MUTEX;
    return true;
}

/* True: it is a lock's operation, and was queued, or waits, or the lane's end is set. */
static bool model_lock(rcp_exploring *x, const char *name, uint64_t address, bool *waits) {
    static const struct {
        const char *name;
        uint8_t op;
        bool tries;
    } known[] = {
        {"pthread_mutex_lock", RCP_SYNC_ACQUIRE, false},           {"pthread_mutex_trylock", RCP_SYNC_ACQUIRE, true},
        {"pthread_mutex_unlock", RCP_SYNC_RELEASE, false},         {"pthread_spin_lock", RCP_SYNC_ACQUIRE, false},
        {"pthread_spin_unlock", RCP_SYNC_RELEASE, false},          {"pthread_rwlock_wrlock", RCP_SYNC_ACQUIRE, false},
        {"pthread_rwlock_rdlock", RCP_SYNC_ACQUIRE_SHARED, false}, {"pthread_rwlock_unlock", RCP_SYNC_RELEASE, false},
    };
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp(known[i].name, name))
        i++;
    if (i == sizeof known / sizeof *known)
        return false;
    rcp_explore_lane *lane = x->lane;
    const rcp_explore_lock *lock = rcp_explore_lock_of(x, address);
    rcp_log_record r = {.tag = RCP_LOG_SYNC, .op = known[i].op, .address = address, .thread = lane->thread};
    const rcp_explore_lock fresh = {0};
    if (!lock && kind_of_fresh(x, name, address, &r.object)) {
        lock = &fresh;
    } else if (!lock) {
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "a lock at 0x%llx that the recorded run did not use",
                         (unsigned long long)address);
        return true;
    }
    if (lock != &fresh)
        r.object = lock->kind;
    if (r.op == RCP_SYNC_RELEASE && !lock->owner && lock->shared)
        r.op = RCP_SYNC_RELEASE_SHARED;
    bool holds = lock->owner == lane->thread + 1, enabled = rcp_explore_is_enabled(x, lane, &r, 0);
    if ((r.op == RCP_SYNC_RELEASE && !enabled) ||
        (r.op == RCP_SYNC_ACQUIRE && holds && !known[i].tries && r.object != RCP_SYNC_RECURSIVE)) {
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s' of a lock that it %s", name, holds ? "holds" : "does not hold");
        return true;
    }
    if (!enabled && !known[i].tries) {
        *waits = true;
        return true;
    }
    r.outcome = enabled ? RCP_SYNC_DONE : RCP_SYNC_FAILED;
    queue(lane, r);
    queue_return(lane, enabled ? 0 : EBUSY);
    return true;
}

static bool ends_process(const char *name) {
    static const char *const names[] = {"exit", "_exit", "_Exit", "abort", "__assert_fail", "quick_exit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* False: waits, or its end is set. */
static bool model(rcp_exploring *x, const rcp_strand *t, const rcp_asked *asked) {
    const char *name = name_of(x, t);
    const rcp_call *call = call_of(t);
    uint64_t first = call->arguments.len ? top_of(t)->registers[call->arguments.at[0]] : 0;
    bool waits = false;
    if (ends_process(name))
        rcp_explore_stop(x, RCP_EXPLORE_EXIT, "'%s'", name);
    else if (model_lock(x, name, first, &waits))
        return !waits && x->lane->end == RCP_EXPLORE_GOES_ON;
    else if (asked->kind == RCP_OUTSIDE_PRINTS && !is_result_used(t)) {
        queue_return(x->lane, 0);
        return true;
    } else if (asked->kind == RCP_OUTSIDE_SYNC)
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s', which the recorded run did not call here", name);
    else
        rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "'%s', which the recorded run did not call here", *name ? name : "?");
    return false;
}

/* --- */

static void take_answer(rcp_exploring *x, const rcp_strand *t, size_t i) {
    rcp_explore_lane *lane = x->lane;
    const rcp_asked *asked = &lane->course->asked.at[i];
    lane->next_call = i + 1;
    lane->next_record = asked->first;
    lane->path = asked->path;
    lane->shift = t->position - asked->position;
    lane->is_off = false;
    x->pairs += has_state(asked->kind);
}

bool rcp_explore_answer(rcp_exploring *x) {
    rcp_explore_lane *lane = x->lane;
    const rcp_strand *t = x->run->m.current;
    const rcp_course *course = lane->course;
    rcp_asked now;
    rcp_explore_ask(x, t, &now);
    size_t found = SIZE_MAX, near = SIZE_MAX;
    for (size_t i = lane->next_call; i < course->asked.len && i - lane->next_call < SKIPPED_MAX; i++) {
        const rcp_asked *then = &course->asked.at[i];
        if (is_same_call(then, &now)) {
            near = near == SIZE_MAX ? i : near;
            if (then->flow == now.flow) {
                found = i;
                break;
            }
        }
        if (!then->may_be_missed)
            break;
    }
    if (found != SIZE_MAX && x->phase == RCP_PHASE_FREE && strstr(name_of(x, t), "trylock")) {
        lane->next_call = found + 1; /* how it ends is seen now, not as it was */
        lane->next_record = found + 1 < course->asked.len ? course->asked.at[found + 1].first : course->records.len;
        lane->is_off = true;
        return model(x, t, &now);
    }
    if (found != SIZE_MAX && found != lane->next_call && now.may_be_missed && now.kind == RCP_OUTSIDE_SYNC)
        found = SIZE_MAX; /* a lock is modelled; what it would leave out may still come */
    if (found == SIZE_MAX) {
        if (near == SIZE_MAX || now.kind == RCP_OUTSIDE_SYNC || now.kind == RCP_OUTSIDE_PRINTS)
            return model(x, t, &now);
        rcp_explore_stop(x, RCP_EXPLORE_INPUT, "something else flows into '%s' than in the recorded run",
                         name_of(x, t));
        return false;
    }
    if (x->phase == RCP_PHASE_FREE && has_state(now.kind)) {
        if (now.kind == RCP_OUTSIDE_UNKNOWN) { /* it may look at anything */
            rcp_explore_stop(x, RCP_EXPLORE_OPAQUE, "'%s', of which nothing is known", name_of(x, t));
            return false;
        }
        if (course->asked.at[found].rank != x->pairs)
            return false; /* others come first */
    }
    take_answer(x, t, found);
    return true;
}
