/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/waits.h"

#include "base/json.h"

const char *rcp_waits_kind(uint32_t kind) {
    switch (kind) {
    case RCP_SYNC_MUTEX:
    case RCP_SYNC_RECURSIVE: return "mutex";
    case RCP_SYNC_SPIN: return "spin lock";
    case RCP_SYNC_RWLOCK: return "rwlock";
    case RCP_SYNC_COND: return "condition";
    case RCP_SYNC_SEM: return "semaphore";
    case RCP_SYNC_BARRIER: return "barrier";
    case RCP_SYNC_ONCE: return "once";
    case RCP_SYNC_THREAD: return "thread";
    case RCP_LOG_WAIT_STREAM: return "stream";
    default: return "word";
    }
}

void rcp_waits_put(rcp_text *to, const rcp_waiting *waiting) {
    const struct rcp_log_wait *w = waiting->wait;
    bool is_thread = w->kind == RCP_SYNC_THREAD;
    rcp_text_puts(to, "{ ");
    rcp_json_put_string(to, "thread_name", waiting->thread);
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "waits_for", rcp_waits_kind(w->kind));
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "variable", waiting->variable ? waiting->variable : "");
    rcp_text_printf(to, ", \"address\": \"0x%llx\", ", is_thread ? 0ULL : (unsigned long long)w->address);
    rcp_json_put_string(to, "held_by", waiting->holder ? waiting->holder : w->holder == RCP_LOG_GONE ? "gone" : "");
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "call", waiting->call ? waiting->call : "");
    if (waiting->places)
        rcp_text_printf(to, ", %s", waiting->places);
    rcp_text_puts(to, " }");
}
