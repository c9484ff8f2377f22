/* Waits for what nobody who could run will write: a signal's handler (signal), somebody who sleeps (sleep), time (time), code that is
 * not recorded and runs by itself (apart). */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static atomic_int flag;
void set_later(atomic_int *word); /* apart.c */
static void handle(int number) {
    (void)number;
    flag = 1;
}
static void *set(void *arg) {
    usleep(300000);
    flag = 1;
    return arg;
}
int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "sleep";
    pthread_t t;
    if (!strcmp(how, "signal")) {
        signal(SIGALRM, handle);
        alarm(1);
    } else if (!strcmp(how, "sleep")) {
        pthread_create(&t, NULL, set, NULL);
    } else if (!strcmp(how, "apart")) {
        set_later(&flag);
    }
    if (!strcmp(how, "time")) {
        for (time_t end = time(NULL) + 1; time(NULL) < end;)
            ;
    } else {
        while (!flag)
            ;
    }
    if (!strcmp(how, "sleep"))
        pthread_join(t, NULL);
    puts("over");
}
