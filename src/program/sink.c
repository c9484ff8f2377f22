/* SPDX-License-Identifier: Apache-2.0 */
#include "program/sink.h"

struct rcp_sink {
    rcp_writer *writer;
    uint64_t count;
    rcp_code code;
};

rcp_eid rcp_sink_add(rcp_sink *sink, const rcp_strand *strand, const rcp_ins *ins, rcp_event *event) {
    (void)ins;
    event->tid.v = strand->number;
    if (sink->code == RCP_OK)
        sink->code = rcp_writer_add(sink->writer, event);
    return (rcp_eid){sink->count++};
}

void rcp_sink_leave(rcp_sink *sink, rcp_machine *machine, rcp_strand *strand, const rcp_call *call) {
    (void)sink, (void)machine, (void)strand, (void)call;
}

rcp_eid rcp_sink_next(const rcp_sink *sink) { return (rcp_eid){sink->count}; }

rcp_terms *rcp_sink_borrow_terms(rcp_sink *sink) { return rcp_writer_borrow_terms(sink->writer); }
