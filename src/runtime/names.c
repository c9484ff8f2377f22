/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/names.h"

#include "runtime/path_list.h"
#include "runtime/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static rcp_path_list names = {.name = "names"};

void rcp_names_changed(int at, const char *path) {
    const int error = errno;
    long fd = path ? RCP_SYS4(SYS_openat, at, path, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0) : -1;
    if (fd >= 0) {
        rcp_path_list_add(&names, (int)fd);
        RCP_SYS1(SYS_close, fd);
    }
    errno = error;
}

void rcp_names_written(int fd) {
    struct stat is;
    if (RCP_SYS2(SYS_fstat, fd, &is) >= 0 && S_ISREG(is.st_mode))
        rcp_path_list_add(&names, fd);
}
