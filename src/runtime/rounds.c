/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/rounds.h"

#include "abi/shadow.h"
#include "runtime/stack.h"

#include <string.h>
#include <sys/uio.h>

/* No limits of base/limits.def: who counts or does that much in a round is taken for one that works, and that chooses
 * between runs that the program all has. */
enum { FEW = 16, LONGEST = 4096 };

static uint64_t shadow_of(const rcp_round_word *word) {
    uint64_t value = 0;
    memcpy(&value, (const void *)(word->address ^ RCP_SHADOW_KEY), word->size);
    return value;
}

void rcp_rounds_forget(rcp_thread *self) { self->rounds.loop = 0; }

static void write_down(rcp_thread *self, rcp_round_word word) {
    rcp_rounds *r = &self->rounds;
    for (uint32_t i = 0; i < r->n; i++)
        if (r->words[i].address == word.address && r->words[i].size == word.size) {
            r->words[i].is_changed_by_itself |= word.is_changed_by_itself;
            return;
        }
    if (r->n < RCP_ROUND_WORDS)
        r->words[r->n++] = word;
    else
        r->is_more = true;
}

static bool is_on_own_stack(const rcp_thread *self, uint64_t address) {
    return self->stack && address >= rcp_stack_bottom(self->stack) && address < rcp_stack_top(self->stack);
}

void rcp_rounds_read(rcp_thread *self, uint64_t address, uint64_t size, uint64_t value) {
    if (++self->rounds.events > LONGEST)
        rcp_rounds_forget(self);
    else
        write_down(self, (rcp_round_word){.address = address, .value = value, .size = (uint8_t)size});
}

/* About to happen; the thread can read what is there, or it will fault all the same. */
static void look_at_atomic(rcp_thread *self, const rcp_next_event *event) {
    rcp_round_word word = {.address = event->address, .size = (uint8_t)event->size, .is_changed_by_itself = true};
    if (event->size > 8) {
        rcp_rounds_forget(self);
        return;
    }
    memcpy(&word.value, (const void *)event->address, event->size);
    if (event->kind == RCP_WHAT_EXCHANGE) {
        if (!memcmp(&word.value, event->expected, event->size))
            rcp_rounds_forget(self); /* it will succeed */
        word.is_changed_by_itself = false;
    }
    write_down(self, word);
}

void rcp_rounds_event(rcp_thread *self) {
    const rcp_next_event *event = &self->event;
    if (++self->rounds.events > LONGEST) {
        rcp_rounds_forget(self);
        return;
    }
    switch (event->kind) {
    case RCP_WHAT_RMW:
    case RCP_WHAT_EXCHANGE: look_at_atomic(self, event); break;
    case RCP_WHAT_STORE:
    case RCP_WHAT_COPY:
    case RCP_WHAT_FILL:
        if (!is_on_own_stack(self, event->address))
            rcp_rounds_forget(self);
        break;
    case RCP_WHAT_CALL: self->rounds.calls += event->address != RCP_OUTSIDE_ASM; break;
    case RCP_WHAT_LOAD: self->rounds.is_more = true; break;
    default: break;
    }
}

void rcp_rounds_yield(rcp_thread *self) { self->rounds.calls--; }

void rcp_rounds_begin(rcp_thread *self, uint64_t loop) {
    rcp_rounds *r = &self->rounds;
    r->loop = loop;
    r->turn = self->turns;
    r->n = r->events = 0;
    r->calls = 0;
    r->is_more = false;
}

/* What the round has changed itself: an atomic operation has done something then; another word is the thread's own. Not
 * to be told where others have run meanwhile. */
static bool was_for_nothing(rcp_thread *self) {
    rcp_rounds *r = &self->rounds;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        bool same = shadow_of(&r->words[i]) == r->words[i].value;
        if (!same && r->words[i].is_changed_by_itself)
            return false;
        if (same || r->turn != self->turns)
            r->words[kept++] = r->words[i];
    }
    r->n = kept;
    return true;
}

bool rcp_rounds_end(rcp_thread *self, uint64_t loop) {
    rcp_rounds *r = &self->rounds;
    bool waits = r->loop == loop && was_for_nothing(self);
    r->loop = 0; /* handlers may run now */
    r->is_waiting = waits && r->n && !r->is_more && r->calls <= 0;
    return waits;
}

bool rcp_rounds_count(rcp_thread *self, uint64_t loop) {
    rcp_rounds *r = &self->rounds;
    if (r->counted != loop) {
        r->counted = loop;
        r->patience = FEW;
        r->count = 0;
    }
    if (++r->count < r->patience)
        return false;
    r->count = 0;
    r->patience *= 2;
    r->n = 0;
    r->is_waiting = false;
    return true;
}

bool rcp_rounds_may_go_on(const rcp_thread *t) {
    for (uint32_t i = 0; i < t->rounds.n; i++)
        if (shadow_of(&t->rounds.words[i]) != t->rounds.words[i].value)
            return true;
    return false;
}

bool rcp_rounds_waits(const rcp_thread *t) { return t->rounds.is_waiting && !rcp_rounds_may_go_on(t); }

bool rcp_rounds_has_changed(const rcp_thread *t) {
    for (uint32_t i = 0; i < t->rounds.n; i++) {
        const rcp_round_word *word = &t->rounds.words[i];
        uint64_t now = 0;
        struct iovec here = {&now, word->size}, there = {(void *)word->address, word->size};
        long pid = rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
        long n = rcp_sys(SYS_process_vm_readv, pid, (long)&here, 1, (long)&there, 1, 0);
        if (n != word->size || now != word->value)
            return true;
    }
    return false;
}
