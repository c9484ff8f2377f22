// SPDX-License-Identifier: Apache-2.0
// A child traces its parent: it has stopped one thread of it, looks until another has written, and then writes what a
// third waits for. The twin looks before it has waited. The child begins when main is on its way to wait for them, so
// that no run hangs on where exactly it was stopped.
// twin: data
// needs: test "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" -le 1
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static _Alignas(64) int data;
static _Alignas(64) volatile int written;
static _Alignas(64) atomic_int said; /* and nothing behind it in its word */

static int begun[2];

static void look_and_say(pid_t parent) {
    char byte;
    if (read(begun[0], &byte, 1) != 1 || ptrace(PTRACE_ATTACH, parent, NULL, NULL) || waitpid(parent, NULL, __WALL) != parent)
        _exit(1);
    while (!(int)ptrace(PTRACE_PEEKDATA, parent, &written, NULL))
        sched_yield();
    ptrace(PTRACE_POKEDATA, parent, &said, 1L);
    ptrace(PTRACE_DETACH, parent, NULL, NULL);
    _exit(0);
}

static void *writer(void *unused) {
    data = 1;
    written = 1;
    return unused;
}

static void *reader(void *unused) {
#ifdef TWIN
    printf("%d\n", data);
#endif
    if (write(begun[1], "", 1) != 1)
        return unused;
    while (!said)
        sched_yield();
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t thread[2];
    pid_t parent = getpid(), child;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    if (pipe(begun))
        return 1;
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
