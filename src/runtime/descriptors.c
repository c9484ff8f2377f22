/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/descriptors.h"

#include "runtime/logging.h"
#include "runtime/thread.h"

#include <errno.h>

enum { NUMBERS = 1 << 16, BITS = 64 }; /* larger ones always count as its own */
static uint64_t own[NUMBERS / BITS];
static bool has_any;

static bool is_own(int fd) {
    if (fd < 0)
        return false;
    return fd >= NUMBERS || __atomic_load_n(&own[fd / BITS], __ATOMIC_RELAXED) >> fd % BITS & 1;
}

bool rcp_descriptors_are_there(void) { return has_any; }

int rcp_descriptors_made(int fd, int like) {
    has_any |= fd >= 0;
    if (fd >= 0 && fd < NUMBERS && (like < 0 || is_own(like)))
        __atomic_fetch_or(&own[fd / BITS], UINT64_C(1) << fd % BITS, __ATOMIC_RELAXED);
    return fd;
}

void rcp_descriptors_made_two(const int fds[2]) {
    (void)rcp_descriptors_made(fds[0], -1);
    (void)rcp_descriptors_made(fds[1], -1);
}

static void hand(uint32_t fd) {
    int error = errno;
    rcp_thread *self = rcp_inside();
    if (self) {
        rcp_log_descriptor(fd);
        rcp_outside(self);
    } else if (rcp_self && rcp_self->inside && rcp_baton.on) {
        rcp_log_descriptor(fd);
    } else if (rcp_is_recording()) {
        rcp_log_unseen(RCP_UNSEEN_DESCRIPTORS); /* a thread that nobody knows */
    }
    errno = error;
}

void rcp_descriptors_handed(void) { hand(RCP_LOG_ANY_DESCRIPTOR); }

void rcp_descriptors_lent(int to, int from) {
    if (is_own(to) && !is_own(from))
        rcp_descriptors_handed();
}

void rcp_descriptors_escapes(int fd) {
    if (is_own(fd))
        hand((uint32_t)fd);
}

void rcp_descriptors_touched(int fd) {
    if (is_own(fd))
        rcp_log_descriptor((uint32_t)fd);
}

void rcp_descriptors_closed(int fd) {
    rcp_descriptors_touched(fd);
    if (is_own(fd) && fd < NUMBERS)
        __atomic_fetch_and(&own[fd / BITS], ~(UINT64_C(1) << fd % BITS), __ATOMIC_RELAXED);
}
