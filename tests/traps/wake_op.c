// SPDX-License-Identifier: Apache-2.0
// FUTEX_WAKE_OP: the kernel stores the word that the other thread waits for. The twin writes once more when it was
// stored.
// twin: data
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word, unused_word;
static int data;

static void *writer(void *unused) {
    data = 1;
    syscall(SYS_futex, &unused_word, FUTEX_WAKE_OP_PRIVATE, 1, (void *)1, &word,
            FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0));
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

static void *reader(void *unused) {
    while (!word)
        sched_yield();
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t one, two;
    if (pthread_create(&one, NULL, writer, NULL) || pthread_create(&two, NULL, reader, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
