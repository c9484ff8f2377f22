/* SPDX-License-Identifier: Apache-2.0 */
/* A race of a run that was thought out, in a program that has changed a file: what runs leave is noted of the recording, and the
 * variants of it that are replayed have that note, too. */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned ready, v;
static void set(unsigned value) { pthread_mutex_lock(&m); ready = value; pthread_mutex_unlock(&m); }
static void *publish(void *p) { set(0x11); v = 42; set(0x30); return p; }
static void *look(void *p) {
    pthread_mutex_lock(&m);
    unsigned seen = ready;
    pthread_mutex_unlock(&m);
    if ((seen & 0x1f) == 0x11)
        v++;
    return p;
}
int main(void) {
    pthread_t a, b;
    FILE *f = fopen("left.txt", "w");
    fputs("new\n", f);
    fclose(f);
    pthread_create(&a, NULL, publish, NULL);
    pthread_join(a, NULL);
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
