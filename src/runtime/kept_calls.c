/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by which standard input escapes those that keep it (kept.h), and a standard stream gets another number
 * (streams.h). Each is a call outside, recorded as such. */
#include "runtime/kept.h"
#include "runtime/streams.h"

#include <unistd.h>

RCP_REAL_DEFINE(dup)
RCP_REAL_DEFINE(dup2)
RCP_REAL_DEFINE(dup3)

RCP_INTERCEPT int dup(int fd) {
    rcp_kept_escapes(fd);
    rcp_streams_duplicated(fd, -1);
    return RCP_REAL(dup)(fd);
}
RCP_INTERCEPT int dup2(int fd, int to) {
    rcp_kept_escapes(fd);
    rcp_streams_duplicated(fd, to);
    return RCP_REAL(dup2)(fd, to);
}
RCP_INTERCEPT int dup3(int fd, int to, int flags) {
    rcp_kept_escapes(fd);
    rcp_streams_duplicated(fd, to);
    return RCP_REAL(dup3)(fd, to, flags);
}
