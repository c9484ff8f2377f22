/* SPDX-License-Identifier: Apache-2.0 */
#include "program/machine/reexecute.h"

#include "abi/run.h"
#include "base/clock.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/tally.h"

#include <inttypes.h>

typedef rcp_run run;

static void sum_up(run *r) {
    rcp_reexecution *s = r->result;
    rcp_machine *m = &r->m;
    for (size_t i = 0; i < m->strands.len; i++)
        s->events += m->strands.at[i]->position;
    s->log_bytes = rcp_log_consumed(m->log);
    s->log_length = rcp_log_length(m->log);
    s->misses = rcp_log_borrow_header(m->log)->misses;
    s->compared = m->values ? m->values->at : 0;
    s->pages = m->space->pages;
    s->share = rcp_machine_share(m);
    if (m->is_cut)
        s->cut = (rcp_cut){m->record.at, rcp_strand_stands(m->current)};
    for (int op = 0; m->counts && op < RCP_INS_OP_COUNT; op++) {
        uint64_t n = m->counts[op];
        s->instructions += n;
        s->loads += op >= RCP_INS_LOAD_8 && op <= RCP_INS_LOAD_WIDE ? n : 0;
        s->stores += op >= RCP_INS_STORE_8 && op <= RCP_INS_STORE_WIDE ? n : 0;
        s->atomics += op == RCP_INS_RMW || op == RCP_INS_EXCHANGE ? n : 0;
        s->fences += op == RCP_INS_FENCE ? n : 0;
        s->branches += op >= RCP_INS_BRANCH && op <= RCP_INS_INDIRECT ? n : 0;
        s->ticks += op == RCP_INS_TICK ? n : 0;
        s->copies += op == RCP_INS_COPY ? n : 0;
        s->fills += op == RCP_INS_FILL ? n : 0;
        s->calls += op == RCP_INS_LEAVE ? n : 0;
    }
}

static rcp_code execute(run *r, const char *dir, const rcp_purpose *purpose) {
    char *log = rcp_file_take_path(dir, "log"), *image = rcp_file_take_path(dir, "image"),
         *values = rcp_file_take_path(dir, "values");
    rcp_machine *m = &r->m;
    const double began = rcp_seconds_now(), end = rcp_deadline();
    rcp_code code = rcp_log_open(log, &m->log);
    if (code == RCP_OK)
        code = rcp_turns_read(log, &r->turns);
    m->log_end = purpose->until.byte ? purpose->until.position : r->turns.last;
    m->may_be_cut = purpose->may_be_cut;
    m->most = purpose->most ? purpose->most : UINT64_MAX;
    m->stops = purpose->stops;
    m->n_stops = purpose->n_stops;
    if (code == RCP_OK && purpose->until.byte)
        rcp_log_cut(m->log, purpose->until.byte);
    if (code == RCP_OK)
        code = rcp_image_open(image, &r->image);
    if (code == RCP_OK)
        code = rcp_run_add_part(r, 0);
    if (code == RCP_OK && m->client == &rcp_client_values &&
        rcp_log_borrow_header(m->log)->flags & RCP_RUN_LOG_VALUES) {
        code = rcp_values_open(values, &r->values);
        m->values = &r->values;
        r->result->has_values = true;
    }
    if (code == RCP_OK) {
        double from = rcp_seconds_now();
        r->result->loading = from - began;
        /* nothing is cut off for that: a short run of a large program would be told in no time, but for it */
        rcp_deadline_set(end > 0 && purpose->may_be_cut ? end + r->result->loading : end);
        if (m->client->part)
            code = m->client->part(m, 0);
        if (code == RCP_OK)
            code = m->client->lead ? m->client->lead(r) : rcp_run_follow_log(r);
        r->result->seconds = rcp_seconds_now() - from;
        rcp_deadline_set(end);
        r->result->is_narrow = rcp_program_is_narrow(&r->program);
        sum_up(r);
    }
    rcp_release(log);
    rcp_release(image);
    rcp_release(values);
    return code;
}

/* The variable's bytes; of several that have the name, the first one's. */
static rcp_code memory_of(run *r, const char *variable, rcp_text *bytes) {
    for (size_t u = 0; u < r->program.units.len; u++) {
        const rcp_unit *unit = r->program.units.at[u];
        LLVMValueRef global = LLVMGetNamedGlobal(unit->module, variable);
        uint64_t address = global ? rcp_unit_address(unit, global) : 0;
        if (!address || LLVMIsDeclaration(global))
            continue;
        uint64_t size = LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(global));
        char *copy = rcp_alloc(size);
        rcp_space_read(&r->space, address, copy, size);
        rcp_text_add(bytes, copy, size);
        rcp_release(copy);
        return RCP_OK;
    }
    return rcp_fail(RCP_BAD_INPUT, "no recorded code defines a global variable '%s'", variable);
}

static void begin(run *r, const char *dir, const rcp_purpose *purpose) {
    rcp_machine *m = &r->m;
    rcp_program_init(&r->program, dir);
    rcp_space_init(&r->space);
    m->client = purpose->client ? purpose->client : &rcp_client_values;
    m->context = purpose->context;
    m->program = &r->program;
    m->space = &r->space;
    m->names = purpose->names ? purpose->names : rcp_thread_names_create();
    rcp_map_init(&m->strand_index);
    if (purpose->count)
        m->counts = rcp_alloc_zero(RCP_INS_OP_COUNT, sizeof *m->counts);
    r->program.is_careful = purpose->is_careful;
}

static void finish(run *r, const rcp_purpose *purpose) {
    rcp_machine *m = &r->m;
    for (size_t i = 0; i < m->strands.len; i++)
        rcp_strand_destroy(m->strands.at[i]);
    rcp_vec_finish(&m->strands);
    rcp_map_finish(&m->strand_index);
    if (!purpose->names)
        rcp_thread_names_destroy(m->names);
    rcp_release(m->counts);
    rcp_values_close(&r->values);
    rcp_turns_finish(&r->turns);
    rcp_image_close(r->image);
    rcp_log_close(m->log);
    rcp_program_finish(&r->program);
    rcp_space_finish(&r->space);
}

rcp_code rcp_reexecute_for(const char *dir, const rcp_purpose *purpose, rcp_reexecution *result) {
    *result = (rcp_reexecution){0};
    run r = {.result = result, .m.turn_end = UINT64_MAX};
    rcp_tally_count(RCP_TALLY_REEXECUTIONS);
    begin(&r, dir, purpose);
    rcp_code code = execute(&r, dir, purpose);
    if (code == RCP_OK && purpose->variable)
        code = memory_of(&r, purpose->variable, purpose->bytes);
    finish(&r, purpose);
    return code;
}

rcp_code rcp_reexecute(const char *dir, bool count, rcp_reexecution *result) {
    const rcp_purpose purpose = {.count = count};
    return rcp_reexecute_for(dir, &purpose, result);
}

rcp_code rcp_reexecute_memory(const char *dir, const char *variable, rcp_text *bytes) {
    const rcp_purpose purpose = {.variable = variable, .bytes = bytes};
    rcp_reexecution result;
    return rcp_reexecute_for(dir, &purpose, &result);
}
