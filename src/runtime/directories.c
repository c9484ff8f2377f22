/* SPDX-License-Identifier: Apache-2.0 */
/* What directories hold: the C library fills an entry in memory of its own, and the program reads it there. So the log
 * has its contents. */
#include "runtime/runtime.h"

#include <dirent.h>
#include <errno.h>

RCP_REAL_DEFINE(readdir)
RCP_REAL_DEFINE(readdir64)

static void tell(const void *entry, size_t size) {
    int error = errno;
    rcp_thread *self = rcp_inside();
    if (self) {
        rcp_effect(entry, size);
        rcp_outside(self);
    }
    errno = error;
}

RCP_INTERCEPT struct dirent *readdir(DIR *directory) {
    struct dirent *entry = RCP_REAL(readdir)(directory);
    if (entry)
        tell(entry, entry->d_reclen);
    return entry;
}
RCP_INTERCEPT struct dirent64 *readdir64(DIR *directory) {
    struct dirent64 *entry = RCP_REAL(readdir64)(directory);
    if (entry)
        tell(entry, entry->d_reclen);
    return entry;
}
