/* SPDX-License-Identifier: Apache-2.0 */
/* What a format's %s reads is read: T2 goes on only where the name is long, which T1 sees to after it wrote `v`. */
#include "trap.h"

static char name[32] = ONLY_RACY("long enough") "a";

static void T1(void) {
    v = 1;
    pthread_mutex_lock(&m);
    strcpy(name, "longer name");
    pthread_mutex_unlock(&m);
}

static void T2(void) {
    char text[64];
    pthread_mutex_lock(&m);
    int n = snprintf(text, sizeof text, "%d %s", 1, name), k = printf("%.9s\n", name);
    pthread_mutex_unlock(&m);
    if (n > 7 && k > 5)
        v = 2;
}
