// SPDX-License-Identifier: Apache-2.0
// A pipe of the program's own by whichever number: duplicated, moved to a given one, made a stream; and a number that led to
// another one before, or comes to lead to one while somebody waits by it. Who reads comes after who wrote.
// The twin writes and reads by numbers that led to one pipe and lead to two then: nothing orders them any more.
// twin: raced
// exact: a number that is closed and given out again leads to another object
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DUPLICATE, MOVED, CONTROLLED, STREAM, REUSED, CASES };
static int ends[CASES][2], numbers[CASES];
static FILE *stream;

static char byte(int end) {
    char found = 0;
    return read(end, &found, 1) == 1 ? found : 0;
}

static int let(int end) { return write(end, "x", 1) == 1; }

static int make(void) {
    for (int i = 0; i < CASES; i++)
        if (pipe(ends[i]))
            return -1;
    numbers[DUPLICATE] = dup(ends[DUPLICATE][1]);
    numbers[MOVED] = dup2(ends[MOVED][1], 60);
    numbers[CONTROLLED] = fcntl(ends[CONTROLLED][1], F_DUPFD, 70);
    stream = fdopen(ends[STREAM][1], "w");
    // The numbers lead to another pipe afterwards.
    int old[2] = {ends[REUSED][0], ends[REUSED][1]};
    close(old[0]);
    close(old[1]);
    if (pipe(ends[REUSED]) || ends[REUSED][0] != old[0] || ends[REUSED][1] != old[1])
        return -1;
    close(ends[DUPLICATE][1]);
    // Neither assembly that computes, by which valgrind is asked for, nor this call by its number is about descriptors.
#ifdef __aarch64__
    __asm__ volatile("ror x12, x12, #61\n\tror x12, x12, #3\n\torr x10, x10, x10" : : : "memory");
#endif
    return stream && syscall(SYS_gettid) > 0 ? 0 : -1;
}

#ifdef TWIN
static int raced;

static void *one(void *unused) {
    raced = 1;
    let(numbers[DUPLICATE]);
    let(numbers[MOVED]);
    return unused;
}

static void *other(void *unused) {
    let(ends[REUSED][1]);
    byte(ends[REUSED][0]);
    let(numbers[CONTROLLED]);
    byte(ends[CONTROLLED][0]);
    return raced ? unused : ends;
}
#else
static int data[CASES];

static void *one(void *unused) {
    data[DUPLICATE] = 1;
    let(numbers[DUPLICATE]);
    data[MOVED] = 1;
    let(numbers[MOVED]);
    data[CONTROLLED] = 1;
    let(numbers[CONTROLLED]);
    data[STREAM] = 1;
    fputc('x', stream);
    fflush(stream);
    data[REUSED] = 1;
    let(ends[REUSED][1]);
    return unused;
}

static void *other(void *unused) {
    int sum = 0;
    for (int i = 0; i < CASES; i++) {
        byte(ends[i][0]);
        sum += data[i];
    }
    return sum ? unused : ends;
}
#endif

int main(void) {
    pthread_t threads[2];
    if (make() || pthread_create(&threads[0], NULL, one, NULL) || pthread_create(&threads[1], NULL, other, NULL))
        return 1;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
