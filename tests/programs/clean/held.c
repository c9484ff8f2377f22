/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 18, 20: main holds the lock long before, and until T1 has ended. T2 gets it only then, whatever window one
 * looks at. */
#define OWN_MAIN
#include "trap.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static int filler;

static void T1(void) {
    for (int i = 0; i < 300; i++)
        set(&filler, i);
    v = 1;
}

static void T2(void) {
    for (int i = 0; i < 300; i++)
        set(&filler, i);
    ONLY_RACY(printed = v;)
    pthread_mutex_lock(&outer);
    printed = v;
    pthread_mutex_unlock(&outer);
}

int main(void) {
    pthread_t one, two;
    pthread_mutex_lock(&outer);
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_mutex_unlock(&outer);
    pthread_join(two, NULL);
    printf("%d\n", printed);
    return 0;
}
