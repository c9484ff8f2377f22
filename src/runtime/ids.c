/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that tell ids of processes and threads, and calls that are told them (told.h, world.h). */
#include "runtime/answers.h"
#include "runtime/signal.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/told.h"
#include "runtime/world.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

RCP_REAL_DEFINE(getpid)
RCP_REAL_DEFINE(getppid)
RCP_REAL_DEFINE(gettid)
RCP_REAL_DEFINE(kill)
RCP_REAL_DEFINE(killpg)
RCP_REAL_DEFINE(tgkill)
RCP_REAL_DEFINE(sigqueue)
RCP_REAL_DEFINE(sched_setaffinity)
RCP_REAL_DEFINE(sched_getaffinity)
RCP_REAL_DEFINE(sched_setscheduler)
RCP_REAL_DEFINE(sched_getscheduler)
RCP_REAL_DEFINE(sched_setparam)
RCP_REAL_DEFINE(sched_getparam)
RCP_REAL_DEFINE(setpriority)
RCP_REAL_DEFINE(getpriority)
RCP_REAL_DEFINE(prlimit)
RCP_REAL_DEFINE(getpgid)
RCP_REAL_DEFINE(setpgid)
RCP_REAL_DEFINE(getsid)
RCP_REAL_DEFINE(getpgrp)

/* Where too many were told to remember them all, any may be anywhere. */
static pid_t answer_id(pid_t id) {
    rcp_thread *self = rcp_inside();
    uint64_t recorded;
    if (!self)
        return id;
    pid_t told = rcp_told_is_fed() && rcp_answer_result(self, &recorded) ? (pid_t)recorded : id;
    if (!rcp_told_add(told, id))
        rcp_world_ids();
    rcp_outside(self);
    return told;
}
RCP_INTERCEPT pid_t getpid(void) { return answer_id(RCP_REAL(getpid)()); }
RCP_INTERCEPT pid_t getppid(void) {
    rcp_streams_answered(); /* it is another one once the parent has ended */
    return answer_id(RCP_REAL(getppid)());
}
RCP_INTERCEPT pid_t gettid(void) { return answer_id(RCP_REAL(gettid)()); }

/* An id on its way to the system. A replay that told the program a recorded one ends here, unless it has shown all it
 * had to: then the one that is meant takes its place, so that nobody else is hit. */
static pid_t meant(pid_t id) {
    long process = rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    if (id && id != process && RCP_SYS3(SYS_tgkill, process, id, 0) < 0)
        rcp_streams_answered(); /* whether another process is there */
    pid_t real = rcp_told_real(id < 0 ? -id : id);
    if (!real)
        return id;
    rcp_world_ids();
    return id < 0 ? -real : real;
}

RCP_INTERCEPT int kill(pid_t id, int signal) { RCP_SIGNAL_SENDS(signal, RCP_REAL(kill)(meant(id), signal)); }
RCP_INTERCEPT int killpg(pid_t id, int signal) { RCP_SIGNAL_SENDS(signal, RCP_REAL(killpg)(meant(id), signal)); }
RCP_INTERCEPT int tgkill(pid_t process, pid_t id, int signal) {
    bool self = meant(id) == rcp_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    RCP_SIGNAL_SENDS(self ? signal : 0, RCP_REAL(tgkill)(meant(process), meant(id), signal));
}
RCP_INTERCEPT int sigqueue(pid_t id, int signal, const union sigval value) {
    RCP_SIGNAL_SENDS(signal, RCP_REAL(sigqueue)(meant(id), signal, value));
}
RCP_INTERCEPT int sched_setaffinity(pid_t id, size_t size, const cpu_set_t *cpus) {
    return RCP_REAL(sched_setaffinity)(meant(id), size, cpus);
}
RCP_INTERCEPT int sched_getaffinity(pid_t id, size_t size, cpu_set_t *cpus) {
    return RCP_REAL(sched_getaffinity)(meant(id), size, cpus);
}
RCP_INTERCEPT int sched_setscheduler(pid_t id, int policy, const struct sched_param *how) {
    return RCP_REAL(sched_setscheduler)(meant(id), policy, how);
}
RCP_INTERCEPT int sched_getscheduler(pid_t id) { return RCP_REAL(sched_getscheduler)(meant(id)); }
RCP_INTERCEPT int sched_setparam(pid_t id, const struct sched_param *how) {
    return RCP_REAL(sched_setparam)(meant(id), how);
}
RCP_INTERCEPT int sched_getparam(pid_t id, struct sched_param *how) { return RCP_REAL(sched_getparam)(meant(id), how); }
RCP_INTERCEPT int setpriority(__priority_which_t which, id_t id, int priority) {
    return RCP_REAL(setpriority)(which, which == PRIO_USER ? id : (id_t)meant((pid_t)id), priority);
}
RCP_INTERCEPT int getpriority(__priority_which_t which, id_t id) {
    return RCP_REAL(getpriority)(which, which == PRIO_USER ? id : (id_t)meant((pid_t)id));
}
RCP_INTERCEPT int prlimit(pid_t id, __rlimit_resource_t what, const struct rlimit *set, struct rlimit *was) {
    return RCP_REAL(prlimit)(meant(id), what, set, was);
}
RCP_INTERCEPT pid_t getpgid(pid_t id) {
    rcp_world_ids();
    return RCP_REAL(getpgid)(meant(id));
}
RCP_INTERCEPT int setpgid(pid_t id, pid_t group) { return RCP_REAL(setpgid)(meant(id), meant(group)); }
/* These tell one, too. */
RCP_INTERCEPT pid_t getsid(pid_t id) {
    rcp_world_ids();
    return RCP_REAL(getsid)(meant(id));
}
RCP_INTERCEPT pid_t getpgrp(void) {
    rcp_world_ids();
    return RCP_REAL(getpgrp)();
}
