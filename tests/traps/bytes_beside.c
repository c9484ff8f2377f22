// SPDX-License-Identifier: Apache-2.0
// A thread reads a member that nobody ever writes, and beside it one that says whether to go on. What the first one
// holds is found in memory when it is read, and says nothing of what the other one would hold in another order. The
// twin goes on by a member that is always the same.
// twin: counter
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct box {
    int ready;
    volatile int never;
    int always;
};
static struct box *box;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, kept;

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    kept = box->never;
    int ready = box->ready, always = box->always;
    pthread_mutex_unlock(&lock);
#ifdef TWIN
    if (always)
#else
    if (ready)
#endif
        counter = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    void *old = malloc(sizeof *box);
    ((volatile int *)old)[1] = 77;
    free(old);
    box = malloc(sizeof *box);
    box->ready = 0;
    box->always = 1;
    if (pthread_create(&thread, NULL, look, NULL))
        return 1;
    counter = 1;
    pthread_mutex_lock(&lock);
    box->ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
    return 0;
}
