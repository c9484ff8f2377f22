/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of messages, System V's and POSIX's, and System V's semaphores. Where nobody need wait the baton is kept. */
#include "runtime/block.h"
#include "runtime/streams.h"
#include "runtime/world.h"

#include <errno.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

RCP_REAL_DEFINE(msgrcv)
RCP_REAL_DEFINE(msgsnd)
RCP_REAL_DEFINE(semop)
RCP_REAL_DEFINE(semtimedop)
RCP_REAL_DEFINE(mq_timedreceive)
RCP_REAL_DEFINE(mq_timedsend)

RCP_INTERCEPT ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(msgrcv)(queue, message, size, type, flags);
    rcp_streams_answered();
    int error = errno;
    ssize_t n = RCP_REAL(msgrcv)(queue, message, size, type, flags | IPC_NOWAIT);
    if (n < 0 && errno == ENOMSG && !(flags & IPC_NOWAIT)) {
        errno = error;
        rcp_block_leave(self, true);
        n = RCP_REAL(msgrcv)(queue, message, size, type, flags);
        rcp_block_return(self);
    }
    if (n >= 0)
        rcp_effect(message, sizeof(long) + (uint64_t)n);
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT int msgsnd(int queue, const void *message, size_t size, int flags) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(msgsnd)(queue, message, size, flags);
    rcp_streams_answered();
    int error = errno, result = RCP_REAL(msgsnd)(queue, message, size, flags | IPC_NOWAIT);
    if (result && errno == EAGAIN && !(flags & IPC_NOWAIT)) {
        errno = error;
        rcp_block_leave(self, true);
        result = RCP_REAL(msgsnd)(queue, message, size, flags);
        rcp_block_return(self);
    }
    rcp_outside(self);
    return result;
}

static int semaphore_operations(int set, struct sembuf *operations, size_t n, const struct timespec *timeout) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return timeout ? RCP_REAL(semtimedop)(set, operations, n, timeout) : RCP_REAL(semop)(set, operations, n);
    static bool noted;
    rcp_streams_answered();
    if (!noted)
        rcp_log_note("System V semaphores are used; the order that they impose on threads is not in the trace");
    noted = true;
    struct timespec now = {0, 0};
    int error = errno, result = RCP_REAL(semtimedop)(set, operations, n, &now);
    if (result && errno == EAGAIN) {
        errno = error;
        rcp_block_leave(self, true);
        result = timeout ? RCP_REAL(semtimedop)(set, operations, n, timeout) : RCP_REAL(semop)(set, operations, n);
        rcp_block_return(self);
    }
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int semop(int set, struct sembuf *operations, size_t n) {
    return semaphore_operations(set, operations, n, NULL);
}

RCP_INTERCEPT int semtimedop(int set, struct sembuf *operations, size_t n, const struct timespec *timeout) {
    return semaphore_operations(set, operations, n, timeout);
}

/* Whoever knows its name may write to it, and its deadlines are the system's. */
static void meet_others(void) {
    if (rcp_is_recording())
        rcp_world_meets(RCP_WORLD_SOCKETS, "the program uses a message queue, by which others can talk to it");
}

/* A queue of POSIX's is a descriptor to Linux. Without a time both wait for ever. */
static ssize_t receive(mqd_t queue, char *message, size_t room, unsigned *priority, const struct timespec *deadline) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(mq_timedreceive)(queue, message, room, priority, deadline);
    meet_others();
    rcp_block_leave(self, rcp_block_is_due(queue, POLLIN));
    ssize_t n = RCP_REAL(mq_timedreceive)(queue, message, room, priority, deadline);
    rcp_block_return(self);
    if (n >= 0)
        rcp_effect(message, (uint64_t)n);
    if (n >= 0 && priority)
        rcp_effect(priority, sizeof *priority);
    rcp_outside(self);
    return n;
}
RCP_INTERCEPT ssize_t mq_receive(mqd_t queue, char *message, size_t room, unsigned *priority) {
    return receive(queue, message, room, priority, NULL);
}
RCP_INTERCEPT ssize_t mq_timedreceive(mqd_t queue, char *restrict message, size_t room, unsigned *restrict priority,
                                      const struct timespec *restrict deadline) {
    return receive(queue, message, room, priority, deadline);
}

static int post(mqd_t queue, const char *message, size_t size, unsigned priority, const struct timespec *deadline) {
    meet_others();
    return RCP_BLOCK_CALL(rcp_block_is_due(queue, POLLOUT), mq_timedsend, queue, message, size, priority, deadline);
}
RCP_INTERCEPT int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority) {
    return post(queue, message, size, priority, NULL);
}
RCP_INTERCEPT int mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned priority,
                               const struct timespec *deadline) {
    return post(queue, message, size, priority, deadline);
}
