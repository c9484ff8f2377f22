/* SPDX-License-Identifier: Apache-2.0 */
/* A slice for people: `recipe analyze --dump=slice`. */
#include "predict/solve/slice.h"

void rcp_slice_dump(rcp_text *to, const rcp_slice *slice, rcp_printer *printer) {
    const rcp_trace *trace = slice->facts->trace;
    rcp_text_printf(to, "slice of %u,%u: %zu events take part, %s\n", slice->race[0], slice->race[1], slice->size,
                    rcp_slice_is_whole(slice) ? "all but what follows the two" : "so that only a witness is an answer");
    rcp_text_printf(to, "  before event %u: as recorded\n", slice->start);
    for (uint32_t tid = 0; tid < trace->defs.threads.len; tid++) {
        rcp_position from = rcp_trace_events_before(trace, tid, slice->start);
        if (slice->upto[tid] > from)
            rcp_text_printf(to, "  %s: its events %u to %u\n", rcp_printer_borrow_thread(printer, (rcp_tid){tid}),
                            from + 1, slice->upto[tid]);
    }
    for (uint32_t event = slice->start; event < slice->end; event++) {
        const rcp_event *e = rcp_run_facts_event(slice->facts, event);
        if (trace->position[event] >= slice->upto[e->tid.v])
            continue;
        rcp_text_puts(to, rcp_slice_is_idle(slice, event) ? "  (idle) " : "  ");
        rcp_text_print_excerpt(printer, to, (rcp_eid){event}, e);
    }
    for (int side = 0; side < 2 && !slice->is_still; side++) {
        rcp_text_puts(to, "  next: ");
        rcp_text_print_excerpt(printer, to, (rcp_eid){slice->race[side]},
                               rcp_run_facts_event(slice->facts, slice->race[side]));
    }
}
