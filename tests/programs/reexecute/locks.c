/* SPDX-License-Identifier: Apache-2.0 */
/* Locks, thread-local variables, a callback from qsort. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int data[64];
static long sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static __thread int mine;
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *work(void *arg) {
    int k = (int)(long)arg;
    for (int i = 0; i < 2000; i++) {
        pthread_mutex_lock(&m);
        data[(i * 7 + k) & 63] += i;
        sum += i;
        mine++;
        pthread_mutex_unlock(&m);
    }
    return (void *)(long)mine;
}
int main(int argc, char **argv) {
    pthread_t t[3];
    long total = 0;
    void *r;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], &r);
        total += (long)r;
    }
    qsort(data, 64, sizeof *data, cmp);
    char buf[100];
    snprintf(buf, sizeof buf, "%ld %ld %d %d", total, sum, data[0], data[63]);
    puts(buf);
    return 0;
}
