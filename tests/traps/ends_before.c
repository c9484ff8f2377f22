/* SPDX-License-Identifier: Apache-2.0 */
/* The main thread asks whether another one has ended, until it has, and only then touches what that one wrote. In the twin
 * a third thread does not ask. */
// twin: data
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static int data, sum;

static void *writes(void *unused) {
    data = 1;
    return unused;
}

#ifdef TWIN
static void *reads(void *unused) {
    sum += data;
    return unused;
}
#endif

int main(void) {
    pthread_t writer;
    pthread_create(&writer, NULL, writes, NULL);
#ifdef TWIN
    pthread_t reader;
    pthread_create(&reader, NULL, reads, NULL);
    pthread_join(reader, NULL);
#endif
    while (pthread_tryjoin_np(writer, NULL) == EBUSY)
        ;
    data++;
    sum += data;
    return sum > 100;
}
