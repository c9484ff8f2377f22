// SPDX-License-Identifier: Apache-2.0
// A thread copies a struct with padding that nobody ever writes, and calls a function of which nothing is known. That
// may look at all that the thread has read; but of the padding there is nothing to know. The twin goes on by a member
// that is always the same.
// twin: counter
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct box {
    int ready;
    char always;
    void *place;
};
static struct box *box;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    struct box own = *box;
    pthread_mutex_unlock(&lock);
    const char *text = l64a(own.always); /* it is in no row */
#ifdef TWIN
    if (text && own.always == 1)
#else
    if (text && own.ready)
#endif
        counter = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    box = malloc(sizeof *box);
    box->ready = 0;
    box->always = 1;
    box->place = box;
    if (pthread_create(&thread, NULL, look, NULL))
        return 1;
    counter = 1;
#ifndef TWIN
    pthread_mutex_lock(&lock);
    box->ready = 1;
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    printf("%d\n", counter);
    return 0;
}
