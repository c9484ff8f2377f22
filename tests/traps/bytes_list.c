// SPDX-License-Identifier: Apache-2.0
// A thread shows a variable of its stack to another one. Later a va_list is at the same place: that va_start has put
// there what is there is nobody else's doing. What it sums up says whether to go on. In the twin it always does.
// twin: counter
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static int *shown, counter, ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static int sum_of(int n, va_list list) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += va_arg(list, int);
    return sum;
}

__attribute__((noinline)) static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int sum = sum_of(n, list);
    va_end(list);
    return sum;
}

__attribute__((noinline)) static void show(void) {
    int room[16];
    memset(room, 0, sizeof room);
    shown = room;
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
}

static void *work(void *unused) {
    show();
    pthread_mutex_lock(&lock);
    int is_ready = ready;
    pthread_mutex_unlock(&lock);
#ifdef TWIN
    is_ready = 1;
#endif
    if (sum(3, 1, 2, is_ready) == 4)
        counter = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct rusage usage;
    pthread_barrier_init(&both, NULL, 2);
    if (pthread_create(&thread, NULL, work, NULL))
        return 1;
    pthread_barrier_wait(&both);
    for (int i = 0; i < 16; i++)
        shown[i] = 7;
    pthread_barrier_wait(&both);
    counter = 1;
    getrusage(RUSAGE_SELF, &usage);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
    return 0;
}
