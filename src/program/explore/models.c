/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that a thread makes and nobody recorded: what they would do, told as the recorder would have told it. Locks,
 * semaphores and conditions; the heap and strings; output whose result nobody looks at. Where a thread could wait, it
 * does; where it could give up at a deadline, it does so when nothing else is left, or when that is what is looked for.
 */
#include "program/explore/explore.h"
#include "program/explore/state.h"

#include "base/text.h"
#include "program/recording/image_reader.h"

/* What the log calls what a row says. */
static const uint8_t ops[] = {
    [RCP_DOES_ACQUIRE] = RCP_SYNC_ACQUIRE,   [RCP_DOES_ACQUIRE_SHARED] = RCP_SYNC_ACQUIRE_SHARED,
    [RCP_DOES_RELEASE] = RCP_SYNC_RELEASE,   [RCP_DOES_SEM_WAIT] = RCP_SYNC_SEM_WAIT,
    [RCP_DOES_SEM_POST] = RCP_SYNC_SEM_POST, [RCP_DOES_WAIT] = RCP_SYNC_WAIT,
    [RCP_DOES_SIGNAL] = RCP_SYNC_SIGNAL,     [RCP_DOES_BROADCAST] = RCP_SYNC_BROADCAST,
};
static const uint8_t objects[] = {
    [RCP_ON_MUTEX] = RCP_SYNC_MUTEX, [RCP_ON_SPIN] = RCP_SYNC_SPIN, [RCP_ON_RWLOCK] = RCP_SYNC_RWLOCK,
    [RCP_ON_SEM] = RCP_SYNC_SEM,     [RCP_ON_COND] = RCP_SYNC_COND,
};

uint8_t rcp_explore_outcome_of(const rcp_outside *row) {
    if (row && row->model == RCP_MODEL_SYNC)
        return row->sync.patience == RCP_PATIENCE_WAITS ? RCP_OUTCOME_ONE : RCP_OUTCOME_TRIES;
    return row && row->roles & RCP_ROLE_OUTCOME ? RCP_OUTCOME_OTHER : RCP_OUTCOME_ONE;
}

static bool names_one(LLVMModuleRef module) {
    size_t len;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) &&
            rcp_explore_outcome_of(rcp_outside_find(LLVMGetValueName2(f, &len))) != RCP_OUTCOME_ONE)
            return true;
    return false;
}

rcp_code rcp_explore_may_fail(const char *directory, bool *may) {
    rcp_text path = {0};
    rcp_program program;
    rcp_image_file *image = NULL;
    rcp_text_printf(&path, "%s/image", directory);
    rcp_program_init(&program, directory);
    rcp_code code = rcp_image_open(path.at, &image);
    if (code == RCP_OK)
        code = rcp_program_add_part(&program, image, 0, NULL, NULL);
    *may = code == RCP_OK && rcp_image_seek(image, 1) == RCP_OK; /* libraries that were loaded later */
    if (code == RCP_OK && !*may)
        rcp_clear_causes();
    for (size_t i = 0; code == RCP_OK && !*may && i < program.units.len; i++)
        *may = names_one(program.units.at[i]->module);
    if (image)
        rcp_image_close(image);
    rcp_program_finish(&program);
    rcp_text_finish(&path);
    return code;
}

/* --- records --- */

static void queue(rcp_explore_lane *lane, rcp_log_record record) {
    record.thread = lane->thread;
    rcp_vec_push(&lane->queue, record);
}

static void queue_return(rcp_explore_lane *lane, uint64_t value) {
    queue(lane, (rcp_log_record){.tag = value ? RCP_LOG_RETURN : RCP_LOG_RETURN_0, .value = value});
}

/* --- synchronisation --- */

/* What nobody has used yet is what its first words say: glibc's mutexes have their kind in the fifth. */
static bool kind_of_fresh(rcp_exploring *x, const rcp_outside *o, uint64_t address, uint8_t *kind) {
    enum { WORDS = 5, KIND = 4, RECURSIVE = 1 };
    int32_t words[WORDS];
    *kind = objects[o->sync.object];
    if (!rcp_explore_is_object(x, address, sizeof words) || *kind == RCP_SYNC_SPIN || *kind == RCP_SYNC_SEM)
        return false;
    rcp_space_read(x->run->m.space, address, words, sizeof words);
    if (*kind != RCP_SYNC_MUTEX)
        return true;
    for (int i = 0; i < KIND; i++)
        if (words[i])
            return false;
    if (words[KIND] & ~3)
        return false;
    *kind = (words[KIND] & 3) == RECURSIVE ? RCP_SYNC_RECURSIVE : RCP_SYNC_MUTEX;
    return true;
}

/* Is what it would do defined? */
static bool is_defined(rcp_exploring *x, const rcp_strand *t, const rcp_outside *o, const rcp_log_record *r,
                       const rcp_explore_lock *object) {
    bool holds = object && object->owner == x->lane->thread + 1;
    if (object && object->is_dead)
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s' of what was destroyed", o->name);
    else if (r->op == RCP_SYNC_ACQUIRE && holds && o->sync.patience != RCP_PATIENCE_TRIES &&
             r->object != RCP_SYNC_RECURSIVE)
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s' of a lock that it holds", o->name);
    else if ((r->op == RCP_SYNC_RELEASE || r->op == RCP_SYNC_RELEASE_SHARED) &&
             !rcp_explore_is_enabled(x, x->lane, r, 0))
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s' of a lock that it does not hold", o->name);
    else if (o->sync.patience == RCP_PATIENCE_TIMED) {
        uint64_t at = rcp_explore_argument(t, o->sync.clock), time[2] = {0, UINT64_MAX};
        if (rcp_explore_is_object(x, at, sizeof time))
            rcp_space_read(x->run->m.space, at, time, sizeof time);
        if (time[1] >= 1000000000)
            rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s' with no time", o->name);
    }
    return x->lane->end == RCP_EXPLORE_GOES_ON;
}

/* The mutex that it waits with is its own: let go, and had again when somebody has called. */
static bool model_wait(rcp_exploring *x, const rcp_strand *t, rcp_log_record r) {
    rcp_explore_lane *lane = x->lane;
    r.second = rcp_explore_argument(t, 1);
    const rcp_explore_lock *mutex = rcp_explore_lock_of(x, r.second);
    if (!mutex || mutex->owner != lane->thread + 1 || mutex->depth != 1) {
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "a wait with a lock that it does not hold once");
        return false;
    }
    r.second_object = mutex->kind;
    queue(lane, r);
    r.op = RCP_SYNC_WAKE;
    queue(lane, r);
    queue_return(lane, 0);
    return true;
}

static bool model_sync(rcp_exploring *x, const rcp_strand *t, const rcp_outside *o) {
    rcp_explore_lane *lane = x->lane;
    uint64_t address = rcp_explore_argument(t, 0);
    const rcp_explore_lock *object = rcp_explore_lock_of(x, address);
    rcp_log_record r = {.tag = RCP_LOG_SYNC, .op = ops[o->sync.does], .address = address, .thread = lane->thread};
    if (object)
        r.object = object->kind;
    else if (!kind_of_fresh(x, o, address, &r.object)) {
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s' at 0x%llx, which the recorded run did not use", o->name,
                         (unsigned long long)address);
        return false;
    }
    if (r.object == RCP_SYNC_SEM && !object->is_counted) {
        rcp_explore_stop(x, RCP_EXPLORE_SYNC, "'%s' of a semaphore whose count is not known", o->name);
        return false;
    }
    if (r.op == RCP_SYNC_RELEASE && object && !object->owner && object->shared)
        r.op = RCP_SYNC_RELEASE_SHARED;
    if (!is_defined(x, t, o, &r, object))
        return false;
    if (r.op == RCP_SYNC_WAIT)
        return model_wait(x, t, r);
    bool enabled = rcp_explore_is_enabled(x, lane, &r, 0);
    lane->is_timed = !enabled && o->sync.patience == RCP_PATIENCE_TIMED;
    if (!enabled && o->sync.patience != RCP_PATIENCE_TRIES && !(lane->is_timed && lane->is_late))
        return false;
    lane->is_timed = lane->is_late = false;
    r.outcome = enabled ? RCP_SYNC_DONE : o->sync.patience == RCP_PATIENCE_TRIES ? RCP_SYNC_FAILED : RCP_SYNC_TIMEOUT;
    queue(lane, r);
    queue_return(lane, enabled ? 0 : (uint32_t)o->sync.busy);
    lane->has_lost_errno |= !enabled && o->sync.is_in_errno;
    return true;
}

/* --- all else --- */

/* A function of the program's own that is not recorded has a name, and nothing is known by it. */
static const char *name_for_people(const rcp_exploring *x, const rcp_strand *t) {
    const char *name = rcp_explore_callee(x, t);
    return *name ? name : "a function that has no name here";
}

bool rcp_explore_model(rcp_exploring *x, const rcp_strand *t, const rcp_asked *asked, bool is_near) {
    const char *name = name_for_people(x, t);
    const rcp_outside *row = rcp_explore_row(x, t);
    bool done = false;
    if (row && row->model == RCP_MODEL_SYNC)
        return model_sync(x, t, row);
    if (row && rcp_explore_model_memory(x, t, row, &done) && (done || x->lane->end != RCP_EXPLORE_GOES_ON))
        return done;
    if (asked->kind == RCP_OUTSIDE_PRINTS && !rcp_explore_is_result_used(t)) {
        queue_return(x->lane, 0);
        return true;
    }
    if (row && row->roles & RCP_ROLE_ENDS)
        rcp_explore_stop(x, RCP_EXPLORE_EXIT, "'%s'", name);
    else if (is_near)
        rcp_explore_stop(x, RCP_EXPLORE_INPUT, "something else flows into '%s' than in the recorded run", name);
    else
        rcp_explore_stop(x, asked->kind == RCP_OUTSIDE_SYNC ? RCP_EXPLORE_SYNC : RCP_EXPLORE_OPAQUE,
                         "'%s', which the recorded run did not call here", name);
    return false;
}
