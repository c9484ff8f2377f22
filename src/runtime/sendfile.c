/* SPDX-License-Identifier: Apache-2.0 */
/* sendfile: the bytes of a file go out, as if they had been read and written (peer.h). In a replay that is fed they go
 * to nobody, and the file's offset moves. What is sent of anything but a file is not followed. */
#include "runtime/block.h"
#include "runtime/descriptors.h"
#include "runtime/kept.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/talk.h"
#include "runtime/thread.h"

#include <errno.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

RCP_REAL_DEFINE(sendfile)

enum { MOST = 0x7ffff000 }; /* that the system sends at once */

/* How much of the file comes from there on; below 0: it is none. */
static int64_t left_of(int from, int64_t at) {
    struct stat is;
    if (at < 0 || RCP_SYS2(SYS_fstat, from, &is) < 0 || !S_ISREG(is.st_mode))
        return -1;
    return is.st_size > at ? is.st_size - at : 0;
}

/* By a thread that has the baton. False: the file could not be read. */
static bool goes_out(int to, int from, int64_t at, int64_t size) {
    static char bytes[1 << 16];
    bool talks = rcp_talk_of(to);
    rcp_streams_printed();
    while (size > 0) {
        long n = RCP_SYS4(SYS_pread64, from, bytes, size < (int64_t)sizeof bytes ? size : (int64_t)sizeof bytes, at);
        if (n <= 0)
            return false;
        const struct iovec part = {bytes, (size_t)n};
        if (talks)
            rcp_talk_sends(to, &part, 1, NULL, 0);
        else
            rcp_kept_printed(to, bytes, (size_t)n);
        at += n;
        size -= n;
    }
    return true;
}

RCP_INTERCEPT ssize_t sendfile(int to, int from, off_t *offset, size_t size) {
    rcp_descriptors_lent(to, from);
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sendfile)(to, from, offset, size);
    int64_t at = offset ? *offset : RCP_SYS3(SYS_lseek, from, 0, SEEK_CUR), whole = left_of(from, at);
    if (whole > (int64_t)(size < MOST ? size : MOST))
        whole = (int64_t)(size < MOST ? size : MOST);
    if (!goes_out(to, from, at, whole) || whole < 0)
        rcp_talk_escapes(to, "something else than a file is sent by a socket");
    ssize_t n = (ssize_t)whole;
    if (whole < 0 || !rcp_talk_fed(to)) {
        rcp_block_leave(self, rcp_block_is_due(to, POLLOUT));
        n = RCP_REAL(sendfile)(to, from, offset, size);
        rcp_block_return(self);
        rcp_talk_did(to, n == whole);
    } else if (offset) {
        *offset = at + whole;
    } else {
        RCP_SYS3(SYS_lseek, from, at + whole, SEEK_SET);
    }
    if (offset && n >= 0)
        rcp_effect(offset, sizeof *offset);
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) {
    return sendfile(to, from, offset, size);
}
