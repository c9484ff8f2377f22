// SPDX-License-Identifier: Apache-2.0
// A program and its child agree on the time: what the child says is not later than what the program is told after it. A
// replay that tells the program a recorded time, and lets the child ask the system, has it see a child from the future.
// twin: x
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int x;
static long theirs, ours;

static long now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000 + at.tv_nsec;
}

static void *work(void *argument) {
#ifdef TWIN
    x++;
#else
    if (theirs > ours)
        x++;
#endif
    return argument;
}

int main(void) {
    pthread_t threads[2];
    int ends[2];
    if (pipe(ends))
        return 1;
    pid_t child = fork();
    if (!child) {
        theirs = now();
        _exit(write(ends[1], &theirs, sizeof theirs) != sizeof theirs);
    }
    if (read(ends[0], &theirs, sizeof theirs) != sizeof theirs)
        return 1;
    waitpid(child, NULL, 0);
    ours = now();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
    return 0;
}
