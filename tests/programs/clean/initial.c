/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 10: what calloc() gave is 0 until somebody writes it, and a global is what its image says. */
#define OWN_MAIN
#include "trap.h"

static int *flag, armed = 7, w;

static void T1(void) {
    v = 1;
    set(flag, 1);
    w = 1;
    set(&armed, 8);
}

static void T2(void) {
    if (get(flag))
        printed = v;
    if (get(&armed) != 7 ONLY_RACY(|| 1))
        printed += w;
}

int main(void) {
    pthread_t one, two;
    flag = calloc(1, sizeof *flag);
    if (!flag || pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(flag);
    printf("%d\n", printed);
    return 0;
}
