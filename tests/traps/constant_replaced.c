// SPDX-License-Identifier: Apache-2.0
// Memory that could be read alone when the program began is constant for as long as it stays: a page that is moved there
// (mremap) is another one, though nobody ever makes the old one writable. The twin leaves it as it is.
// twin: data
// plain: program_table.c
// library: constant_table.cc
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

const int *program_constant(void);
int program_replace(void);
const int *library_constant(void);

static const int *place;
static int data, sum;

static void *writer(void *unused) {
    data = 1;
#ifndef TWIN
    if (program_replace())
        abort();
#endif
    return unused;
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
    place = program_constant();
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    const int is_told = !!library_constant(); /* somebody who is left out has been told of nothing */
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return !is_told;
}
