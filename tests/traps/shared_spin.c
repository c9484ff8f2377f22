// SPDX-License-Identifier: Apache-2.0
// Another process has the spin lock, and lets it go when one thread has said so: whoever gets it then comes after that
// thread, by way of the other process. Nothing in a spin lock tells that processes share it. The twin looks at the data
// before.
// twin: data
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct box {
    pthread_spinlock_t lock;
    char space[128];
    atomic_int said;
} box;

static box *b;
static int data;

static void *says(void *unused) {
    data = 1;
    b->said = 1;
    return unused;
}

static void *waits(void *unused) {
#ifdef TWIN
    printf("%d\n", data);
#endif
    pthread_spin_lock(&b->lock);
    pthread_spin_unlock(&b->lock);
    printf("%d\n", data);
    return unused;
}

static int have_it(int tell) {
    pthread_spin_lock(&b->lock);
    if (write(tell, "!", 1) != 1)
        return 1;
    while (!b->said)
        usleep(100);
    return pthread_spin_unlock(&b->lock);
}

int main(void) {
    int ends[2];
    char byte;
    pthread_t one, two;
    b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED || pipe(ends) || pthread_spin_init(&b->lock, PTHREAD_PROCESS_SHARED))
        return 1;
    pid_t child = fork();
    if (!child)
        _exit(have_it(ends[1]));
    if (child < 0 || read(ends[0], &byte, 1) != 1 || pthread_create(&one, NULL, says, NULL) ||
        pthread_create(&two, NULL, waits, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return waitpid(child, NULL, 0) != child;
}
