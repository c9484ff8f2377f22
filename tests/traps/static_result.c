// SPDX-License-Identifier: Apache-2.0
// gmtime, localtime, asctime and ctime return what the library has in one place for all threads: who holds a lock until it has
// looked at that is in no race. The twin looks after it let the lock go, and calls gmtime without one: the library has a lock for the
// zone, which it lets go of before it writes what it returns.
// twin: static_result.c
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int years[2];
static char days[2];

static void *work(void *at) {
    long me = (long)at;
    time_t when = 1000000000 + me * 40000000;
    struct tm own, *parts = gmtime_r(&when, &own);
    pthread_mutex_lock(&lock);
    days[me] = *asctime(parts);
    days[me] ^= *ctime(&when);
    years[me] = localtime(&when)->tm_year;
    parts = gmtime(&when);
#ifdef TWIN
    pthread_mutex_unlock(&lock);
    years[me] += parts->tm_year;
#else
    years[me] += parts->tm_year;
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

#ifdef TWIN
static void *unused_result(void *unused) {
    time_t when = 0;
    gmtime(&when);
    return unused;
}
#endif

static void both(void *(*function)(void *)) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, function, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(void) {
#ifdef TWIN
    both(unused_result);
#endif
    both(work);
    return years[0] + years[1] == 2 * (101 + 102) && !days[0] && !days[1] ? 0 : 1;
}
