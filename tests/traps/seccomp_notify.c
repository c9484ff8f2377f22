// SPDX-License-Identifier: Apache-2.0
// A filter lets one thread's system calls be answered by another thread: a call that asks for nothing but a number waits
// for that one then. The twin writes once more when it has answered.
// twin: data
// needs: grep -q user_notif /proc/sys/kernel/seccomp/actions_avail
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int data;
static atomic_int listener;

static int install(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_get_priority_max, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

static void *asker(void *unused) {
    int fd = install();
    listener = fd < 0 ? -1 : fd;
    int answer = fd < 0 ? 0 : sched_get_priority_max(SCHED_FIFO);
    printf("%d %d\n", answer, data);
    return unused;
}

static void *supervisor(void *unused) {
    struct seccomp_notif question = {0};
    struct seccomp_notif_resp answer = {.val = 77};
    while (!listener)
        sched_yield();
    if (listener < 0 || ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &question))
        return unused;
    data = 1;
    answer.id = question.id;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

int main(void) {
    pthread_t thread[2];
    if (pthread_create(&thread[0], NULL, asker, NULL) || pthread_create(&thread[1], NULL, supervisor, NULL))
        return 1;
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
