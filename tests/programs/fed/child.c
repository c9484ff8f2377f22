/* SPDX-License-Identifier: Apache-2.0 */
/* A race in a program whose child tells it the time: they must be of one world. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int x; /* racy */

static void *work(void *argument) {
    x++;
    return argument;
}

int main(void) {
    int ends[2];
    long theirs, ours;
    pthread_t threads[2];
    if (pipe(ends))
        return 2;
    pid_t child = fork();
    if (!child) {
        theirs = (long)time(NULL);
        _exit(write(ends[1], &theirs, sizeof theirs) != sizeof theirs);
    }
    if (read(ends[0], &theirs, sizeof theirs) != sizeof theirs)
        return 2;
    waitpid(child, NULL, 0);
    ours = (long)time(NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts(labs(ours - theirs) > 1 ? "bad: the child's clock is another" : "ended");
    return 0;
}
