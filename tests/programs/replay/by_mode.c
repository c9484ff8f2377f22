/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads whose accesses are what a file says: recorded with one, replayed with another. Each of them is one event, so
 * the schedule can be followed in any case; only what the threads are about to do is not what was predicted. With BESIDE
 * another race comes after it, whatever the file says: on the way of its replay both stand before the first. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Atomic int word;
static __int128 wide;
static char text[64];
static int mode, seen;
static volatile int late;

static void *one(void *unused) {
    int expected = mode == 'f'; /* the word holds 0 */
    switch (mode) {
    case 'p': *(volatile int *)&word = 1; break;
    case 'a': atomic_store(&word, 1); break;
    case 'u': atomic_fetch_add(&word, 1); break;
    case 's':
    case 'f': atomic_compare_exchange_strong(&word, &expected, 2); break;
    case 'w': *(volatile __int128 *)&wide = 1; break;
    case 'n': *(volatile long *)&wide = 1; break;
    case 'h': strcpy(text, "abc"); break;
    case 'e': strcpy(text + 32, "abc"); break;
    case 'o': strcat(text, "abc"); break;
    default: break;
    }
#ifdef BESIDE
    late = 1;
#endif
    return unused;
}

static void *other(void *unused) {
    switch (mode) {
    case 'w':
    case 'n': seen = ((volatile int *)&wide)[3]; break;
    case 'h':
    case 'e':
    case 'o': seen = ((volatile char *)text)[1]; break;
    case 'u': atomic_store(&word, 3); break;
    default: seen = *(volatile int *)&word; break;
    }
#ifdef BESIDE
    seen += late;
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    FILE *file = fopen("mode", "r");
    mode = file ? fgetc(file) : 0;
    if (file)
        fclose(file);
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
