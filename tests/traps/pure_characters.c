// SPDX-License-Identifier: Apache-2.0
// What a thread does on the way that it did not take hangs on what it asks there alone of characters: of which kind one is, and what
// its other case is. In the trap the answers lead away from the variable.
// twin: racy
// exact: the way is gone without the program
#include <ctype.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int (*volatile larger)(int) = toupper;
static int (*volatile smaller)(int) = tolower;
static int (*volatile is_letter)(int) = isalpha;
static int flag, racy;
#ifdef TWIN
enum { LETTER = 'Q' };
#else
enum { LETTER = 'q' };
#endif

static void *first(void *unused) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    racy = 1;
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&m);
    int seen = flag;
    pthread_mutex_unlock(&m);
    if (!seen && is_letter('q') && !is_letter('7') && smaller('Q') == 'q' && larger('q') == LETTER)
        racy = 2;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
