/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/sink_state.h"

#include "outside/outside.h"

#include <string.h>

/* The library computes these as recorded code could, or they are synchronisation and the heap, which have events, the
 * runtime's own, or the end of all. */
static bool is_like_code(const rcp_visit *visit, rcp_outside_kind kind) {
    return kind == RCP_OUTSIDE_SYNC || visit->outside->model != RCP_MODEL_NONE ||
           visit->called.roles & (RCP_ROLE_LINGERS | RCP_ROLE_ENDS);
}

/* Text that leaves the program, and in which there is none but what stands in the code: whichever values it has, no
 * more comes of it. */
static bool only_prints(const rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit, rcp_outside_kind kind) {
    if ((kind != RCP_OUTSIDE_PRINTS && kind != RCP_OUTSIDE_STREAM) || rcp_telling_is_result_used(strand))
        return false;
    const rcp_activation *top = &strand->frames.at[strand->frames.len - 1];
    const rcp_call *call = &top->routine->calls.at[strand->pc->b];
    const LLVMValueRef origin = top->routine->origin.at[strand->pc - top->routine->code.at];
    const uint32_t *terms = rcp_strand_shadow(strand, top->registers);
    const int stream = kind == RCP_OUTSIDE_STREAM ? 0 : rcp_outside_stream(visit->outside);
    uint64_t words[16];
    const size_t n = rcp_telling_call(sink->telling, strand, visit, words).n;
    bool is_constant = origin && n == call->arguments.len && n == LLVMGetNumArgOperands(origin);
    for (size_t i = 0; is_constant && i < n; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(origin, (unsigned)i));
        is_constant = (int)i == stream || LLVMGetTypeKind(type) != LLVMPointerTypeKind ||
                      (!terms[call->arguments.at[i]] && rcp_reachable_is_constant(&sink->telling->reachable, words[i]));
    }
    return is_constant;
}

/* A handler may run at any time, and so may what a timer does. */
static bool has_to_do_with_signals(const rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit,
                                   rcp_outside_kind kind) {
    bool is_whole;
    return kind == RCP_OUTSIDE_PAIR && visit->outside->with &&
           rcp_telling_shares(sink->telling, strand, visit, &is_whole) & (RCP_WITH_HANDLERS | RCP_WITH_TIMERS);
}

void rcp_sink_note_beyond(rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit, rcp_outside_kind kind) {
    const char *what = NULL;
    if (sink->is_beyond)
        return;
    if (visit->called.roles & RCP_ROLE_PREFERS)
        what = RCP_BEYOND_KINDS; /* whether a reader comes in is up to who waits, then */
    else if (rcp_telling_has_unseen_signals(sink->telling) ||
             (visit->outside && has_to_do_with_signals(sink, strand, visit, kind)))
        what = RCP_BEYOND_SIGNALS;
    else if (sink->has_forked &&
             (!visit->outside || (!is_like_code(visit, kind) && !only_prints(sink, strand, visit, kind))))
        what = RCP_BEYOND_CALLS;
    if (what)
        rcp_defs_fact(sink->defs, RCP_BEYOND_FACT, what);
    sink->is_beyond = what != NULL;
}
