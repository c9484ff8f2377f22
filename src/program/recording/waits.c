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

static void put_place(rcp_text *to, const rcp_location *at, const char *file) {
    rcp_text_puts(to, at->file.v ? file : "?");
    if (at->line)
        rcp_text_printf(to, ":%u", at->line);
    if (at->line && at->column)
        rcp_text_printf(to, ":%u", at->column);
}

/* "function file:line:column" */
static void put_frame(rcp_text *to, const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *at = &defs->locations.at[loc.v];
    rcp_text frame = {0};
    rcp_text_printf(&frame, "%s ", at->function.v ? rcp_defs_borrow_string(defs, at->function) : "?");
    put_place(&frame, at, rcp_defs_borrow_string(defs, at->file));
    rcp_json_quote(to, frame.at);
    rcp_text_finish(&frame);
}

static void put_stack(rcp_text *to, const rcp_defs *defs, rcp_loc loc, rcp_stack stack) {
    rcp_text_puts(to, "[");
    put_frame(to, defs, loc);
    for (; stack.v; stack = defs->stacks.at[stack.v].caller) {
        rcp_text_puts(to, ", ");
        put_frame(to, defs, defs->stacks.at[stack.v].loc);
    }
    rcp_text_puts(to, "]");
}

void rcp_waits_put_places(rcp_text *to, const rcp_defs *defs, rcp_loc loc, rcp_stack stack) {
    const rcp_location *at = &defs->locations.at[loc.v];
    rcp_json_put_string(to, "file", rcp_defs_borrow_string(defs, at->file));
    rcp_text_printf(to, ", \"line\": %u, \"column\": %u, ", at->line, at->column);
    rcp_json_put_string(to, "function", rcp_defs_borrow_string(defs, at->function));
    rcp_text_puts(to, ", \"stack\": ");
    put_stack(to, defs, loc, stack);
}

void rcp_waits_put_taken(rcp_text *to, const rcp_defs *defs, rcp_loc loc, rcp_stack stack) {
    rcp_text_puts(to, "\"held_stack\": ");
    put_stack(to, defs, loc, stack);
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
    if (waiting->taken)
        rcp_text_printf(to, ", %s", waiting->taken);
    if (waiting->places)
        rcp_text_printf(to, ", %s", waiting->places);
    rcp_text_puts(to, " }");
}
