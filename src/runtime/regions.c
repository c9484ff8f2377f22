/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/regions.h"

#include "runtime/sys.h"

#include <fcntl.h>

void rcp_regions_open(rcp_regions *r) {
    r->fd = RCP_SYS4(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    r->at = r->n = 0;
}

void rcp_regions_close(rcp_regions *r) {
    if (r->fd >= 0)
        RCP_SYS1(SYS_close, r->fd);
}

/* 0: there are no more. */
static char next_byte(rcp_regions *r) {
    if (r->at == r->n) {
        r->at = 0;
        r->n = r->fd < 0 ? 0 : RCP_SYS3(SYS_read, r->fd, r->bytes, sizeof r->bytes);
        if (r->n <= 0) {
            r->n = 0;
            return 0;
        }
    }
    return r->bytes[r->at++];
}

/* Up to the first byte that is none of its digits, which is taken, too. */
static uint64_t take_number(rcp_regions *r) {
    uint64_t number = 0;
    for (char c; (c = next_byte(r));) {
        if (c >= '0' && c <= '9')
            number = number << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number << 4 | (uint64_t)(c - 'a' + 10);
        else
            break;
    }
    return number;
}

/* "aaaa8000-aaaa9000 rw-s 00000000 00:01 5 /dev/zero (deleted)" */
bool rcp_regions_next(rcp_regions *r, rcp_mapped_region *next) {
    next->lo = take_number(r);
    next->hi = take_number(r);
    next->is_readable = next_byte(r) == 'r';
    next->is_written = next_byte(r) == 'w';
    next_byte(r);
    next->is_shared = next_byte(r) != 'p';
    next_byte(r);
    next->offset = take_number(r);
    next->device[0] = take_number(r);
    next->device[1] = take_number(r);
    next->inode = take_number(r);
    for (char c = 1; c && c != '\n';)
        c = next_byte(r);
    return next->lo < next->hi;
}
