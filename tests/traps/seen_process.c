// SPDX-License-Identifier: Apache-2.0
// Another process hands on what one thread stores in memory that both processes have: the second thread finds the
// answer there, which nobody else of this process writes. The twin looks at the data before.
// twin: data
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct box {
    atomic_int question;
    char space[128];
    atomic_int answer;
} box;

static box *shared;
static int data;

static void *asks(void *unused) {
    data = 1;
    shared->question = 1;
    return unused;
}

static void *listens(void *unused) {
#ifdef TWIN
    printf("%d\n", data);
#endif
    while (!shared->answer)
        syscall(SYS_futex, &shared->answer, FUTEX_WAIT, 0, NULL);
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t one, two;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    pid_t child = fork();
    if (!child) {
        while (!shared->question)
            usleep(100);
        usleep(20000);
        shared->answer = 1;
        syscall(SYS_futex, &shared->answer, FUTEX_WAKE, 1);
        _exit(0);
    }
    if (child < 0 || pthread_create(&one, NULL, asks, NULL) || pthread_create(&two, NULL, listens, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return waitpid(child, NULL, 0) != child;
}
