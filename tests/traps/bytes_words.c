// SPDX-License-Identifier: Apache-2.0
// A struct with padding that nobody ever writes is copied, moved word by word, and looked at byte by byte. One of its
// bytes says whether to go on: it is as known as it was, though it lay in a word with the padding. The twin goes on by a
// byte that is always the same.
// twin: counter
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct box {
    char ready, always;
    long place;
};
union any {
    struct box box;
    uint64_t words[2];
    unsigned char bytes[16];
};
static struct box *box;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *look(void *unused) {
    union any own, other;
    pthread_mutex_lock(&lock);
    own.box = *box;
    pthread_mutex_unlock(&lock);
    other.words[0] = own.words[0];
    other.words[1] = own.words[1];
#ifdef TWIN
    if (other.bytes[1] == 1)
#else
    if (other.bytes[0] == 1)
#endif
        counter = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    box = malloc(sizeof *box);
    box->ready = 0;
    box->always = 1;
    box->place = 5;
    if (pthread_create(&thread, NULL, look, NULL))
        return 1;
    counter = 1;
    pthread_mutex_lock(&lock);
    box->ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
    return 0;
}
