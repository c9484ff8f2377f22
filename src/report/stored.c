/* SPDX-License-Identifier: Apache-2.0 */
#include "report/stored.h"

#include "trace/model/own_place.h"

bool rcp_stored_is_enough(const rcp_reader *reader) {
    enum { MOST = 400, OF_ALL = 20000 };
    return rcp_reader_decoded(reader) > MOST + rcp_reader_count(reader) / OF_ALL;
}

static rcp_code find(rcp_reader *reader, uint64_t address, uint64_t before, rcp_loc *loc) {
    rcp_batch batch;
    RCP_TRY(rcp_reader_seek(reader, (rcp_eid){0}));
    while (!rcp_stored_is_enough(reader)) {
        RCP_TRY(rcp_reader_next(reader, &batch));
        for (size_t i = 0; i < batch.n; i++) {
            const rcp_event *e = &batch.at[i];
            if (batch.first.v + i >= before)
                return RCP_OK;
            if (e->kind == RCP_WRITE && e->valued && e->size == sizeof address && e->value == address)
                *loc = rcp_own_place(rcp_reader_borrow_defs(reader), e);
        }
        if (!batch.n)
            return RCP_OK;
    }
    return RCP_OK;
}

rcp_loc rcp_stored_where(rcp_reader *reader, uint64_t address, rcp_eid before) {
    rcp_loc loc = {0};
    if (find(reader, address, before.v, &loc) != RCP_OK)
        rcp_clear_causes();
    return loc;
}
