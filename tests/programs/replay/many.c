/* SPDX-License-Identifier: Apache-2.0 */
/* Twelve variables that one thread writes and another one reads, each at a line of its own: one schedule brings all of the
 * pairs together. With an argument, the threads then run through so many million rounds alone: then one replay takes long. */
#include <pthread.h>
#include <stdlib.h>

static volatile int a, b, c, d, e, f, g, h, i, j, k, l;
static long rounds;

static long spin(void) {
    volatile long n = 0;
    for (long r = 0; r < rounds; r++)
        n += r & 1;
    return n;
}

static void *reads(void *unused) {
    int sum = 0;
    sum += a;
    sum += b;
    sum += c;
    sum += d;
    sum += e;
    sum += f;
    sum += g;
    sum += h;
    sum += i;
    sum += j;
    sum += k;
    sum += l;
    spin();
    return sum > 1000 ? unused : NULL;
}

int main(int argc, char **argv) {
    pthread_t thread;
    rounds = argc > 1 ? 1000000 * atol(argv[1]) : 0;
    pthread_create(&thread, NULL, reads, NULL);
    a = 1;
    b = 1;
    c = 1;
    d = 1;
    e = 1;
    f = 1;
    g = 1;
    h = 1;
    i = 1;
    j = 1;
    k = 1;
    l = 1;
    pthread_join(thread, NULL);
    return 0;
}
