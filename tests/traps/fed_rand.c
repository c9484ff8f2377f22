// SPDX-License-Identifier: Apache-2.0
// rand() under a lock: who comes first gets the first number, whoever that is. A replay that gives each thread the number
// that it had when recorded lets the second in order have the first number, which can't be.
// twin: x
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int x, calls, first;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *draw(void *argument) {
    pthread_mutex_lock(&m);
    int number = rand(), turn = calls++;
    pthread_mutex_unlock(&m);
#ifdef TWIN
    (void)turn, (void)number;
    x++;
#else
    if ((turn == 0) != (number == first))
        x++;
#endif
    return argument;
}

int main(void) {
    pthread_t threads[2];
    srand(3);
    first = rand();
    srand(3);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, draw, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
    return 0;
}
