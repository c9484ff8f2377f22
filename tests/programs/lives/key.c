/* SPDX-License-Identifier: Apache-2.0 */
/* A key of threads' own values is deleted when the other thread has said that it needs it no more. The twin's says
 * nothing. report: delete key */
#include "../clean/trap.h"

static pthread_key_t key;
static int kept, is_done;

__attribute__((constructor)) static void begin(void) { pthread_key_create(&key, NULL); }

static void T1(void) {
    pthread_setspecific(key, &kept);
    if (pthread_getspecific(key) != &kept)
        printed = 1;
    set(&is_done, 1);
}

static void T2(void) {
#ifndef RACY
    while (!get(&is_done))
        ;
#endif
    pthread_key_delete(key);
}
