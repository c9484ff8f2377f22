/* SPDX-License-Identifier: Apache-2.0 */
/* Who asks for a thread by its handle or its number is told when there is no such thread any more: all that it did is
 * over. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define OWN_MAIN
#include "trap.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

static int number, policy, *of_first;
static struct sched_param parameter;
static char text[32];
static clockid_t its_clock;

static void T1(void) {
    *of_first = 1;
    set(&number, gettid());
    ONLY_RACY(*of_first = 3;)
}
static void T2(void) {}

static int by_parameter(pthread_t t) { return pthread_getschedparam(t, &policy, &parameter); }
static int by_clock(pthread_t t) { return pthread_getcpuclockid(t, &its_clock); }
static int by_name(pthread_t t) { return pthread_getname_np(t, text, sizeof text); }
static int by_new_name(pthread_t t) { return pthread_setname_np(t, "n"); }
static int by_number(pthread_t t) {
    (void)t;
    int its = get(&number);
    return its && sched_getscheduler(its) < 0;
}
static int by_priority(pthread_t t) {
    (void)t;
    int its = get(&number);
    struct sched_param found;
    return its && sched_getparam(its, &found) < 0;
}

int main(void) {
    static int (*const ways[])(pthread_t) = {by_parameter, by_clock, by_name, by_new_name, by_number, by_priority};
    enum { WAYS = sizeof ways / sizeof *ways };
    static int words[WAYS];
    (void)second;
    for (int i = 0; i < WAYS; i++) {
        pthread_t one;
        number = 0;
        of_first = &words[i];
        if (pthread_create(&one, NULL, first, NULL))
            return 1;
        for (int looks = 0; !ways[i](one) && looks < (ONLY_RACY(0 *) 1 << 20); looks++)
            sched_yield();
        words[i] = 2;
        pthread_join(one, NULL);
    }
    printf("%d\n", printed);
    return 0;
}
