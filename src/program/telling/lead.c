/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/lead.h"

#include "program/telling/telling.h"

/* The machine's context is its first member: that is all that the interpreter of the first re-execution looks at. */
typedef struct leading {
    rcp_telling telling;
    const char *directory;
    rcp_opaque_file opaque; /* what the user says of functions */
    const rcp_lead_purpose *purpose;
    uint64_t told_max; /* the trace ends when it has this many events */
    bool has_begun;
} leading;

static rcp_telling *telling_of(const rcp_machine *m) { return m->context; }
static leading *leading_of(const rcp_machine *m) { return m->context; }

uint64_t rcp_lead_told(const rcp_run *run) { return rcp_sink_next(telling_of(&run->m)->sink).v; }
void rcp_lead_note(rcp_run *run, rcp_notes *notes) { telling_of(&run->m)->notes = notes; }

/* What the events that are told now come from. */
static void note_cause(const rcp_machine *m, uint64_t cause) {
    if (telling_of(m)->notes)
        telling_of(m)->notes->record = cause;
}

static rcp_pause interpret_terms(rcp_machine *m) {
    note_cause(m, RCP_NOTED_INSTRUCTION);
    return rcp_symbolic_interpret(m);
}

static rcp_code begin(leading *l, rcp_machine *m) {
    const rcp_lead_purpose *purpose = l->purpose;
    rcp_telling *telling = &l->telling;
    l->has_begun = true;
    rcp_telling_init(telling, m, purpose->sharing, purpose->sink);
    telling->reachable.file = &l->opaque;
    telling->watches = purpose->watches;
    RCP_TRY(rcp_opaque_file_read(&l->opaque, l->directory));
    if (!purpose->sink)
        return RCP_OK;
    const rcp_teller teller = rcp_sink_teller(purpose->sink);
    m->shadow = telling->symbolic = rcp_symbolic_create(m->space, &teller);
    rcp_symbolic_override(telling->symbolic, purpose->change);
    rcp_sink_begin(purpose->sink, telling);
    return RCP_OK;
}

static rcp_code part(rcp_machine *m, size_t first) {
    leading *l = leading_of(m);
    if (!l->has_begun)
        RCP_TRY(begin(l, m));
    rcp_telling_part(&l->telling, first);
    return RCP_OK;
}

static rcp_code record(rcp_machine *m) {
    note_cause(m, RCP_NOTED_RECORD(m->record.at));
    rcp_telling_record(telling_of(m));
    return RCP_OK;
}

static void callback(rcp_machine *m, rcp_strand *t, const rcp_log_record *from) {
    note_cause(m, RCP_NOTED_RECORD(from->at));
    rcp_telling_callback(telling_of(m), t, from);
}

static rcp_code callback_end(rcp_machine *m, rcp_strand *t) {
    note_cause(m, RCP_NOTED_HANDLER_END);
    rcp_telling_callback_end(telling_of(m), t);
    return RCP_OK;
}

static rcp_code left(rcp_machine *m, rcp_strand *t) {
    rcp_telling_leave(telling_of(m), t);
    return RCP_OK;
}

static void returned(rcp_machine *m, rcp_strand *t, uint64_t result) { rcp_telling_return(telling_of(m), t, result); }

static void unwound(rcp_machine *m, rcp_strand *t, size_t keep) { rcp_telling_unwind(telling_of(m), t, keep); }

static rcp_code effect(rcp_machine *m) {
    rcp_machine_effect(m);
    rcp_telling_effect(telling_of(m), &m->record);
    return RCP_OK;
}

static void miss(rcp_machine *m, rcp_strand *t, const rcp_ins *ins, const uint8_t bytes[64]) {
    const rcp_log_record *r = &m->record;
    rcp_telling *telling = telling_of(m);
    if (telling->notes)
        rcp_notes_miss(telling->notes, m->space, r->at, r->address, bytes,
                       rcp_sharing_has_noted(telling->sharing, r->at, RCP_ODD_FIRST));
    rcp_telling_miss(telling, t, ins, r->address, bytes);
    rcp_space_write(m->space, r->address, bytes, 64);
}

static rcp_code lead_sharing(rcp_run *run) {
    RCP_TRY(rcp_run_follow_log(run));
    rcp_telling_end(telling_of(&run->m));
    return RCP_OK;
}

static bool is_watched_out(const rcp_watches *watches) {
    bool is_over = true;
    for (size_t i = 0; i < watches->n; i++)
        is_over &= watches->at[i].is_over;
    return is_over;
}

static rcp_code lead_watching(rcp_run *run) {
    const leading *l = leading_of(&run->m);
    RCP_TRY(rcp_run_begin(run));
    while (!rcp_run_is_over(run) && !is_watched_out(l->purpose->watches))
        RCP_TRY(rcp_run_follow(run));
    return RCP_OK;
}

/* A moment to go back to; or this process goes on from one, as it was asked to. */
static rcp_code reach_checkpoint(leading *l, rcp_run *run) {
    rcp_again again;
    rcp_checkpoints *checkpoints = l->purpose->checkpoints;
    if (!rcp_checkpoints_reach(checkpoints, rcp_run_executed(run), rcp_lead_told(run), &again))
        return RCP_OK;
    if (again.question)
        rcp_checkpoints_reply(checkpoints, run, &again);
    l->told_max = again.upto;
    return rcp_sink_again(l->purpose->sink, &again);
}

static rcp_code lead_terms(rcp_run *run) {
    leading *l = leading_of(&run->m);
    RCP_TRY(rcp_run_begin(run));
    while (!rcp_run_is_over(run) && !run->m.is_cut) {
        if (l->purpose->checkpoints)
            RCP_TRY(reach_checkpoint(l, run));
        if (rcp_lead_told(run) >= l->told_max)
            break;
        RCP_TRY(rcp_run_follow(run));
    }
    if (!l->purpose->change)
        rcp_sink_deadlock(l->purpose->sink, rcp_run_is_over(run) && !run->m.is_cut);
    rcp_telling_end(&l->telling);
    return RCP_OK;
}

#define BOTH                                                                                                           \
    .part = part, .record = record, .callback = callback, .callback_end = callback_end, .left = left,                  \
    .returned = returned, .unwound = unwound, .effect = effect, .miss = miss
static const rcp_client sharing_client = {.interpret = rcp_telling_interpret, .lead = lead_sharing, BOTH};
static const rcp_client terms_client = {.interpret = interpret_terms, .lead = lead_terms, BOTH};

static const rcp_client watching_client = {.interpret = rcp_telling_interpret, .lead = lead_watching, BOTH};

static rcp_code execute(const char *directory, const rcp_client *client, const rcp_lead_purpose *purpose,
                        rcp_reexecution *result) {
    leading l = {.directory = directory, .purpose = purpose, .told_max = UINT64_MAX};
    const rcp_purpose wanted = {.client = client,
                                .context = &l.telling,
                                .is_careful = purpose->checkpoints, /* for the concrete checker */
                                .until = purpose->end.until,
                                .may_be_cut = purpose->end.may_be_cut,
                                .most = purpose->end.most,
                                .stops = purpose->end.stops,
                                .n_stops = purpose->end.n_stops,
                                .names = purpose->names};
    rcp_code code = rcp_reexecute_for(directory, &wanted, result);
    if (l.has_begun)
        rcp_telling_finish(&l.telling);
    rcp_symbolic_destroy(l.telling.symbolic);
    rcp_opaque_file_finish(&l.opaque);
    return code;
}

rcp_code rcp_lead_sharing(const char *directory, rcp_lead_end end, rcp_sharing *sharing, rcp_thread_names *names,
                          rcp_reexecution *result) {
    const rcp_lead_purpose purpose = {.sharing = sharing, .names = names, .end = end};
    return execute(directory, &sharing_client, &purpose, result);
}

rcp_code rcp_lead_terms(const char *directory, const rcp_lead_purpose *purpose, rcp_reexecution *result) {
    return execute(directory, &terms_client, purpose, result);
}

rcp_code rcp_watches_run(rcp_watches *watches, const char *directory) {
    rcp_reexecution result;
    rcp_thread_names *names = rcp_thread_names_create();
    rcp_sharing *sharing = rcp_sharing_create();
    const rcp_lead_purpose purpose = {.sharing = sharing, .names = names, .watches = watches};
    rcp_code code = execute(directory, &watching_client, &purpose, &result);
    rcp_sharing_destroy(sharing);
    rcp_thread_names_destroy(names);
    return code;
}
