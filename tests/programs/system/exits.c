/* SPDX-License-Identifier: Apache-2.0 */
/* The ways to end: exits WAY. Another thread runs on until then. */
#define _GNU_SOURCE
#include "check.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile long turns;
static void *run_on(void *arg) {
    for (;;)
        turns++;
    return arg;
}

static void said(void) { puts("at exit"); }
static void said_quickly(void) {
    puts("at quick exit");
    fflush(stdout);
}
static void caught(int signal) {
    (void)signal;
    puts("caught");
    fflush(stdout);
}

static int overflow(int n) {
    volatile char frame[4096];
    frame[0] = (char)n;
    return overflow(n + 1) + frame[0];
}

static void *end_in_thread(void *arg) {
    (void)arg;
    exit(21);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "return";
    pthread_t t;
    setvbuf(stdout, NULL, _IOLBF, 0);
    atexit(said);
    at_quick_exit(said_quickly);
    pthread_create(&t, NULL, run_on, NULL);
    printf("%s\n", way);
    if (!strcmp(way, "exit"))
        exit(11);
    if (!strcmp(way, "_exit"))
        _exit(12);
    if (!strcmp(way, "_Exit"))
        _Exit(13);
    if (!strcmp(way, "quick_exit"))
        quick_exit(14);
    if (!strcmp(way, "thread")) {
        pthread_create(&t, NULL, end_in_thread, NULL);
        pthread_join(t, NULL);
    }
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "abort-caught")) {
        signal(SIGABRT, caught);
        abort();
    }
    if (!strcmp(way, "assert"))
        assert(argc == 77);
    if (!strcmp(way, "segv"))
        *(volatile int *)8 = 1;
    if (!strcmp(way, "segv-far")) /* no page is there, and one could be mapped */
        *(volatile int *)0x18000 = 1;
    if (!strcmp(way, "segv-outside"))
        return (int)strlen((const char *)(size_t)argc);
    if (!strcmp(way, "jump-nowhere"))
        ((void (*volatile)(void))16)();
    if (!strcmp(way, "bus")) {
        FILE *f = tmpfile();
        volatile char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(f), 0);
        return *p;
    }
    if (!strcmp(way, "overflow"))
        return overflow(0);
    if (!strcmp(way, "trap"))
        __builtin_trap();
    if (!strcmp(way, "raise"))
        raise(SIGTERM);
    if (!strcmp(way, "kill"))
        kill(getpid(), SIGKILL);
    return 10;
}
