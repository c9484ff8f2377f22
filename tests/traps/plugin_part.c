// SPDX-License-Identifier: Apache-2.0
// What can be read alone of a library that the program loads while it runs is made writable later, by whole pages. A call outside then
// reads there what code that is not recorded has written. The twin does not look.
// twin: data
// plugin: constant_part.c
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <strings.h>

static const char *place;
static int (*publish)(void);
static int data, sum;

static void *writer(void *unused) {
    data = 1;
#ifndef TWIN
    if (publish())
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
    void *plugin = dlopen(PLUGIN "constant_part.c.so", RTLD_NOW);
    if (!plugin)
        return 1;
    place = ((const char *(*)(void))dlsym(plugin, "part_text"))();
    publish = (int (*)(void))dlsym(plugin, "part_publish");
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
