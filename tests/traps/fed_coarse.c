// SPDX-License-Identifier: Apache-2.0
// time() goes by the clock's ticks: right after a second has begun it says the one before, though the other clocks are
// past it. How far a thread runs hangs on what it said; a replay must say the same. It never runs back by more than
// that, and never by itself.
// twin: x
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static int x;
static time_t second;

static void *work(void *argument) {
    struct timespec coarse, fine;
    volatile unsigned sum = 0;
    time_t first = time(NULL);
    for (int i = 0, n = first < second ? 300 : 40; i < n; i++)
        sum += i;
    clock_gettime(CLOCK_REALTIME, &fine);
    time_t between = time(NULL);
    clock_gettime(CLOCK_REALTIME_COARSE, &coarse);
#ifdef TWIN
    (void)between;
    x++;
#else
    if (between < first || coarse.tv_sec < between || fine.tv_sec - between > 1)
        x++;
#endif
    return argument;
}

int main(void) {
    pthread_t threads[2];
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at = (struct timespec){second = at.tv_sec + 1, 0};
    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL))
        ;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
    return 0;
}
