// Ends while a thread could run, in many ways (argument): the thread is seen all the same, and its race with main found.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *how) {
    if (!strcmp(how, "locked"))
        pthread_mutex_lock(&lock);
    if (!strcmp(how, "asleep"))
        sleep(100000);
    if (!strcmp(how, "naps"))
        usleep(150000);
    data = 1;
    if (!strcmp(how, "spins"))
        for (volatile int i = 0;; i++)
            ;
    if (!strcmp(how, "exits"))
        exit(7);
    if (!strcmp(how, "aborts"))
        abort();
    return NULL;
}

static void *meanwhile(void *how) {
    pthread_t t;
    pthread_create(&t, NULL, work, how);
    exit(4);
}

static void late(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, "late");
    data = 2;
}

static void handle(int number) {
    (void)number;
    _exit(5);
}

int main(int argc, char **argv) {
    char *how = argc > 1 ? argv[1] : "return";
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (!strcmp(how, "late")) {
        atexit(late);
        return 3;
    }
    if (!strcmp(how, "detached"))
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (!strcmp(how, "locked"))
        pthread_mutex_lock(&lock); /* nobody waits for who waits for it */
    if (!strcmp(how, "other"))
        pthread_create(&t, NULL, meanwhile, how);
    else
        pthread_create(&t, &attributes, work, how);
    data = 2;
    if (!strcmp(how, "other"))
        pthread_join(t, NULL);
    if (!strcmp(how, "exit"))
        exit(3);
    if (!strcmp(how, "_exit"))
        _exit(3);
    if (!strcmp(how, "quick_exit"))
        quick_exit(3);
    if (!strcmp(how, "number"))
        syscall(SYS_exit_group, 3);
    if (!strcmp(how, "handler")) {
        signal(SIGUSR1, handle);
        raise(SIGUSR1);
    }
    return 3;
}
