// SPDX-License-Identifier: Apache-2.0
// What a library that is loaded while the program runs can only read is constant until it is unloaded. What is in its place then is
// another one's: here a variable of a library that tells the other thread by it. The twin's thread does not look.
// twin: data
// plugin: plugin_table.c plugin_variable.c
// library: constant_table.cc
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

const int *library_constant(void);

static const int *place;
static int (*publish)(void);
static int data, sum;

static void *writer(void *unused) {
    data = 1;
    return publish() ? &data : unused;
}

static void *reader(void *unused) {
    for (int i = 0; i < 40; i++) /* most likely the other one has come so far; if not, nothing is found */
        sched_yield();
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
    const int first = place[-(1 << 14)];
    if (dlclose(plugin) || !(plugin = dlopen(PLUGIN "plugin_variable.c.so", RTLD_NOW)))
        return 1;
    place = ((const int *(*)(void))dlsym(plugin, "plugin_table"))();
    publish = (int (*)(void))dlsym(plugin, "plugin_publish");
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    const int is_told = !!library_constant(); /* somebody who is left out has been told of nothing */
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return first != 1 || !is_told;
}
