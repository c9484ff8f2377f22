// SPDX-License-Identifier: Apache-2.0
// Whoever started the program reads what it prints, and answers by a signal.
// twin: data
// stdout: answered read -r line && kill -USR1 "$line"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static int data, seen;
static atomic_int answered;

static void note(int number) {
    (void)number;
    answered = 1;
}

static void *printer(void *arg) {
    data = 1;
    printf("%d\n", (int)getpid());
    fflush(stdout);
    return arg;
}

int main(void) {
    pthread_t thread;
    sigset_t answers;
    signal(SIGUSR1, note);
    sigemptyset(&answers);
    sigaddset(&answers, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &answers, NULL);
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data; // no answer has come before this, in whatever schedule
#endif
    pthread_sigmask(SIG_UNBLOCK, &answers, NULL);
    for (int n = 0; n < 1000 && !answered; n++)
        usleep(1000);
    if (answered)
        seen += data;
    pthread_join(thread, NULL);
    return 0;
}
