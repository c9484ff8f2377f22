/* SPDX-License-Identifier: Apache-2.0 */
/* Many small threaded programs in one: main()'s argument says which one is run; without one their names are printed.
 * Whoever includes this has them, as functions, and lists them: PROGRAMS(ROW(name), …). */
#ifndef RECIPE_BENCH_SMALL_H
#define RECIPE_BENCH_SMALL_H

#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef void *work(void *);

static pthread_t start(work *what, long argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, what, (void *)argument);
    return thread;
}

/* Starts `n` threads, the i-th with `works[i]`, and joins them. */
static void run(int n, work *const *works) {
    pthread_t threads[8];
    for (int i = 0; i < n; i++)
        threads[i] = start(works[i], i);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}
#define RUN(...) run((int)(sizeof((work *[]){__VA_ARGS__}) / sizeof(work *)), (work *[]){__VA_ARGS__})

typedef struct program {
    const char *name;
    void (*main)(void);
} program;

static int choose(const program *programs, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (!name)
            puts(programs[i].name);
        else if (!strcmp(name, programs[i].name))
            return programs[i].main(), 0;
    return name ? 99 : 0;
}
#define ROW(name) {#name, name}
#define PROGRAMS(...)                                                                                                  \
    int main(int argc, char **argv) {                                                                                  \
        static const program programs[] = {__VA_ARGS__};                                                               \
        return choose(programs, sizeof programs / sizeof *programs, argc > 1 ? argv[1] : NULL);                        \
    }

#endif
