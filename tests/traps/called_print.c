// SPDX-License-Identifier: Apache-2.0
// printf prints a conversion by a function of the program's own that is not recorded, and that waits for another thread.
// The twin writes when nobody waits any more.
// plain: wait_for_flag.c
// flags: -Wno-format
// twin: data
#include <pthread.h>
#include <printf.h>
#include <semaphore.h>
#include <stdio.h>

int flag;
static int data, seen;
static sem_t over;
printf_function plain_print;
printf_arginfo_size_function plain_sizes;

static void *first(void *unused) {
#ifndef TWIN
    data = 42;
#endif
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    sem_wait(&over);
#ifdef TWIN
    data = 42;
#endif
    return unused;
}

static void *second(void *unused) {
    printf("%W\n", 7);
    sem_post(&over);
    seen = data;
    return unused;
}

int main(void) {
    pthread_t one, two;
    sem_init(&over, 0, 0);
    if (register_printf_specifier('W', plain_print, plain_sizes))
        return 1;
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", seen);
    return 0;
}
