/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/show.h"

#include "trace/text/text.h"

void rcp_show_trace(FILE *to, const rcp_trace *trace) {
    rcp_text text = {0};
    rcp_text_print_trace(&text, trace);
    fwrite(text.at, 1, text.len, to);
    rcp_text_finish(&text);
}

void rcp_show_witness(FILE *to, const rcp_trace *trace, const rcp_witness *witness) {
    rcp_position *done = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *done);
    rcp_printer *printer = rcp_printer_create(&trace->defs, &trace->terms);
    rcp_text text = {0};
    for (uint64_t e = 0; e < witness->recorded; e++) {
        rcp_text_print_excerpt(printer, &text, (rcp_eid){e}, &trace->events.at[e]);
        done[trace->events.at[e].tid.v]++;
    }
    for (size_t s = 0; s < witness->steps.len; s++) {
        rcp_witness_step step = witness->steps.at[s];
        for (; done[step.tid.v] < step.to; done[step.tid.v]++) {
            rcp_eid eid = rcp_trace_event_of(trace, step.tid, done[step.tid.v]);
            rcp_text_print_excerpt(printer, &text, eid, &trace->events.at[eid.v]);
        }
    }
    if (witness->race[0].v != RCP_NO_EID.v) {
        rcp_text_puts(&text, "and then as a race:\n");
        for (int i = 0; i < 2; i++)
            rcp_text_print_excerpt(printer, &text, witness->race[i], &trace->events.at[witness->race[i].v]);
    }
    fputs("schedule:\n", to);
    if (text.len)
        fwrite(text.at, 1, text.len, to);
    rcp_text_finish(&text);
    rcp_printer_destroy(printer);
    rcp_release(done);
}
