// SPDX-License-Identifier: Apache-2.0
// A child answers by what it can change of the program's: it shares the mask of new files (CLONE_FS), and may move a thread to
// another processor. Who sees the answer comes after who wrote to the child. The twin's reader does not wait for it.
// twin: data
// needs: [ "$(nproc)" -gt 1 ]
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MASK = 0123 };
static int data[2], ends[2][2];
static int other; /* a processor */
static pid_t moved;
static _Alignas(16) char stack[1 << 16];

static int child(void *unused) {
    char byte;
    cpu_set_t set;
    (void)unused;
    if (read(ends[0][0], &byte, 1) != 1)
        _exit(1);
    umask(MASK);
    if (read(ends[1][0], &byte, 1) != 1)
        _exit(1);
    CPU_ZERO(&set);
    CPU_SET(other, &set);
    _exit(sched_setaffinity(moved, sizeof set, &set));
}

static void *writer(void *unused) {
    data[0] = 1;
    if (write(ends[0][1], "", 1) != 1)
        return &data;
    data[1] = 1;
    if (write(ends[1][1], "", 1) != 1)
        return &data;
    return unused;
}

int main(void) {
    pthread_t thread;
    cpu_set_t set, one;
    int first = 0, found = 0;
    sched_getaffinity(0, sizeof set, &set);
    while (!CPU_ISSET(first, &set))
        first++;
    for (other = first + 1; !CPU_ISSET(other, &set);)
        other++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    moved = getpid();
    umask(022);
    if (sched_setaffinity(0, sizeof one, &one) || pipe(ends[0]) || pipe(ends[1]))
        return 1;
    if (clone(child, stack + sizeof stack, CLONE_FS | SIGCHLD, NULL) < 0 || pthread_create(&thread, NULL, writer, NULL))
        return 1;
#ifndef TWIN
    while (umask(022) != MASK)
        sched_yield();
#endif
    found += data[0];
#ifndef TWIN
    while (sched_getcpu() != other)
        sched_yield();
#endif
    found += data[1];
    pthread_join(thread, NULL);
    wait(NULL);
    return found > 2;
}
