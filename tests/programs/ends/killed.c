/* A signal that nobody handles ends the program inside a loop that makes no call: the log ends before it. */
#include <pthread.h>
#include <unistd.h>
static volatile int spins;
static int shared;
static void *spin(void *arg) {
    shared = 1;
    alarm(1);
    for (;;)
        spins++;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, spin, NULL);
#ifndef QUIET
    shared = 2;
#endif
    pthread_join(t, NULL);
}
