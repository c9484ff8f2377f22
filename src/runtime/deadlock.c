/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/deadlock.h"

#include "runtime/follow.h"
#include "runtime/logging.h"
#include "runtime/peer.h"
#include "runtime/signal.h"
#include "runtime/task.h"
#include "runtime/waits.h"

#include <fcntl.h>
#include <semaphore.h>
#include <sys/uio.h>

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

/* Memory that may be gone. */
static bool peek(uint64_t address, void *to, size_t n) {
    struct iovec into = {to, n}, from = {(void *)address, n};
    return rcp_sys(SYS_process_vm_readv, rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0), (long)&into, 1, (long)&from, 1, 0) ==
           (long)n;
}

static bool is_mutex(const rcp_thread *t) {
    return t->wanted.kind == RCP_SYNC_MUTEX || t->wanted.kind == RCP_SYNC_RECURSIVE;
}

/* Somebody whom nobody records has given it back, and nobody was woken. */
static bool can_be_had(const rcp_thread *t) {
    pthread_mutex_t mutex;
    unsigned count;
    if (is_mutex(t))
        return peek(t->wanted.object, &mutex, sizeof mutex) && !mutex.__data.__lock;
    return t->wanted.kind == RCP_SYNC_SEM && peek(t->wanted.object, &count, sizeof count) && count;
}

static bool can_any_be_had(void) {
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next)
        if (t->state == RCP_THREAD_WAITS && can_be_had(t))
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

static uint32_t number_of_task(int tid) {
    for (const rcp_thread *t = rcp_baton.all; t && tid; t = t->all_next)
        if (t->tid == tid && t->state != RCP_THREAD_ENDED)
            return t->number;
    return tid ? RCP_LOG_GONE : RCP_LOG_NOBODY;
}

static uint32_t holder_of(const rcp_thread *t) {
    pthread_mutex_t mutex;
    pthread_rwlock_t lock;
    if (is_mutex(t) && peek(t->wanted.object, &mutex, sizeof mutex))
        return number_of_task(mutex.__data.__owner);
    if (t->wanted.kind == RCP_SYNC_RWLOCK && peek(t->wanted.object, &lock, sizeof lock))
        return number_of_task(lock.__data.__cur_writer);
    return t->wanted.kind == RCP_SYNC_THREAD ? (uint32_t)t->wanted.object : RCP_LOG_NOBODY;
}

static void list(struct rcp_log_deadlock *to) {
    to->threads = to->listed = 0;
    for (const rcp_thread *t = rcp_baton.all; t; t = t->all_next) {
        if (t->state == RCP_THREAD_ENDED)
            continue;
        if (to->listed < RCP_LOG_WAITS)
            to->wait[to->listed++] = (struct rcp_log_wait){
                .address = t->wanted.object, .thread = t->number, .kind = t->wanted.kind, .holder = holder_of(t)};
        to->threads++;
    }
    to->sum = rcp_log_deadlock_sum(to);
}

static const rcp_thread *thread_of(uint32_t number) {
    const rcp_thread *t = rcp_baton.all;
    while (t && t->number != number)
        t = t->all_next;
    return t;
}

static void say_name(rcp_say *line, uint32_t number) {
    char name[64];
    const rcp_thread *t = thread_of(number);
    rcp_say_text(line, "thread ");
    if (!t) {
        rcp_say_number(line, number);
        return;
    }
    rcp_thread_name(t, name, sizeof name);
    rcp_say_text(line, name);
}

/* "thread 0.1 waits for the mutex at 0x…, which thread 0.2 has" */
static void say_wait(rcp_say *line, const struct rcp_log_wait *w) {
    static const char *const kinds[] = {
        [RCP_SYNC_MUTEX] = "mutex",     [RCP_SYNC_RECURSIVE] = "mutex", [RCP_SYNC_SPIN] = "spin lock",
        [RCP_SYNC_RWLOCK] = "lock",     [RCP_SYNC_COND] = "condition",  [RCP_SYNC_SEM] = "semaphore",
        [RCP_SYNC_BARRIER] = "barrier", [RCP_SYNC_ONCE] = "first call"};
    say_name(line, w->thread);
    if (w->kind == RCP_SYNC_THREAD) {
        rcp_say_text(line, " waits for the end of ");
        say_name(line, (uint32_t)w->address);
        return;
    }
    rcp_say_text(line, " waits for the ");
    rcp_say_text(line, w->kind < sizeof kinds / sizeof *kinds ? kinds[w->kind]
                       : w->kind == RCP_LOG_WAIT_STREAM       ? "stream"
                                                              : "word");
    rcp_say_text(line, " at ");
    rcp_say_hex(line, w->address);
    if (w->holder == w->thread) {
        rcp_say_text(line, ", which it has itself");
    } else if (w->holder == RCP_LOG_GONE) {
        rcp_say_text(line, ", whose owner is not there any more");
    } else if (w->holder != RCP_LOG_NOBODY) {
        rcp_say_text(line, ", which ");
        say_name(line, w->holder);
        rcp_say_text(line, " has");
    }
}

static void say_waits(const char *what, const struct rcp_log_deadlock *deadlock) {
    RCP_SAY(head, 128);
    rcp_say_text(&head, what);
    rcp_log_note(head.text);
    rcp_say_print(&head);
    for (uint32_t i = 0; i < deadlock->listed; i++) {
        RCP_SAY(line, 256);
        rcp_say_text(&line, "  ");
        say_wait(&line, &deadlock->wait[i]);
        rcp_log_note(line.text + 2);
        rcp_say_print(&line);
    }
}

static _Noreturn void end(const struct rcp_log_deadlock *deadlock) {
    RCP_SAY(waits, 1024);
    for (uint32_t i = 0; i < deadlock->listed; i++) {
        rcp_say_text(&waits, i ? "; " : "");
        say_wait(&waits, &deadlock->wait[i]);
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
