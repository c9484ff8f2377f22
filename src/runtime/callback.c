/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of leaving instrumented code and coming back (abi/hooks.h), by calls, callbacks, landing pads and jumps. */
#include "runtime/answers.h"
#include "runtime/baton.h"
#include "runtime/clock.h"
#include "runtime/lifecycle.h"
#include "runtime/logging.h"
#include "runtime/tracer.h"
#include "runtime/values.h"
#include "runtime/world.h"

#include <string.h>

static rcp_thread *come_back(void) {
    rcp_thread *self = rcp_self;
    if (!self) {
        __recipe_thread.outside = 0;
        return NULL;
    }
    rcp_thread_enter(self);
    rcp_values_flush(self);
    rcp_tracer_look();
    return self;
}

/* In instrumented code again. */
static void go_on(rcp_thread *self) {
    self->hot->outside = 0;
    rcp_thread_leave(self);
}

/* What it asks or says of time, ids and others nobody can step between. */
static void call_system(void) {
    rcp_world_meets(RCP_WORLD_TIME | RCP_WORLD_SOCKETS | RCP_WORLD_INPUT, "assembly of the program's calls the system");
    rcp_world_ids();
}

/* A counter has 64 bits, whatever comes with it; x86_64 gives them in two halves. */
void __recipe_clock(void *value, uint64_t size) {
    uint64_t now, n = size & (RCP_CLOCK_RANDOM - 1);
    bool counts = !(size & RCP_CLOCK_RANDOM) && n >= sizeof now && rcp_clock_is_fed();
    if (!rcp_self)
        return;
    if (size == RCP_CLOCK_SYSTEM) {
        call_system();
        return;
    }
    memcpy(&now, value, counts ? sizeof now : 0);
    bool known = rcp_answer_bytes(rcp_self, value, n);
    if (!counts)
        return;
    uint64_t recorded;
    memcpy(&recorded, value, sizeof recorded);
    uint64_t told = rcp_clock_counter(known ? &recorded : NULL, now);
    memcpy(value, &told, sizeof told);
}

void __recipe_returned(uint64_t value) {
    rcp_thread *self = come_back();
    if (!self)
        return;
    rcp_log_returned(self, value);
    go_on(self);
}

void __recipe_returned_wide(const void *value, uint64_t size) {
    rcp_thread *self = come_back();
    if (!self)
        return;
    rcp_log_returned_bytes(self, value, size);
    go_on(self);
}

void __recipe_setjmp_returned(uint64_t buffer, uint64_t value, uint64_t stack, uint64_t depth) {
    rcp_thread *self = come_back();
    __recipe_thread.stack = stack;
    __recipe_thread.depth = depth;
    if (!self)
        return;
    self->callbacks[depth] = 0; /* a handler may have been left */
    if (value)
        rcp_log_jump(buffer, value);
    else
        rcp_log_returned(self, 0);
    go_on(self);
}

void __recipe_callback(uint64_t function, uint32_t arguments) {
    if (!__recipe_thread.stack)
        rcp_thread_adopt();
    rcp_thread *self = rcp_self;
    if (!self)
        return;
    bool gave = self->given;
    rcp_thread_enter(self);
    rcp_values_flush(self);
    uint64_t outside = self->hot->outside;
    if (outside == RCP_OUTSIDE_STOPPED_AGAIN)
        rcp_log_stop(self, self->hot->position);
    if (outside == RCP_OUTSIDE_STOPPED)
        outside = RCP_OUTSIDE_STOPPED_AGAIN;
    uint64_t *entry = &self->callbacks[self->hot->depth++];
    const uint32_t signal = RCP_CALLBACK_SIGNAL(*entry);
    entry[0] = outside | (gave ? RCP_CALLBACK_GAVE : 0) | RCP_CALLBACK_OF_SIGNAL(signal ? RCP_LOG_SAME_SIGNAL : 0);
    entry[1] = 0;
    rcp_log_callback(function, arguments, signal);
}

void __recipe_argument(uint64_t value) {
    if (rcp_self)
        rcp_log_argument(value);
}

void __recipe_argument_wide(const void *value, uint64_t size) {
    if (rcp_self)
        rcp_log_argument_bytes(value, size);
}

void __recipe_entered(void) {
    rcp_thread *self = rcp_self;
    if (!self) {
        __recipe_thread.outside = 0;
        return;
    }
    rcp_log_commit();
    go_on(self);
}

void __recipe_exited(void) {
    rcp_thread *self = rcp_self;
    if (!self) {
        __recipe_thread.outside = 1;
        return;
    }
    rcp_values_flush(self);
    self->inside = true;
    rcp_sys_order();
    uint64_t entry = self->callbacks[--self->hot->depth];
    self->hot->outside = entry & RCP_CALLBACK_OUTSIDE;
    if (self->afterlife && !self->hot->depth)
        rcp_thread_end(self);
    else if (entry & RCP_CALLBACK_GAVE)
        rcp_give(self); /* back to the call that blocks */
    else
        rcp_outside(self);
}

void __recipe_landed(uint64_t function, uint32_t pad, uint64_t exception, uint64_t selector, uint64_t stack,
                     uint64_t depth) {
    rcp_thread *self = come_back();
    __recipe_thread.stack = stack;
    __recipe_thread.depth = depth;
    if (!self)
        return;
    self->callbacks[depth] = 0;
    rcp_log_landing(self, function, pad, exception, selector);
    go_on(self);
}

void __recipe_value(uint64_t value) {
    rcp_thread *self = rcp_self;
    if (!self)
        return;
    if (self->lost) {
        self->event = (rcp_next_event){.kind = RCP_WHAT_TICK}; /* what comes next is not known yet */
        rcp_thread_stop(self, 0);
    }
    rcp_log_value(value);
}
