/* SPDX-License-Identifier: Apache-2.0 */
/* race: text */
/* Both accesses are the C library's. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[64] = "nothing yet";

static void *work(void *unused) {
    snprintf(text, sizeof text, "written by %s, %d", "a thread", 7);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    size_t n = strlen(text);
    pthread_join(a, NULL);
    return n > sizeof text || strcmp(text, "written by a thread, 7");
}
