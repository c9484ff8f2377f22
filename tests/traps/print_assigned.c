// SPDX-License-Identifier: Apache-2.0
// Standard output is another stream by now, whose other end the program reads: who reads what was printed comes after who printed it.
// In the twin it looks before it has read.
// twin: data
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int data, seen;
static FILE *in;

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

int main(void) {
    char line[16];
    int ends[2];
    if (pipe(ends))
        return 1;
    FILE *before = stdout;
    in = fdopen(ends[0], "r");
    stdout = fdopen(ends[1], "w");
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    if (!fgets(line, sizeof line, in))
        return 1;
    seen += data;
    pthread_join(thread, NULL);
    stdout = before;
    return seen < 1;
}
