// SPDX-License-Identifier: Apache-2.0
// What the system does when a thread ends comes after all that the thread did: a word that it clears, descriptors of the
// thread's own that it closes, a child that is sent a signal. The twin looks before it is told.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int data[3], ends[2], answers[2], begins[2];
static atomic_int word = 1, has_own;

static void *cleared(void *unused) {
    syscall(SYS_set_tid_address, &word);
    data[0] = 1;
    return unused;
}

static void *closed(void *unused) {
    if (unshare(CLONE_FILES))
        _exit(2);
    has_own = 1;
    data[1] = 1;
    return unused;
}

static void wait_for_end(void) {
    sigset_t set;
    int signal;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    if (write(begins[1], "b", 1) == 1 && !sigwait(&set, &signal) && write(answers[1], "a", 1) == 1)
        _exit(0);
    _exit(2);
}

static void *signalled(void *unused) {
    char c;
    if (!fork())
        wait_for_end();
    if (read(begins[0], &c, 1) != 1)
        _exit(2);
    data[2] = 1;
    return unused;
}

static int look(int which) {
#ifdef TWIN
    return data[which] > 1;
#endif
    return which > 2;
}

int main(void) {
    pthread_t thread;
    char c;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pipe(ends) || pipe(answers) || pipe(begins) || pthread_create(&thread, &detached, cleared, NULL))
        return 1;
    int sum = look(0);
    while (word)
        sched_yield();
    sum += data[0];
    if (pthread_create(&thread, &detached, closed, NULL))
        return 1;
    while (!has_own)
        sched_yield();
    close(ends[1]);
    if (look(1) || read(ends[0], &c, 1))
        return 1;
    sum += data[1];
    if (pthread_create(&thread, &detached, signalled, NULL) || look(2) || read(answers[0], &c, 1) != 1)
        return 1;
    sum += data[2];
    wait(NULL);
    return sum != 3;
}
