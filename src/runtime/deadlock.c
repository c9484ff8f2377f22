/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/deadlock.h"

#include "runtime/follow.h"
#include "runtime/holders.h"
#include "runtime/logging.h"
#include "runtime/peer.h"
#include "runtime/signal.h"
#include "runtime/task.h"
#include "runtime/waits.h"

#include <fcntl.h>

/* --- who could end it --- */

static bool is_ours(int tid) {
    if (tid == rcp_baton.watchdog_tid)
        return true;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->tid == tid && t->state != RCP_THREAD_ENDED)
            return true;
    return false;
}

static int number_of(const char *digits) {
    int n = 0;
    for (; *digits >= '0' && *digits <= '9'; digits++)
        n = n * 10 + (*digits - '0');
    return n;
}

/* Threads that nobody records, or that have ended and are still on their way out of libc. A main thread that has ended
 * before the others stays, dead. */
static bool are_there_others(void) {
    struct entry {
        uint64_t inode;
        int64_t next;
        uint16_t size;
        uint8_t type;
        char name[];
    };
    _Alignas(struct entry) char entries[4096];
    long fd = RCP_SYS4(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), n = -1;
    bool others = fd < 0;
    while (!others && (n = RCP_SYS3(SYS_getdents64, fd, entries, sizeof entries)) > 0)
        for (long at = 0; at < n && !others; at += ((const struct entry *)(entries + at))->size) {
            int tid = number_of(((const struct entry *)(entries + at))->name);
            if (!tid || is_ours(tid))
                continue;
            char state = rcp_task_state(tid);
            others = state && state != 'Z' && state != 'X';
        }
    if (fd >= 0)
        RCP_SYS1(SYS_close, fd);
    return others || n < 0;
}

static bool can_any_be_had(void) {
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->state == RCP_THREAD_WAITS && rcp_holders_have_none(t))
            return true;
    return false;
}

/* In a fed replay, for what somebody outside would have to send. */
static bool is_anybody_starved(void) {
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->state == RCP_THREAD_WAITS && t->key == (uint64_t)&rcp_peer_key)
            return true;
    return false;
}

/* --- who waits for what --- */

static void list(struct rcp_log_deadlock *to) {
    to->threads = to->listed = 0;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next) {
        if (t->state == RCP_THREAD_ENDED)
            continue;
        if (to->listed < RCP_LOG_WAITS)
            to->wait[to->listed++] = rcp_holders_wait(t);
        to->threads++;
    }
    to->sum = rcp_log_deadlock_sum(to);
}

static void say_waits(const char *what, const struct rcp_log_deadlock *deadlock) {
    RCP_SAY(head, 128);
    rcp_say_text(&head, what);
    rcp_log_note(head.text);
    rcp_say_print(&head);
    for (uint32_t i = 0; i < deadlock->listed; i++) {
        RCP_SAY(line, 256);
        rcp_say_text(&line, "  ");
        rcp_holders_say(&line, &deadlock->wait[i]);
        rcp_log_note(line.text + 2);
        rcp_say_print(&line);
    }
}

static _Noreturn void end(const struct rcp_log_deadlock *deadlock) {
    RCP_SAY(waits, 1024);
    for (uint32_t i = 0; i < deadlock->listed; i++) {
        rcp_say_text(&waits, i ? "; " : "");
        rcp_holders_say(&waits, &deadlock->wait[i]);
    }
    rcp_follow_deadlock(waits.text);
    say_waits("deadlock: every thread waits for another; the program is ended", deadlock);
    rcp_end_deadlocked(deadlock);
}

void rcp_deadlock_look(void) {
    enum { AGAIN = 50 }; /* looks until what is not certain is looked at again */
    static unsigned looks;
    static bool is_said;
    if (!rcp_waits_for_ever()) {
        looks = 0;
        return;
    }
    if (looks++ % AGAIN || rcp_baton.wakes_unseen || are_there_others() || can_any_be_had())
        return;
    if (is_anybody_starved()) {
        if (!rcp_signal_is_handled())
            rcp_follow_starve();
        return;
    }
    static struct rcp_log_deadlock deadlock;
    list(&deadlock);
    if (!rcp_signal_is_handled())
        end(&deadlock);
    if (!is_said)
        say_waits("every thread waits for another, and only a signal could end that", &deadlock);
    is_said = true;
}
