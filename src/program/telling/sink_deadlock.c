/* SPDX-License-Identifier: Apache-2.0 */
/* Where a deadlock ended the run: each thread that waits, and where, as facts of the trace. */
#include "base/json.h"
#include "program/recording/waits.h"
#include "program/telling/sink.h"
#include "program/telling/sink_state.h"

static void put_place(rcp_text *to, const rcp_location *at, const char *file) {
    rcp_text_puts(to, at->file.v ? file : "?");
    if (at->line)
        rcp_text_printf(to, ":%u", at->line);
    if (at->line && at->column)
        rcp_text_printf(to, ":%u", at->column);
}

/* "function file:line:column" */
static void put_frame(rcp_text *to, const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *at = &defs->locations.at[loc.v];
    rcp_text frame = {0};
    rcp_text_printf(&frame, "%s ", at->function.v ? rcp_defs_borrow_string(defs, at->function) : "?");
    put_place(&frame, at, rcp_defs_borrow_string(defs, at->file));
    rcp_json_quote(to, frame.at);
    rcp_text_finish(&frame);
}

static const rcp_strand *strand_of(const rcp_machine *machine, uint32_t thread) {
    uint32_t index = rcp_map_get(&machine->strand_index, thread);
    return index == RCP_MAP_NONE ? NULL : machine->strands.at[index];
}

/* Where the strand's call is: it waits in there. */
static void put_places(rcp_sink *sink, const rcp_strand *strand, rcp_text *to) {
    const rcp_defs *defs = sink->defs;
    const rcp_place place = *rcp_sink_place_of(sink, strand->frames.at[strand->frames.len - 1].routine, strand->pc);
    rcp_stack stack = rcp_sink_stack_of(sink, strand, &place);
    const rcp_location *at = &defs->locations.at[place.loc.v];
    rcp_json_put_string(to, "file", rcp_defs_borrow_string(defs, at->file));
    rcp_text_printf(to, ", \"line\": %u, \"column\": %u, ", at->line, at->column);
    rcp_json_put_string(to, "function", rcp_defs_borrow_string(defs, at->function));
    rcp_text_puts(to, ", \"stack\": [");
    put_frame(to, defs, place.loc);
    for (; stack.v; stack = defs->stacks.at[stack.v].caller) {
        rcp_text_puts(to, ", ");
        put_frame(to, defs, defs->stacks.at[stack.v].loc);
    }
    rcp_text_puts(to, "]");
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
