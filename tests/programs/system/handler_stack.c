/* SPDX-License-Identifier: Apache-2.0 */
/* A stack overflow that is handled on a stack of its own, in the main thread and another. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static _Thread_local sigjmp_buf out;
static _Thread_local char *stack;
static size_t size = 1 << 16;

static void leave(int signal) {
    CHECK(signal == SIGSEGV);
    siglongjmp(out, 1);
}

static int recurse(volatile int *n) {
    volatile char frame[1000];
    for (size_t i = 0; i < sizeof frame; i += 100)
        frame[i] = (char)i;
    return ++*n > 0 ? recurse(n) * 3 + frame[*n % 1000] : 0;
}

static void *work(void *arg) {
    stack_t mine = {.ss_sp = stack = malloc(size), .ss_size = size}, old, off = {.ss_flags = SS_DISABLE};
    CHECK(!sigaltstack(NULL, &old) && old.ss_flags & SS_DISABLE);
    CHECK(!sigaltstack(&mine, NULL) && !sigaltstack(NULL, &old) && old.ss_sp == stack && !(old.ss_flags & SS_DISABLE));
    for (int i = 0; i < 3; i++) {
        volatile int depth = 0;
        if (!sigsetjmp(out, 1))
            recurse(&depth);
        CHECK(depth > 100);
    }
    CHECK(!sigaltstack(&off, &old) && old.ss_sp == stack);
    free(stack);
    return arg;
}

int main(void) {
    struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
    work(NULL);
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    puts("handler_stack: fine");
}
