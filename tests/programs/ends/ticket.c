/* A ticket lock: who draws a later number spins until it is served. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_uint next, served;
static int counter;
static void *work(void *arg) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&served) != mine)
        continue;
    counter++;
    atomic_fetch_add(&served, 1);
#ifdef TWIN
    counter++;
#endif
    return arg;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("%d\n", counter);
}
