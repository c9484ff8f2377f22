/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of these programs: T1 writes what decides under a lock, then v without one, then what decides again. T2
 * reads what decides under the lock, and v where DECIDES holds. In the recorded run T2 sees the second value, so that
 * T1's lock orders the accesses of v: whoever looks at this order alone finds nothing. Whether they race hangs on the
 * first value: does it decide the same? A program defines decider       the type FIRST, SECOND the values (FIRST
 * differs in the twin, which is compiled with -DTWIN: there it decides otherwise) DECIDES(seen)
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static decider shared;
static int v, printed;

static void publish(decider value) {
    pthread_mutex_lock(&lock);
    shared = value;
    pthread_mutex_unlock(&lock);
}

static void *one(void *unused) {
    publish(FIRST);
    v = 1;
    publish(SECOND);
    return unused;
}

static void *two(void *unused) {
    pthread_mutex_lock(&lock);
    decider seen = shared;
    pthread_mutex_unlock(&lock);
    if (DECIDES(seen))
        printed = v;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    if (pthread_create(&t1, NULL, one, NULL) || pthread_create(&t2, NULL, two, NULL))
        return 1;
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", printed);
    return 0;
}
