// SPDX-License-Identifier: Apache-2.0
// What is mapped is something that threads can wait for: one takes a page away, the other asks the system whether it is
// there (mincore, and a write that ends with EFAULT). The twin writes once more when the page is gone.
// twin: data
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static char *page, *second;
static int data[2], ends[2];

static void *remover(void *unused) {
    data[0] = 1;
    munmap(page, 4096);
#ifdef TWIN
    data[0] = 2;
#endif
    data[1] = 1;
    mprotect(second, 4096, PROT_NONE);
#ifdef TWIN
    data[1] = 2;
#endif
    return unused;
}

static void *asker(void *unused) {
    unsigned char there;
    while (!mincore(page, 4096, &there))
        sched_yield();
    printf("%d\n", data[0]);
    char byte;
    while (write(ends[1], second, 1) == 1)
        if (read(ends[0], &byte, 1) != 1)
            return NULL;
    printf("%d\n", data[1]);
    return unused;
}

int main(void) {
    pthread_t one, two;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    second = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || second == MAP_FAILED || pipe(ends) || pthread_create(&one, NULL, remover, NULL) ||
        pthread_create(&two, NULL, asker, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
