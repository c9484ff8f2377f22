/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of processes and threads in a replay. The program is told its recorded ones (a name of a file or a seed of random
 * numbers may hang on them), which the system does not know, or knows as somebody else's. So where the program hands
 * one to the system, the id that is meant takes its place. All of these are calls outside, recorded as such. */
#include "runtime/answers.h"
#include "runtime/runtime.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

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

enum { IDS = 4096 };

/* Written by whoever holds the baton, one entry at a time; an entry that is counted does not change. */
static struct {
    pid_t recorded, real;
} ids[IDS];
static uint32_t known;

void rcp_answer_id(rcp_thread *self, pid_t *real) {
    uint64_t word;
    if (!rcp_answer_result(self, &word) || (pid_t)word == *real)
        return;
    uint32_t n = known;
    for (uint32_t i = 0; i < n; i++)
        if (ids[i].recorded == (pid_t)word) {
            *real = (pid_t)word;
            return;
        }
    if (n == IDS) /* too many to tell apart: the real ones serve */
        return;
    ids[n].recorded = (pid_t)word;
    ids[n].real = *real;
    __atomic_store_n(&known, n + 1, __ATOMIC_RELEASE);
    *real = (pid_t)word;
}

static pid_t meant(pid_t id) {
    uint32_t n = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < n; i++)
        if (ids[i].recorded == (id < 0 ? -id : id))
            return id < 0 ? -ids[i].real : ids[i].real;
    return id;
}

RCP_INTERCEPT int kill(pid_t id, int signal) { return RCP_REAL(kill)(meant(id), signal); }
RCP_INTERCEPT int killpg(pid_t id, int signal) { return RCP_REAL(killpg)(meant(id), signal); }
RCP_INTERCEPT int tgkill(pid_t process, pid_t id, int signal) {
    return RCP_REAL(tgkill)(meant(process), meant(id), signal);
}
RCP_INTERCEPT int sigqueue(pid_t id, int signal, const union sigval value) {
    return RCP_REAL(sigqueue)(meant(id), signal, value);
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
RCP_INTERCEPT pid_t getpgid(pid_t id) { return RCP_REAL(getpgid)(meant(id)); }
RCP_INTERCEPT int setpgid(pid_t id, pid_t group) { return RCP_REAL(setpgid)(meant(id), meant(group)); }
RCP_INTERCEPT pid_t getsid(pid_t id) { return RCP_REAL(getsid)(meant(id)); }
