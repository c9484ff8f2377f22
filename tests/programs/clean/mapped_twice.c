/* SPDX-License-Identifier: Apache-2.0 */
/* One memory in two places: what T1 says in the one T2 finds in the other. A file, a segment, a mapping that is
 * doubled. Sprung: T1 says it too early. */
#define _GNU_SOURCE
#define OWN_MAIN
#include "trap.h"

#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

enum { SIZE = 4096, WAYS = 3 };

static int values[WAYS];
static _Atomic int *said[WAYS], *found[WAYS];

static void T1(void) {
    for (int i = 0; i < WAYS; i++) {
        values[i] = 1;
        *said[i] = 1;
        ONLY_RACY(values[i] = 2;)
    }
}

static void T2(void) {
    for (int i = 0; i < WAYS; i++)
        if (*found[i])
            printed += values[i];
}

int main(void) {
    pthread_t one, two;
    int fd = memfd_create("box", 0), segment = shmget(IPC_PRIVATE, SIZE, 0600);
    if (fd < 0 || ftruncate(fd, SIZE) || segment < 0)
        return 1;
    said[0] = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    found[0] = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
    said[1] = shmat(segment, NULL, 0);
    found[1] = shmat(segment, NULL, SHM_RDONLY);
    shmctl(segment, IPC_RMID, NULL);
    said[2] = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    found[2] = mremap((void *)said[2], 0, SIZE, MREMAP_MAYMOVE);
    for (int i = 0; i < WAYS; i++)
        if (said[i] == MAP_FAILED || found[i] == MAP_FAILED)
            return 1;
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    shmdt((void *)said[1]);
    shmdt((void *)found[1]);
    printf("%d\n", printed);
    return 0;
}
