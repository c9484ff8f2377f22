// SPDX-License-Identifier: Apache-2.0
// What could be read alone is made writable by whole pages: one byte of its page suffices. A call outside then reads there what
// code that is not recorded has written. The twin does not look.
// twin: data
// plain: constant_part.c
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <strings.h>

const char *part_text(void);
int part_publish(void);

static const char *place;
static int data, sum;

static void *writer(void *unused) {
    data = 1;
#ifndef TWIN
    if (part_publish())
        abort();
#endif
    return unused;
}

static void *reader(void *unused) {
    for (int i = 0; i < 40; i++) /* most likely the other one has come so far; if not, nothing is found */
        sched_yield();
#ifndef TWIN
    if (!strcasecmp(place, "cld"))
#endif
        sum += data;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    place = part_text();
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
