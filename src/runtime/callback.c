/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of leaving instrumented code and coming back (abi/hooks.h), by calls, callbacks, landing pads and jumps. */
#include "runtime/answers.h"
#include "runtime/baton.h"
#include "runtime/clock.h"
#include "runtime/lifecycle.h"
#include "runtime/loaded.h"
#include "runtime/logging.h"
#include "runtime/rounding.h"
#include "runtime/tracer.h"
#include "runtime/values.h"
#include "runtime/world.h"

#include <string.h>

/* What three of the hooks do, with where the stack of who calls them ends (keep.c). */
void rcp_hook_returned(uint64_t value, uint64_t frame);
void rcp_hook_returned_wide(const void *value, uint64_t size, uint64_t frame);
void rcp_hook_callback(uint64_t function, uint32_t arguments, uint64_t frame);

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

static bool is_own_stack(const rcp_thread *self, uint64_t at) {
    return at < self->native_top && self->native_top - at < self->native_size;
}

/* What calls from a frame that lies at or above a callback's on the stack shows that the callback's is gone: an
 * exception that it let pass, or a jump, has ended in code that is not recorded, where nothing said so. (One on another
 * stack is not known to be.) */
static void leave_behind(rcp_thread *self, uint64_t above) {
    uint64_t n = 0;
    for (const rcp_callback *c; self->hot->depth && is_own_stack(self, above); n++) {
        c = &self->callbacks[self->hot->depth - 1];
        if (c->frame >= above || !is_own_stack(self, c->frame))
            break;
        self->hot->depth--;
        self->hot->stack = c->stack;
    }
    if (n)
        rcp_log_left(n);
}

/* In the frame that made the call; where a handler was left, none is called at this depth. */
static rcp_thread *come_back_to(uint64_t frame) {
    rcp_thread *self = come_back();
    if (!self || !self->hot->depth || self->callbacks[self->hot->depth - 1].frame >= frame)
        return self;
    leave_behind(self, frame);
    self->callbacks[self->hot->depth].word = 0;
    return self;
}

/* In instrumented code again. */
static void go_on(rcp_thread *self) {
    if (!rcp_rounding_is_usual())
        rcp_log_unseen(RCP_UNSEEN_ROUNDING);
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

void rcp_hook_returned(uint64_t value, uint64_t frame) {
    rcp_thread *self = come_back_to(frame);
    if (!self)
        return;
    rcp_loaded_look(self->hot->outside, value);
    rcp_log_returned(self, value);
    go_on(self);
}

void rcp_hook_returned_wide(const void *value, uint64_t size, uint64_t frame) {
    rcp_thread *self = come_back_to(frame);
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
    self->callbacks[depth].word = 0; /* a handler may have been left */
    if (value)
        rcp_log_jump(buffer, value);
    else
        rcp_log_returned(self, 0);
    go_on(self);
}

void rcp_hook_callback(uint64_t function, uint32_t arguments, uint64_t frame) {
    if (!__recipe_thread.stack)
        rcp_thread_adopt();
    rcp_thread *self = rcp_self;
    if (!self)
        return;
    bool gave = self->given;
    rcp_thread_enter(self);
    rcp_values_flush(self);
    if (!RCP_CALLBACK_SIGNAL(self->callbacks[self->hot->depth].word)) /* a handler's frame has nothing to do with it */
        leave_behind(self, frame + 1);
    uint64_t outside = self->hot->outside;
    if (outside == RCP_OUTSIDE_STOPPED_AGAIN)
        rcp_log_stop(self, self->hot->position);
    if (outside == RCP_OUTSIDE_STOPPED)
        outside = RCP_OUTSIDE_STOPPED_AGAIN;
    rcp_callback *entry = &self->callbacks[self->hot->depth++];
    const uint32_t signal = RCP_CALLBACK_SIGNAL(entry->word);
    entry[0] = (rcp_callback){outside | (gave ? RCP_CALLBACK_GAVE : 0) |
                                  RCP_CALLBACK_OF_SIGNAL(signal ? RCP_LOG_SAME_SIGNAL : 0),
                              frame, self->hot->stack};
    entry[1].word = 0;
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
    uint64_t entry = self->callbacks[--self->hot->depth].word;
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
    self->callbacks[depth].word = 0;
    rcp_log_landing(self, function, pad, exception, selector);
    go_on(self);
}

void __recipe_value(uint64_t value) {
    rcp_thread *self = rcp_self;
    if (!rcp_rounding_is_usual())
        rcp_log_unseen(RCP_UNSEEN_ROUNDING);
    if (!self)
        return;
    if (self->lost) {
        self->event = (rcp_next_event){.kind = RCP_WHAT_TICK}; /* what comes next is not known yet */
        rcp_thread_stop(self, 0);
    }
    rcp_log_value(value);
}
