// SPDX-License-Identifier: Apache-2.0
// io_uring: what is seen in a completion comes after what was submitted, which is stored into memory of the kernel's. One
// thread submits, the other looks for the completion. The twin writes once more when it has submitted.
// twin: data
// needs: test -e /proc/sys/kernel/io_uring_disabled && test $(cat /proc/sys/kernel/io_uring_disabled) = 0
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int data, ring;
static struct io_uring_params about;
static char *submissions, *completions;
static struct io_uring_sqe *entries;

static atomic_uint *word(char *in, unsigned offset) { return (atomic_uint *)(void *)(in + offset); }

static void *submits(void *unused) {
    data = 1;
    entries[0].opcode = IORING_OP_NOP;
    *word(submissions, about.sq_off.array) = 0;
    *word(submissions, about.sq_off.tail) = 1;
    if (syscall(__NR_io_uring_enter, ring, 1, 0, 0, NULL, 0) != 1)
        return NULL;
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

static void *looks(void *unused) {
    while (!*word(completions, about.cq_off.tail))
        sched_yield();
    printf("%d\n", data);
    return unused;
}

static void *map(size_t size, off_t offset) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, offset);
}

int main(void) {
    pthread_t one, two;
    ring = (int)syscall(__NR_io_uring_setup, 4, &about);
    if (ring < 0)
        return 1;
    submissions = map(about.sq_off.array + 64, IORING_OFF_SQ_RING);
    completions = map(about.cq_off.cqes + 256, IORING_OFF_CQ_RING);
    entries = map(4 * sizeof *entries, IORING_OFF_SQES);
    if (submissions == MAP_FAILED || completions == MAP_FAILED || entries == MAP_FAILED ||
        pthread_create(&one, NULL, submits, NULL) || pthread_create(&two, NULL, looks, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
