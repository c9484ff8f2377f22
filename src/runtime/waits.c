/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/waits.h"

#include <dlfcn.h>

void rcp_waits_describe(const rcp_thread *t, rcp_say *line) {
    char name[64];
    rcp_thread_name(t, name, sizeof name);
    rcp_say_text(line, "thread ");
    rcp_say_text(line, name);
    rcp_say_text(line, " waits ");
    for (const rcp_thread *other = rcp_baton.all; other; other = other->all_next)
        if (rcp_thread_key(other) == t->key) {
            rcp_thread_name(other, name, sizeof name);
            rcp_say_text(line, "for the end of thread ");
            rcp_say_text(line, name);
            return;
        }
    Dl_info info;
    if (t->hot && t->hot->outside > RCP_OUTSIDE_STOPPED_AGAIN && dladdr((void *)t->hot->outside, &info) &&
        info.dli_sname) {
        rcp_say_text(line, "in ");
        rcp_say_text(line, info.dli_sname);
        rcp_say_text(line, " ");
    }
    rcp_say_text(line, "on ");
    rcp_say_hex(line, t->key);
    if (dladdr((void *)t->key, &info) && info.dli_sname) {
        rcp_say_text(line, " (");
        rcp_say_text(line, info.dli_sname);
        rcp_say_text(line, ")");
    }
}

bool rcp_waits_for_ever(void) {
    uint32_t waiting = 0;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next) {
        if (t->state == RCP_THREAD_ENDED)
            continue;
        if (t->state != RCP_THREAD_WAITS || t->deadline != RCP_NO_DEADLINE || t->pending || t->held)
            return false;
        waiting++;
    }
    return waiting;
}
