/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/older.h"

#include "runtime/meeting.h"

#include <string.h>

static struct {
    const struct rcp_run_config *config;
    struct rcp_run_outcome *outcome; /* NULL: none is asked for */
    const rcp_thread *reader;        /* stands before the read; NULL: not yet, or not any more */
    bool is_kept;
    bool is_held_back; /* the late store was made, and has not come */
} older;

void rcp_older_start(const struct rcp_run_config *config, struct rcp_run_outcome *outcome) {
    older.config = config;
    older.outcome = outcome;
}

void rcp_older_forget(void) {
    older.outcome = NULL;
    older.reader = NULL;
}

static bool is_late(void) { return older.config->flags & RCP_RUN_LATE; }

static bool has(const struct rcp_run_met *met, const struct rcp_run_access *access) {
    return met->address <= access->address && access->address + access->size <= met->address + met->size;
}

/* Of the write nothing else is of interest than what is there before it: of the read's bytes, or of its own. */
static void keep(void) {
    const struct rcp_run_access *of = &older.config->race[!is_late()];
    struct rcp_run_met *met = &older.outcome->met[0];
    bool is_there = rcp_meeting_stands(&older.config->race[0], met) && has(met, of) &&
                    (!is_late() || (met->kind == RCP_WHAT_STORE && met->size == of->size));
    met->address = of->address;
    met->size = of->size;
    met->known = rcp_meeting_peek(met->address, met->size, met->before);
    if (!is_there || met->known != met->size)
        rcp_meeting_lose(older.outcome, RCP_RUN_MISSED, "no thread is about to make the write that was recorded");
    older.is_kept = true;
}

/* The store was made, and its thread stands before what comes next. The shadow keeps what was stored: so whoever loads
 * what is there now has it in the log. */
static void hold_back(void) {
    struct rcp_run_met *met = &older.outcome->met[0];
    memcpy(met->after, (const void *)met->address, met->size);
    if (older.config->first)
        memcpy((void *)met->address, met->before, met->size);
    older.is_held_back = true;
}

static void let_come(void) {
    const struct rcp_run_met *met = &older.outcome->met[0];
    if (older.config->first && older.is_held_back)
        memcpy((void *)met->address, met->after, met->size);
    older.is_held_back = false;
}

void rcp_older_look(uint64_t step) {
    if (!older.outcome || step < older.config->older_step)
        return;
    if (!older.is_kept)
        keep();
    else if (is_late() && step > older.config->older_step && !older.is_held_back)
        hold_back();
}

static void arrive(void) {
    const struct rcp_run_access *read = &older.config->race[1];
    struct rcp_run_met *met = &older.outcome->met[1];
    older.reader = rcp_meeting_find(read->role);
    if (!older.is_kept || !rcp_meeting_stands(read, met) || met->kind != RCP_WHAT_LOAD ||
        met->address != read->address || met->size != read->size || met->known != met->size)
        rcp_meeting_lose(older.outcome, RCP_RUN_MISSED, "no thread is about to make the read that was recorded");
    __atomic_store_n(&older.outcome->verdict, RCP_RUN_REACHED, __ATOMIC_RELEASE);
}

static bool choose_late(rcp_choice *choice) {
    if (older.outcome->verdict == RCP_RUN_ON_ITS_WAY) {
        const struct rcp_run_access *other = &older.config->race[1];
        rcp_meeting_begin_second(older.config, older.outcome);
        if (!older.is_held_back || (other->by == RCP_RUN_BY_CODE && !has(&older.outcome->met[1], other)))
            rcp_meeting_lose(older.outcome, RCP_RUN_MISSED, "no thread is about to make the access that was recorded");
    }
    if (rcp_meeting_choose(choice))
        return true;
    let_come();
    return false;
}

bool rcp_older_choose(rcp_choice *choice) {
    if (is_late())
        return choose_late(choice);
    if (older.outcome->verdict == RCP_RUN_ON_ITS_WAY)
        arrive();
    if (!older.reader || older.reader->state != RCP_THREAD_READY)
        return false;
    *choice = (rcp_choice){.thread = rcp_meeting_find(older.config->race[1].role), .until = older.reader->at + 1};
    return true;
}

uint64_t rcp_older_take(const rcp_thread *self, uint64_t value) {
    if (__builtin_expect(older.reader != self, 1))
        return value;
    const struct rcp_run_access *read = &older.config->race[1];
    struct rcp_run_met *met = &older.outcome->met[1];
    older.reader = NULL;
    if (self->at != read->position || self->event.address != read->address) /* a handler's, which came before it */
        return value;
    if (older.config->first)
        memcpy(&value, older.outcome->met[0].before, read->size);
    memcpy(met->after, &value, read->size);
    __atomic_store_n(&older.outcome->verdict, RCP_RUN_BOTH, __ATOMIC_RELEASE);
    return value;
}
