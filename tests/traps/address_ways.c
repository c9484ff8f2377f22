// Which element a thread has hangs on what another one wrote. In the recorded run it may be one that nobody else touches; each of the
// others is one that the first thread works on. In the trap both do so under a lock.
// twin: values
// exact: each other value of an address is asked about
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long values[3];
static int at;

static void set(int to) {
    pthread_mutex_lock(&m);
    at = to;
#ifndef TWIN
    values[to == 2] += to;
#endif
    pthread_mutex_unlock(&m);
}

static void *first(void *unused) {
    set(1);
#ifdef TWIN
    values[0] = 7;
    values[1] = 8;
#endif
    set(2);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&m);
    int i = at;
#ifdef TWIN
    pthread_mutex_unlock(&m);
    values[i] = 9;
#else
    values[i] = 9;
    pthread_mutex_unlock(&m);
#endif
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
