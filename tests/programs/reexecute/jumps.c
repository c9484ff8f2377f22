/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp through frames, out of callbacks and out of signal handlers; handlers in the middle of loops. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static jmp_buf here;
static sigjmp_buf from_signal;
static volatile sig_atomic_t ticks, leave;
static volatile long counter;

__attribute__((noinline)) static void deep(int n) {
    char room[64];
    room[n % 64] = (char)n;
    if (n)
        deep(n - 1 + room[n % 64] * 0);
    else
        longjmp(here, 5);
}

static int compare(const void *a, const void *b) {
    if (++counter == 40)
        longjmp(here, 7);
    return *(const int *)a - *(const int *)b;
}

static void on_signal(int number) {
    (void)number;
    ticks++;
    if (leave)
        siglongjmp(from_signal, 3);
}

int main(void) {
    long h = 0;
    for (int i = 0; i < 5; i++) {
        int r = setjmp(here);
        if (!r)
            deep(i * 3);
        h = h * 31 + r;
    }
    int numbers[64];
    for (int i = 0; i < 64; i++)
        numbers[i] = (i * 37) % 64;
    if (!setjmp(here))
        qsort(numbers, 64, sizeof *numbers, compare);
    else
        h += 1000;
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 10; i++)
        raise(SIGUSR1);
    h = h * 31 + ticks;
    signal(SIGALRM, on_signal);
    struct itimerval every = {{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &every, NULL);
    volatile long spun = 0;
    int before = ticks;
    while (ticks < before + 5)
        spun++;
    if (!sigsetjmp(from_signal, 1)) {
        leave = 1; /* not before there is a place to jump to */
        for (;;)
            spun++;
    }
    every = (struct itimerval){0};
    leave = 0;
    setitimer(ITIMER_REAL, &every, NULL);
    h = h * 31 + (spun > 0);
    printf("%ld %ld\n", h, counter);
    return 0;
}
