/* SPDX-License-Identifier: Apache-2.0 */
/* Where a deadlock ended the run: each thread that waits, and where, as facts of the trace. */
#include "program/recording/waits.h"
#include "program/telling/sink.h"
#include "program/telling/sink_state.h"

static const rcp_strand *strand_of(const rcp_machine *machine, uint32_t thread) {
    uint32_t index = rcp_map_get(&machine->strand_index, thread);
    return index == RCP_MAP_NONE ? NULL : machine->strands.at[index];
}

/* Where the strand's call is: it waits in there. */
static void put_places(rcp_sink *sink, const rcp_strand *strand, rcp_text *to) {
    const rcp_place place = *rcp_sink_place_of(sink, strand->frames.at[strand->frames.len - 1].routine, strand->pc);
    rcp_waits_put_places(to, sink->defs, place.loc, rcp_sink_stack_of(sink, strand, &place));
}

static const char *call_of(rcp_sink *sink, uint32_t thread) {
    const rcp_visits *visits = rcp_telling_visits(sink->telling, thread);
    return visits->len ? visits->at[visits->len - 1].name : NULL;
}

void rcp_sink_deadlock(rcp_sink *sink, bool is_whole) {
    const struct rcp_log_deadlock *deadlock = rcp_log_borrow_deadlock(sink->machine->log);
    for (uint32_t i = 0; deadlock && i < deadlock->listed; i++) {
        const struct rcp_log_wait *w = &deadlock->wait[i];
        const rcp_strand *strand = is_whole ? strand_of(sink->machine, w->thread) : NULL;
        bool is_there = strand && strand->state == RCP_STRAND_OUTSIDE && strand->frames.len;
        bool is_held = w->holder != RCP_LOG_NOBODY && w->holder != RCP_LOG_GONE;
        char variable[128] = "";
        rcp_text places = {0}, fact = {0};
        if (is_there)
            put_places(sink, strand, &places);
        if (w->kind != RCP_SYNC_THREAD)
            rcp_sink_name_of(sink, w->address, variable);
        const char *call = is_there ? call_of(sink, w->thread) : NULL;
        rcp_waits_put(&fact, &(rcp_waiting){.wait = w,
                                            .thread = rcp_thread_names_borrow(sink->names, w->thread),
                                            .holder = is_held ? rcp_thread_names_borrow(sink->names, w->holder) : NULL,
                                            .variable = variable,
                                            .call = call,
                                            .places = places.at});
        rcp_defs_fact(sink->defs, RCP_WAITS_FACT, fact.at);
        rcp_text_finish(&places);
        rcp_text_finish(&fact);
    }
}
