// What a thread does on the way that it did not take hangs on functions that it calls there alone: who it is, the lowest bit of a
// number, its size. All of them are known. In the trap what they return leads away from the variable.
// twin: racy
// exact: the way is gone without the program
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int (*volatile first_set)(int) = ffs;
static int (*volatile size_of)(int) = abs;
static int flag, racy;
#ifdef TWIN
enum { BIT = 4 };
#else
enum { BIT = 3 };
#endif

static void *first(void *unused) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    racy = 1;
    return unused;
}

static void *second(void *unused) {
    pthread_t self = pthread_self();
    pthread_mutex_lock(&m);
    int seen = flag;
    pthread_mutex_unlock(&m);
    if (!seen && size_of(-3) == 3 && pthread_equal(self, pthread_self()) && first_set(8) == BIT)
        racy = 2;
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
