/* SPDX-License-Identifier: Apache-2.0 */
/* setenv() changes what getenv() looks through. The clean twin locks. */
#include "../clean/trap.h"




static void T1(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    setenv("A_NAME", "a value", 1);
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}

static void T2(void) {
#ifndef RACY
    pthread_mutex_lock(&m);
#endif
    printed = getenv("A_NAME") != NULL;
#ifndef RACY
    pthread_mutex_unlock(&m);
#endif
}
