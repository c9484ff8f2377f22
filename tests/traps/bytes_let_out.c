// SPDX-License-Identifier: Apache-2.0
// A struct with padding that nobody ever writes is moved by realloc, written to a file as a whole, and copied and
// written again. What leaves the program leaves it; what comes back hangs on the members at most. The twin goes on by a
// member that is always the same.
// twin: counter
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct box {
    int ready;
    char always;
    void *place;
};
static struct box *box;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, file;

static void *send_it(void *unused) {
    pthread_mutex_lock(&lock);
    box = realloc(box, 5000);
    struct box own = *box;
    ssize_t n = write(file, box, sizeof *box);
    pthread_mutex_unlock(&lock);
    n += write(file, &own, sizeof own);
#ifdef TWIN
    if (n && own.always == 1)
#else
    if (n && own.ready)
#endif
        counter = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    file = open("/dev/null", O_WRONLY);
    box = malloc(sizeof *box);
    box->ready = 0;
    box->always = 1;
    box->place = box;
    if (pthread_create(&thread, NULL, send_it, NULL))
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
