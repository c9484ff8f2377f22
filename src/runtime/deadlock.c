/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/deadlock.h"

#include "runtime/logging.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>

void rcp_deadlock_describe(const rcp_thread *t, rcp_say *line) {
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

/* Threads that nobody records: the C library has some for timers, asynchronous input and messages, others have their
 * own. They may end any wait. `known`: those of ours that have not ended. */
static bool are_there_others(uint32_t known) {
    struct stat tasks; /* a directory each */
    if (RCP_SYS4(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &tasks, 0) < 0)
        return false;
    known += rcp_baton.is_watched;
    known += rcp_baton.leaving_tid != 0; /* it is still there: nobody has come after it */
    return tasks.st_nlink > known + 2;
}

bool rcp_deadlock_is_starved(uint64_t key) {
    uint32_t waiting = 0, starved = 0;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next) {
        if (t->state == RCP_THREAD_ENDED)
            continue;
        if (t->state != RCP_THREAD_WAITS || t->deadline != RCP_NO_DEADLINE || t->pending)
            return false;
        waiting++;
        starved += t->key == key;
    }
    return starved && !are_there_others(waiting);
}

bool rcp_deadlock_look(void) {
    uint32_t waiting = 0;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next) {
        if (t->state == RCP_THREAD_ENDED)
            continue;
        if (t->state != RCP_THREAD_WAITS || t->deadline != RCP_NO_DEADLINE || t->pending)
            return false;
        waiting++;
    }
    if (!waiting || rcp_baton.said_deadlock || are_there_others(waiting))
        return false;
    rcp_baton.said_deadlock = true;
    RCP_SAY(head, 128);
    rcp_say_text(&head, "deadlock: every thread waits for another, and only a signal could end that");
    rcp_log_note(head.text);
    rcp_say_print(&head);
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next) {
        if (t->state == RCP_THREAD_ENDED)
            continue;
        RCP_SAY(line, 512);
        rcp_say_text(&line, "  ");
        rcp_deadlock_describe(t, &line);
        rcp_log_note(line.text + 2);
        rcp_say_print(&line);
    }
    return true;
}
