/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/older.h"

#include "runtime/meeting.h"

#include <string.h>

static struct {
    const struct rcp_run_config *config;
    struct rcp_run_outcome *outcome; /* NULL: none is asked for */
    const rcp_thread *reader;        /* stands before the read; NULL: not yet, or not any more */
    bool is_kept;
} older;

void rcp_older_start(const struct rcp_run_config *config, struct rcp_run_outcome *outcome) {
    older.config = config;
    older.outcome = outcome;
}

void rcp_older_forget(void) {
    older.outcome = NULL;
    older.reader = NULL;
}

void rcp_older_look(uint64_t step) {
    if (!older.outcome || older.is_kept || step < older.config->older_step)
        return;
    const struct rcp_run_access *read = &older.config->race[1];
    struct rcp_run_met *met = &older.outcome->met[0];
    bool is_there = rcp_meeting_stands(&older.config->race[0], met) && met->address <= read->address &&
                    read->address + read->size <= met->address + met->size;
    /* of the write nothing else is of interest */
    met->address = read->address;
    met->size = read->size;
    met->known = rcp_meeting_peek(met->address, met->size, met->before);
    if (!is_there || met->known != met->size)
        rcp_meeting_lose(older.outcome, RCP_RUN_MISSED, "no thread is about to make the write that was recorded");
    older.is_kept = true;
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

bool rcp_older_choose(rcp_choice *choice) {
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
