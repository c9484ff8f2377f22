/* Dekker's algorithm: two threads that wait for each other by spinning. In a variant of the run both may spin for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int want[2], turn;
static int counter;
static void lock(int me) {
    atomic_store(&want[me], 1);
    while (atomic_load(&want[!me]))
        if (atomic_load(&turn) != me) {
            atomic_store(&want[me], 0);
            while (atomic_load(&turn) != me)
                continue;
            atomic_store(&want[me], 1);
        }
}
static void unlock(int me) {
    atomic_store(&turn, !me);
    atomic_store(&want[me], 0);
}
static void *work(void *arg) {
    int me = arg != NULL;
    lock(me);
    counter++;
    unlock(me);
#ifdef TWIN
    counter++;
#endif
    return arg;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, work, NULL);
    pthread_create(&t[1], NULL, work, &counter);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    printf("%d\n", counter);
}
