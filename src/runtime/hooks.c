/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of memory: slow paths of what instrumented code does inline (abi/hooks.h).
 *
 * A thread that is not recorded (rcp_self is NULL) only keeps the shadow: without a log nobody needs more than that the
 * next comparison succeeds.
 */
#include "runtime/baton.h"
#include "runtime/logging.h"
#include "runtime/older.h"
#include "runtime/rounds.h"
#include "runtime/shadow.h"
#include "runtime/values.h"

#include <string.h>

/* What a thread finds that begins: `outside` is set, so that whatever instrumented code it enters first finds that it
 * was called from outside, and there the thread gets its stack; and nothing is precise. */
__thread struct rcp_hot __recipe_thread
    __attribute__((tls_model("initial-exec"))) = {.limit = UINT64_MAX, .outside = 1};

uint32_t __recipe_careful;

static uint64_t bytes_of(uint32_t what) { return UINT64_C(1) << RCP_WHAT_LOG2(what); }

/* Where instrumented code has called a hook: at once, or by way of what keeps its registers (keep.c), whose frame says
 * it. */
static uint64_t caller(uint64_t from, const char *keep, uint64_t *const *frame) {
    enum { KEEP_BYTES = 512 }; /* no NAME_keep is longer, and what comes after it calls no hook */
    return keep && from - (uint64_t)keep < KEEP_BYTES ? frame[0][1] : from;
}
#define CALLER(keep) caller((uint64_t)__builtin_return_address(0), keep, __builtin_frame_address(0))

static rcp_next_event event_of(uint64_t address, uint32_t what, uint64_t size, uint64_t code) {
    return (rcp_next_event){.kind = RCP_WHAT_KIND(what),
                            .is_atomic = what & RCP_WHAT_ATOMIC,
                            .address = address,
                            .size = size,
                            .code = code};
}

static uint64_t load(uint64_t address, uint64_t size) {
    uint64_t value = 0;
    if (address % size)
        memcpy(&value, (const void *)address, size);
    else if (size == 1)
        value = __atomic_load_n((const uint8_t *)address, __ATOMIC_SEQ_CST);
    else if (size == 2)
        value = __atomic_load_n((const uint16_t *)address, __ATOMIC_SEQ_CST);
    else if (size == 4)
        value = __atomic_load_n((const uint32_t *)address, __ATOMIC_SEQ_CST);
    else
        value = __atomic_load_n((const uint64_t *)address, __ATOMIC_SEQ_CST);
    return value;
}

__attribute__((noinline)) static uint64_t load_slow(uint64_t address, uint64_t value, uint32_t what, uint64_t code) {
    rcp_thread *self = rcp_self;
    uint64_t size = bytes_of(what);
    if (!self) {
        rcp_shadow_check(NULL, 0, address, &value, size);
        return value;
    }
    uint32_t left = RCP_WHAT_LEFT(what);
    rcp_values_flush(self);
    self->event = event_of(address, what, size, code);
    if (rcp_thread_stop(self, left))
        value = rcp_older_take(self, load(address, size)); /* what was loaded is stale */
    rcp_shadow_check(self, self->hot->position - left, address, &value, size);
    if (self->rounds.loop)
        rcp_rounds_read(self, address, size, value);
    if (rcp_baton.values)
        rcp_values_event(self, RCP_WHAT_LOAD, address, &value, size);
    return value;
}

uint64_t __recipe_load_slow(uint64_t address, uint64_t value, uint32_t what) {
    return load_slow(address, value, what, CALLER(__recipe_load_slow_keep));
}

/* What is about to happen is in self->event. */
static void stop_before(rcp_thread *self, uint32_t what) {
    uint64_t address = self->event.address;
    uint32_t kind = self->event.kind == RCP_WHAT_EXCHANGE ? RCP_WHAT_RMW : self->event.kind;
    bool wide = RCP_WHAT_LOG2(what) == RCP_WHAT_WIDE;
    rcp_thread_stop(self, RCP_WHAT_LEFT(what));
    if (self->rounds.loop)
        rcp_rounds_event(self);
    if (!rcp_baton.values)
        return;
    switch (kind) {
    case RCP_WHAT_LOAD: break; /* a wide one: __recipe_load_wide has its value */
    case RCP_WHAT_STORE:
    case RCP_WHAT_RMW:
        if (!wide)
            rcp_values_expect(self, kind, address, bytes_of(what));
        break;
    default: rcp_values_event(self, kind, address, NULL, 0);
    }
}

__attribute__((noinline)) static void stop(uint64_t address, uint32_t what, uint64_t code) {
    rcp_thread *self = rcp_self;
    if (!self)
        return;
    rcp_values_flush(self);
    self->event = event_of(address, what, RCP_WHAT_KIND(what) == RCP_WHAT_CALL ? 0 : bytes_of(what), code);
    stop_before(self, what);
}

void __recipe_stop(uint64_t address, uint32_t what) { stop(address, what, CALLER(__recipe_stop_keep)); }

__attribute__((noinline)) static void stop_detail(uint64_t address, uint64_t detail, uint32_t what, uint64_t code) {
    rcp_thread *self = rcp_self;
    if (!self)
        return;
    bool wide = RCP_WHAT_LOG2(what) == RCP_WHAT_WIDE, compares = RCP_WHAT_KIND(what) == RCP_WHAT_EXCHANGE;
    rcp_values_flush(self);
    rcp_next_event event = event_of(address, what,
                                    !wide      ? bytes_of(what)
                                    : compares ? sizeof event.expected
                                               : detail,
                                    code);
    if (compares)
        memcpy(event.expected, wide ? (const void *)detail : &detail, event.size);
    self->event = event;
    stop_before(self, what);
}

void __recipe_stop_detail(uint64_t address, uint64_t detail, uint32_t what) {
    stop_detail(address, detail, what, CALLER(__recipe_stop_detail_keep));
}

void __recipe_branch(uint64_t condition) {
    rcp_thread *self = rcp_self;
    if (self && rcp_baton.values)
        rcp_values_event(self, RCP_WHAT_BRANCH, condition, NULL, 0);
}

__attribute__((noinline)) static void miss(uint64_t address, uint64_t value, uint32_t what) {
    rcp_thread *self = rcp_self;
    rcp_shadow_check(self, self ? self->hot->position - RCP_WHAT_LEFT(what) : 0, address, &value, bytes_of(what));
}

void __recipe_miss(uint64_t address, uint64_t value, uint32_t what) { miss(address, value, what); }

void __recipe_load_wide(uint64_t address, const void *value, uint64_t size, uint32_t left) {
    rcp_thread *self = rcp_self;
    if (memcmp((const void *)(address ^ RCP_SHADOW_KEY), value, size))
        rcp_shadow_check(self, self ? self->hot->position - left : 0, address, value, size);
    if (self && rcp_baton.values)
        rcp_values_event(self, RCP_WHAT_LOAD, address, value, size);
}

void __recipe_store_wide(uint64_t address, const void *value, uint64_t size) {
    memcpy((void *)(address ^ RCP_SHADOW_KEY), value, size);
    rcp_thread *self = rcp_self;
    if (self && rcp_baton.values)
        rcp_values_event(self, RCP_WHAT_STORE, address, value, size);
}

uint64_t __recipe_differ(const void *memory, const void *shadow, uint64_t size) {
    return memcmp(memory, shadow, size) != 0;
}

uint64_t __recipe_differ_rows(const void *memory, const void *shadow, uint64_t size, uint64_t step, uint64_t rows) {
    uint64_t one = (uint64_t)memory, other = (uint64_t)shadow;
    for (; rows; rows--, one += step, other += step)
        if (memcmp((const void *)one, (const void *)other, size))
            return 1;
    return 0;
}

/* An event of a hook that counts for itself: its position. */
static uint64_t own_event(rcp_thread *self, uint64_t events, rcp_next_event event) {
    struct rcp_hot *hot = self->hot;
    hot->position += events;
    if (__builtin_expect(hot->position > hot->limit, 0)) {
        self->event = event;
        rcp_thread_stop(self, (uint32_t)events);
        if (self->rounds.loop)
            rcp_rounds_event(self);
    }
    return hot->position - events;
}

void __recipe_copy(uint64_t to, uint64_t from, uint64_t size) {
    rcp_thread *self = rcp_self;
    uint64_t position = 0;
    if (self) {
        rcp_values_flush(self);
        position = own_event(
            self, 2,
            (rcp_next_event){.kind = RCP_WHAT_COPY, .address = to, .from = from, .size = size, .code = CALLER(NULL)});
    }
    if (size) {
        rcp_shadow_check_range(self, position, from, size);
        memmove((void *)(to ^ RCP_SHADOW_KEY), (const void *)(from ^ RCP_SHADOW_KEY), size);
    }
    if (self && rcp_baton.values)
        rcp_values_event(self, RCP_WHAT_COPY, to, (const void *)(to ^ RCP_SHADOW_KEY), size);
}

void __recipe_fill(uint64_t to, uint64_t byte, uint64_t size) {
    rcp_thread *self = rcp_self;
    if (self) {
        rcp_values_flush(self);
        own_event(self, 1, (rcp_next_event){.kind = RCP_WHAT_FILL, .address = to, .size = size, .code = CALLER(NULL)});
    }
    if (size)
        memset((void *)(to ^ RCP_SHADOW_KEY), (int)(uint8_t)byte, size);
    if (self && rcp_baton.values)
        rcp_values_event(self, RCP_WHAT_FILL, to, (const void *)(to ^ RCP_SHADOW_KEY), size);
}
