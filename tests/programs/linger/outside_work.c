// What outside_main.c calls: recorded. The thread is not joined, and races with who made it.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int data;

static void *work(void *unused) {
    data = 1;
    puts("thread");
    fflush(stdout);
    return unused;
}

void begin(const char *how) {
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (!strcmp(how, "detached"))
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attributes, work, NULL);
    data = 2;
}
