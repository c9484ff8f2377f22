/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a trace file: the reader must refuse them or give out events that hold the rules, by stream, by search
 * and by number. In a fuzzing build checksums are not compared (trace/store/chunk.c), so that what stands behind them
 * is reached. */
#include "trace/store/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const rcp_reader *reader, const rcp_event *event) {
    RCP_CHECK(rcp_event_validate(rcp_reader_borrow_defs(reader), rcp_reader_borrow_terms(reader), event) == RCP_OK);
    if (!rcp_event_is_access(event) || !event->valued)
        return;
    unsigned sum = 0; /* every byte of a value can be read */
    for (uint32_t i = 0; i < event->size; i++)
        sum += rcp_event_bytes(event)[i] + rcp_event_written(event)[i];
    RCP_CHECK(sum <= 510 * (uint64_t)event->size);
}

static rcp_code visit(void *context, rcp_eid eid, const rcp_event *event) {
    (void)eid;
    check(context, event);
    return RCP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_reader *reader;
    if (rcp_reader_open_memory("input", data, size, &reader) != RCP_OK)
        return 0;
    rcp_batch batch = {.n = 1};
    rcp_event first = {0};
    bool any = false;
    uint64_t seen = 0;
    while (batch.n && rcp_reader_next(reader, &batch) == RCP_OK) {
        RCP_CHECK(!batch.n || batch.first.v == seen);
        for (size_t i = 0; i < batch.n; i++)
            check(reader, &batch.at[i]);
        if (batch.n && !any) {
            first = batch.at[0];
            any = true;
        }
        seen += batch.n;
    }
    RCP_CHECK(seen <= rcp_reader_count(reader));
    rcp_filter filter = {
        .by_thread = true, .by_address = true, .tid = first.tid, .lo = first.addr, .hi = first.addr + 1};
    if (rcp_reader_scan(reader, &filter, visit, reader) == RCP_OK &&
        rcp_reader_seek(reader, (rcp_eid){seen / 2}) == RCP_OK && rcp_reader_next(reader, &batch) == RCP_OK && batch.n)
        check(reader, batch.at);
    rcp_reader_close(reader);
    return 0;
}
