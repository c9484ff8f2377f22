/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 4: the environment, and where strtok() stands, are state behind calls. The library does not protect it, so
 * the program does. */
#include "trap.h"

static char words[] = "a b";
static int w;

static void T1(void) {
    v = 1;
    pthread_mutex_lock(&m);
    setenv("TRAP", "1", 1);
    pthread_mutex_unlock(&m);
    w = 1;
    pthread_mutex_lock(&m);
    strtok(NULL, " ");
    pthread_mutex_unlock(&m);
}

static void T2(void) {
    pthread_mutex_lock(&m);
    int is_set = getenv("TRAP") != NULL;
    pthread_mutex_unlock(&m);
    if (is_set)
        printed = v;
    pthread_mutex_lock(&m);
    int is_taken = !strtok(NULL, " "); /* the second word */
    pthread_mutex_unlock(&m);
    if (is_taken)
        printed += w;
}

__attribute__((constructor)) static void begin(void) { strtok(words, " "); }
