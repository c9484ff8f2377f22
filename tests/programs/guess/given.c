/* SPDX-License-Identifier: Apache-2.0 */
/* What was read flows into a call that is known, and another value might come to the same. Who reads the other one says so, and writes
 * nothing; the twin writes whatever it was. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int number = 77;
static long total;

static void *write_it(void *arg) {
    total = 1;
    pthread_mutex_lock(&lock);
    number = 33;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *tell(void *is_twin) {
    char text[16];
    pthread_mutex_lock(&lock);
    int found = number;
    pthread_mutex_unlock(&lock);
    snprintf(text, sizeof text, "%d", found);
    if (text[0] == '3' || is_twin)
        total = 2;
    return is_twin;
}

int main(void) {
    pthread_t one, other;
#ifdef TWIN
    void *is_twin = &total;
#else
    void *is_twin = NULL;
#endif
    pthread_create(&one, NULL, write_it, NULL);
    pthread_create(&other, NULL, tell, is_twin);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    printf("%ld\n", total);
    return 0;
}
