// SPDX-License-Identifier: Apache-2.0
// What a library that the program loads while it runs can only read is constant from then on, unless somebody has made it writable:
// who finds it changed comes after who did that. The twin's library does not, and its threads have to do with each other by nothing
// else than a table of that library, which both look at.
// twin: data
// exact: nothing orders the two
// plugin: plugin_table.c
// library: constant_table.cc
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

const int *library_constant(void);

static const int *place;
static int (*publish)(void);
static int data, sum;
static long numbers[2];
static char first_text[16], second_text[16];

/* The table's first number is 1, and stands far away from what is published. */
__attribute__((noinline)) static int is_there(void) { return place[-(1 << 14)] == 1; }

static void *writer(void *unused) {
    data = 1;
#ifdef TWIN
    if (is_there())
        numbers[0] = strtol(first_text, NULL, 10);
    return unused;
#else
    return publish() ? &data : unused;
#endif
}

static void *reader(void *unused) {
    for (int i = 0; i < 40; i++) /* most likely the other one has come so far; if not, nothing is found */
        sched_yield();
    if (is_there())
        numbers[1] = strtol(second_text, NULL, 10);
#ifndef TWIN
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE))
#endif
        sum += data;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    void *plugin = dlopen(PLUGIN "plugin_table.c.so", RTLD_NOW);
    if (!plugin)
        return 1;
    place = ((const int *(*)(void))dlsym(plugin, "plugin_table"))();
    publish = (int (*)(void))dlsym(plugin, "plugin_publish");
    strcpy(first_text, "1");
    strcpy(second_text, "2");
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    const int is_told = !!library_constant(); /* somebody who is left out has been told of nothing */
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return numbers[1] != 2 || !is_told;
}
