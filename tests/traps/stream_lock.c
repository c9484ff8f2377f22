/* SPDX-License-Identifier: Apache-2.0 */
/* fgets takes the stream's lock, by which the other thread keeps it from the line: the call can't go on while that one
 * stands before its write. */
// twin: line
// unconfirmed: that fgets takes the stream's lock is nothing that the trace has
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *stream;
static char line[64];

static void *reader(void *unused) {
    return fgets(line, sizeof line, stream) ? unused : NULL;
}

static void *marker(void *unused) {
#ifndef TWIN
    flockfile(stream);
#endif
    line[0] = '#';
#ifndef TWIN
    funlockfile(stream);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    stream = tmpfile();
    if (!stream)
        return 1;
    fputs("one\ntwo\n", stream);
    rewind(stream);
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, marker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
