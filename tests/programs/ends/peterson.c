/* Peterson's algorithm, by spinning. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int want[2], last;
static int counter;
static void *work(void *arg) {
    int me = arg != NULL;
    for (int i = 0; i < 2; i++) {
        atomic_store(&want[me], 1);
        atomic_store(&last, me);
        while (atomic_load(&want[!me]) && atomic_load(&last) == me)
            continue;
        counter++;
        atomic_store(&want[me], 0);
    }
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
