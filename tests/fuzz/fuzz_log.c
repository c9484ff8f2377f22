/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a log: every record is whole or refused. */
#include "base/varint.h"
#include "program/recording/log_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch(const rcp_log_record *r) {
    unsigned sum = 0;
    if (r->tag == RCP_LOG_CALLBACK) {
        const uint8_t *at = r->bytes;
        for (uint64_t i = 0; i < r->size; i++) {
            rcp_log_argument argument;
            at = rcp_log_argument_next(at, r->end, &argument);
            RCP_CHECK(at);
            for (uint64_t k = 0; k < argument.n; k++)
                sum += argument.bytes[k];
        }
        RCP_CHECK(at == r->end);
    } else if (r->tag == RCP_LOG_THREAD) {
        const uint8_t *at = r->bytes;
        for (uint64_t i = 0, address; i < r->size; i++)
            RCP_CHECK((at = rcp_varint_get(at, r->end, &address)));
        RCP_CHECK(at == r->end);
    } else if (r->bytes)
        for (uint64_t i = 0; i < r->size; i++)
            sum += r->bytes[i];
    RCP_CHECK(r->tag != RCP_LOG_SYNC || (r->op < RCP_SYNC_OPS && r->object <= RCP_SYNC_THREAD));
    RCP_CHECK(sum <= 255 * r->size + 255 * (uint64_t)(r->end - r->bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_log *log;
    if (rcp_log_open_memory("input", data, size, &log) != RCP_OK)
        return 0;
    rcp_log_record record;
    uint64_t at = 0;
    while (rcp_log_next(log, &record) == RCP_OK && record.tag != RCP_LOG_END) {
        RCP_CHECK(record.at >= at && record.end > data + record.at);
        at = record.at;
        touch(&record);
    }
    RCP_CHECK(rcp_log_consumed(log) <= rcp_log_length(log));
    rcp_log_close(log);
    return 0;
}
