/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/holders.h"

#include <sys/uio.h>

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
bool rcp_holders_have_none(const rcp_thread *t) {
    pthread_mutex_t mutex;
    unsigned count;
    if (is_mutex(t))
        return peek(t->wanted.object, &mutex, sizeof mutex) && !mutex.__data.__lock;
    return t->wanted.kind == RCP_SYNC_SEM && peek(t->wanted.object, &count, sizeof count) && count;
}

static uint32_t number_of_task(int tid) {
    for (const rcp_thread *t = rcp_baton.all; t && tid; t = t->all_next)
        if (t->tid == tid && t->state != RCP_THREAD_ENDED)
            return t->number;
    return tid ? RCP_LOG_GONE : RCP_LOG_NOBODY;
}

uint32_t rcp_holders_of(const rcp_thread *t) {
    pthread_mutex_t mutex;
    pthread_rwlock_t lock;
    if (is_mutex(t) && peek(t->wanted.object, &mutex, sizeof mutex))
        return number_of_task(mutex.__data.__owner);
    if (t->wanted.kind == RCP_SYNC_RWLOCK && peek(t->wanted.object, &lock, sizeof lock))
        return number_of_task(lock.__data.__cur_writer);
    return t->wanted.kind == RCP_SYNC_THREAD ? (uint32_t)t->wanted.object : RCP_LOG_NOBODY;
}

const rcp_thread *rcp_holders_thread(uint32_t number) {
    const rcp_thread *t = rcp_baton.all;
    while (t && t->number != number)
        t = t->all_next;
    return t;
}

static void say_name(rcp_say *line, uint32_t number) {
    char name[64];
    const rcp_thread *t = rcp_holders_thread(number);
    rcp_say_text(line, "thread ");
    if (!t) {
        rcp_say_number(line, number);
        return;
    }
    rcp_thread_name(t, name, sizeof name);
    rcp_say_text(line, name);
}

struct rcp_log_wait rcp_holders_wait(const rcp_thread *t) {
    return (struct rcp_log_wait){
        .address = t->wanted.object, .thread = t->number, .kind = t->wanted.kind, .holder = rcp_holders_of(t)};
}

void rcp_holders_say(rcp_say *line, const struct rcp_log_wait *w) {
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
