// SPDX-License-Identifier: Apache-2.0
// A segment without a name, marked for removal as soon as it is attached; and yet a child that was there before attaches
// it by its identifier, which Linux allows, and hands on what one thread stores there: the other one finds the answer.
// The twin looks at the data before.
// twin: data
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct box {
    atomic_int question;
    char space[128];
    atomic_int answer;
} box;

static box *b;
static int data;

static void *asks(void *unused) {
    data = 1;
    b->question = 1;
    return unused;
}

static void *listens(void *unused) {
#ifdef TWIN
    printf("%d\n", data);
#endif
    while (!b->answer)
        usleep(100);
    printf("%d\n", data);
    return unused;
}

static int hand_on(int from) {
    int segment;
    if (read(from, &segment, sizeof segment) != sizeof segment)
        return 1;
    box *seen = shmat(segment, NULL, 0);
    if (seen == (void *)-1)
        return 1;
    while (!seen->question)
        usleep(100);
    seen->answer = 1;
    return 0;
}

int main(void) {
    int ends[2];
    pthread_t one, two;
    if (pipe(ends))
        return 1;
    pid_t child = fork();
    if (!child)
        _exit(hand_on(ends[0]));
    int segment = shmget(IPC_PRIVATE, sizeof *b, IPC_CREAT | 0600);
    b = segment < 0 ? (void *)-1 : shmat(segment, NULL, 0);
    if (child < 0 || b == (void *)-1 || shmctl(segment, IPC_RMID, NULL))
        return 1;
    if (pthread_create(&one, NULL, asks, NULL) || pthread_create(&two, NULL, listens, NULL) ||
        write(ends[1], &segment, sizeof segment) != sizeof segment)
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return waitpid(child, NULL, 0) != child;
}
