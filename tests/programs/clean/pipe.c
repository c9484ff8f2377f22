/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 2: a pipe between two threads, and an eventfd, are synchronisation. Sprung: v is written after. */
#include "trap.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ends[2], event, w;

static void T1(void) {
    char byte = 1;
    uint64_t one = 1;
    v = 1;
    if (write(ends[1], &byte, 1) != 1)
        abort();
    w = 1;
    if (write(event, &one, sizeof one) != sizeof one)
        abort();
    ONLY_RACY(v = 2; for (int i = 0; i < 40; i++) set(&w, i);) /* who reads sees a thread's end: it comes later */
}

static void T2(void) {
    char byte;
    uint64_t count;
    if (read(ends[0], &byte, 1) == 1)
        printed = v;
    if (read(event, &count, sizeof count) == sizeof count)
        printed += w;
}

__attribute__((constructor)) static void open_all(void) {
    event = eventfd(0, 0);
    if (pipe(ends) || event < 0)
        abort();
}
