// SPDX-License-Identifier: Apache-2.0
// A struct from the heap has padding that nobody ever writes. It is copied as a whole, by a thread and from there by
// another one, and one of its members says whether to go on. The padding says nothing; the members are as known as they
// were. The twin goes on by a member that is always the same.
// twin: counter
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct box {
    int ready;
    char always;
    void *place;
};
static struct box *box, there;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    there = *box;
    struct box own = there;
    pthread_mutex_unlock(&lock);
#ifdef TWIN
    if (own.always == 1)
#else
    if (own.ready)
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
    pthread_mutex_lock(&lock);
    box->ready = 1;
    int always = there.always;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d %d\n", counter, always);
    return 0;
}
