/* SPDX-License-Identifier: Apache-2.0 */
/* The C library's own list in zeroed memory: each thread reads the one that it got, and the other one's, and frees that.
 * expect: X */
#include "threads.h"
#include <ifaddrs.h>
#include <semaphore.h>
#include <stddef.h>

int X;
static struct ifaddrs *lists[2];
static int lengths[2];
static sem_t ready[2];

static int length_of(const struct ifaddrs *list) {
    int length = 0;
    for (; list; list = list->ifa_next) {
        for (const char *p = list->ifa_name; *p; p++)
            length++;
        length += list->ifa_addr ? list->ifa_addr->sa_family : 0;
    }
    return length;
}

static void look(int mine) {
    if (getifaddrs(&lists[mine]))
        lists[mine] = NULL; /* no network here, not even one to itself */
    lengths[mine] = length_of(lists[mine]);
    sem_post(&ready[mine]);
    sem_wait(&ready[!mine]);
    lengths[mine] += length_of(lists[!mine]);
    if (lists[!mine])
        freeifaddrs(lists[!mine]);
    X = mine;
}

static void *first(void *unused) {
    look(0);
    return unused;
}

static void *second(void *unused) {
    look(1);
    return unused;
}

int main(void) {
    sem_init(&ready[0], 0, 0);
    sem_init(&ready[1], 0, 0);
    run((void *(*const[])(void *)){first, second}, 2);
    return lengths[0] != lengths[1];
}
