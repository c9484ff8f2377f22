// SPDX-License-Identifier: Apache-2.0
// A signal's handler that runs while its thread sorts, in the sort or in its comparison, and is none: after the call
// that sent the signal. The twin writes once more when it is sent.
// twin: data
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int data;
static volatile sig_atomic_t came;
static pthread_t sorting;

static void handler(int number) {
    (void)number;
    printf("%d\n", data);
    came = 1;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *worker(void *unused) {
    data = 1;
    pthread_kill(sorting, SIGUSR1);
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    pthread_t thread;
    int numbers[16];
    sigaction(SIGUSR1, &action, NULL);
    sorting = pthread_self();
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
    while (!came) {
        for (int i = 0; i < 16; i++)
            numbers[i] = i * 7 % 16;
        qsort(numbers, 16, sizeof *numbers, compare);
    }
    pthread_join(thread, NULL);
    return 0;
}
