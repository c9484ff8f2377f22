/* SPDX-License-Identifier: Apache-2.0 */
/* What calls outside answered, for a replay to give back: DIR/answers (abi/run.h). */
#include "program/telling/sink_state.h"

#include "abi/run.h"
#include "base/limits.h"
#include "program/ir/steps.h"

#include <string.h>

static uint64_t callee_of(const rcp_strand *strand) {
    const rcp_activation *top = &strand->frames.at[strand->frames.len - 1];
    return strand->pc->k ? top->registers[strand->pc->a] : top->routine->calls.at[strand->pc->b].address;
}

static bool is_in_call(const rcp_sink *sink, const rcp_strand *strand) {
    return sink->answers && strand->state == RCP_STRAND_OUTSIDE && strand->frames.len &&
           strand->pc->op == RCP_INS_LEAVE;
}

static void put_bytes(rcp_sink *sink, const rcp_strand *strand, uint64_t callee, const void *bytes, uint64_t size) {
    static const uint8_t padding[8];
    const struct rcp_run_answer answer = {strand->number, strand->position, callee, size, 0};
    rcp_spool_put(sink->answers, &answer, sizeof answer);
    rcp_spool_put(sink->answers, bytes, size);
    rcp_spool_put(sink->answers, padding, -size % 8);
}

void rcp_sink_answer_effect(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    if (!is_in_call(sink, strand) || record->tag != RCP_LOG_EFFECT || record->size > rcp_limit(RCP_LIMIT_ANSWER_BYTES))
        return;
    put_bytes(sink, strand, callee_of(strand), record->bytes, record->size);
}

void rcp_sink_answer_assembly(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    const rcp_routine *routine = strand->frames.at[strand->frames.len - 1].routine;
    if (!is_in_call(sink, strand) || strand->pc->k || !routine->calls.at[strand->pc->b].is_assembly ||
        !rcp_steps_asks_machine(routine->origin.at[strand->pc - routine->code.at]))
        return;
    if (record->tag == RCP_LOG_RETURN)
        put_bytes(sink, strand, 0, &record->value, sizeof record->value);
    else
        put_bytes(sink, strand, 0, record->bytes, record->size);
}

void rcp_sink_answer_result(rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit, uint64_t result) {
    if (!is_in_call(sink, strand) || !(visit->called.roles & RCP_ROLE_ANSWERS))
        return;
    const struct rcp_run_answer answer = {strand->number, strand->position, callee_of(strand), RCP_RUN_RESULT, result};
    rcp_spool_put(sink->answers, &answer, sizeof answer);
}
