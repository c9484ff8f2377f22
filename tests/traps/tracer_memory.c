// SPDX-License-Identifier: Apache-2.0
// A child looks into its parent's memory until one thread has written there, and then writes what another thread waits
// for. The twin looks before it has waited.
// twin: data
// needs: test "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" -le 1
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static _Alignas(64) int data;
static _Alignas(64) volatile int written;
static _Alignas(64) atomic_int said;
static volatile int early;

static void look_and_say(pid_t parent) {
    int value = 0, one = 1;
    struct iovec here = {&value, sizeof value}, there = {(void *)(uintptr_t)&written, sizeof written};
    while (!value)
        if (process_vm_readv(parent, &here, 1, &there, 1, 0) != sizeof value)
            _exit(1);
    here.iov_base = &one;
    there.iov_base = &said;
    _exit(process_vm_writev(parent, &here, 1, &there, 1, 0) != sizeof one);
}

static void *writer(void *unused) {
    data = 1;
    written = 1;
    return unused;
}

static void *reader(void *unused) {
#ifdef TWIN
    early = data; // not printed: where a process looks on, what comes after a call stays after it
#endif
    while (!said)
        sched_yield();
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t thread[2];
    pid_t parent = getpid(), child;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    child = fork();
    if (child < 0)
        return 1;
    if (!child)
        look_and_say(parent);
    if (pthread_create(&thread[0], NULL, writer, NULL) || pthread_create(&thread[1], NULL, reader, NULL))
        return 1;
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    waitpid(child, NULL, 0);
    return 0;
}
