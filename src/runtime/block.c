/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/block.h"

#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/thread.h"

#include <fcntl.h>

/* Where the call that is about to be made reads from; below 0: nowhere. What comes is looked at when it has come. */
static __thread int reads __attribute__((tls_model("initial-exec"))) = -1;

bool rcp_block_is_due(int fd, short events) {
    struct pollfd one = {.fd = fd, .events = events};
    struct timespec now = {0, 0};
    if (events & POLLIN) {
        reads = fd;
        rcp_streams_read(fd); /* a handler that runs meanwhile may read, too */
    }
    /* Files are always ready, and what is no descriptor fails at once. */
    if (RCP_SYS4(SYS_ppoll, &one, 1, &now, 0))
        return false;
    return !(RCP_SYS3(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK);
}

void rcp_block_leave(rcp_thread *self, bool blocks) {
    int error = errno;
    if (blocks)
        rcp_give(self);
    else
        rcp_outside(self);
    errno = error;
}

void rcp_block_return(rcp_thread *self) {
    int error = errno;
    rcp_take(self); /* if it still has the baton that is nothing */
    if (reads >= 0)
        rcp_streams_read(reads);
    reads = -1;
    errno = error;
}
