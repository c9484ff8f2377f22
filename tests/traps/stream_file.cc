// SPDX-License-Identifier: Apache-2.0
// A stream of one thread's own that leads to a pipe: code that is not recorded has opened it.
// twin: data
// plain: stream_file.cc
#include <ostream>
#include <pthread.h>
#include <unistd.h>

std::ostream *open_descriptor(int fd);

static int data, seen;
static int ends[2];
static std::ostream *out;

static void *printer(void *arg) {
    data = 1;
    out->write("g", 1);
    out->flush();
    return arg;
}

int main() {
    char c;
    if (pipe(ends))
        return 1;
    out = open_descriptor(ends[1]);
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    if (read(ends[0], &c, 1) != 1)
        return 1;
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
