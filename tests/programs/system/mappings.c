/* SPDX-License-Identifier: Apache-2.0 */
/* Thousands of mappings: pages of their own, and one page of a file again and again. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 1000, COPIES = 4000 };
static char *at[PAGES + COPIES];

static void *touch(void *arg) {
    for (int i = 0; i < PAGES + COPIES; i++)
        at[i][1]++;
    return arg;
}

int main(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int fd = memfd_create("mapped", 0);
    CHECK(fd >= 0 && !ftruncate(fd, (off_t)page));
    for (int i = 0; i < PAGES + COPIES; i++) {
        bool own = i < PAGES;
        /* those of other rights are not put together by the system */
        int rights = PROT_READ | PROT_WRITE | (own && i % 2 ? PROT_EXEC : 0);
        at[i] = mmap(NULL, page, rights, own ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, own ? -1 : fd, 0);
        CHECK(at[i] != MAP_FAILED);
    }
    pthread_t t;
    pthread_create(&t, NULL, touch, NULL);
    pthread_join(t, NULL);
    for (int i = 0; i < PAGES; i++)
        CHECK(at[i][1] == 1);
    printf("%d %d\n", at[PAGES][1], at[PAGES + COPIES - 1][1] == (char)COPIES);
    for (int i = 0; i < PAGES + COPIES; i++)
        CHECK(!munmap(at[i], page));
    return 0;
}
