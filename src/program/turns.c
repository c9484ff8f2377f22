/* SPDX-License-Identifier: Apache-2.0 */
#include "program/turns.h"

rcp_code rcp_turns_read(const char *path, rcp_turns *turns) {
    *turns = (rcp_turns){0};
    rcp_log *log;
    rcp_log_record record;
    RCP_TRY(rcp_log_open(path, &log));
    while (rcp_log_next(log, &record) == RCP_OK && record.tag != RCP_LOG_END)
        if (record.tag == RCP_LOG_SLICE) {
            if (turns->ends.len)
                turns->ends.at[turns->ends.len - 1] = record.position;
            rcp_vec_push(&turns->ends, UINT64_MAX);
        } else if (record.tag == RCP_LOG_THREAD_END && turns->ends.len)
            turns->ends.at[turns->ends.len - 1] = record.position;
    rcp_clear_causes();
    rcp_log_close(log);
    return RCP_OK;
}

void rcp_turns_finish(rcp_turns *turns) { rcp_vec_finish(&turns->ends); }

uint64_t rcp_turns_next(rcp_turns *turns) {
    return turns->next < turns->ends.len ? turns->ends.at[turns->next++] : UINT64_MAX;
}
