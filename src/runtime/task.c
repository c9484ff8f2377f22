/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/task.h"

#include "runtime/say.h"
#include "runtime/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

char rcp_task_state(int tid) {
    RCP_SAY(path, 64);
    rcp_say_text(&path, "/proc/self/task/");
    rcp_say_number(&path, (uint64_t)tid);
    rcp_say_text(&path, "/stat");
    long fd = RCP_SYS4(SYS_openat, AT_FDCWD, path.text, O_RDONLY | O_CLOEXEC, 0);
    if (fd == -ENOENT || fd == -ESRCH)
        return 0;
    char text[256];
    long n = fd < 0 ? -1 : RCP_SYS3(SYS_read, fd, text, sizeof text);
    if (fd >= 0)
        RCP_SYS1(SYS_close, fd);
    for (long i = n - 1; i >= 0; i--) /* after the command's name, which may hold anything */
        if (text[i] == ')')
            return i + 2 < n ? text[i + 2] : 'R';
    return n == -ESRCH ? 0 : 'R';
}

uint64_t rcp_task_worked(int tid) {
    struct timespec worked;
    /* The clock of a thread that is not the asking one has no name in the headers: clock_getcpuclockid(3). */
    const clockid_t clock = (clockid_t)(~(unsigned)tid << 3 | 6);
    if (RCP_SYS2(SYS_clock_gettime, clock, &worked) < 0)
        return 0;
    return (uint64_t)worked.tv_sec * 1000000 + (uint64_t)worked.tv_nsec / 1000;
}
