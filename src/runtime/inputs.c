/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/inputs.h"

#include "runtime/answers.h"
#include "runtime/clock.h"
#include "runtime/descriptors.h"
#include "runtime/names.h"
#include "runtime/path_list.h"
#include "runtime/process.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/world.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static rcp_path_list files = {.name = "files"};

/* /dev/null, zero, full, random and urandom: nobody is behind them. */
static bool is_memory_device(const struct stat *is) { return S_ISCHR(is->st_mode) && major(is->st_rdev) == 1; }
static bool is_random(const struct stat *is) {
    return is_memory_device(is) && (minor(is->st_rdev) == 8 || minor(is->st_rdev) == 9);
}

void rcp_inputs_opened(int fd, int mode) {
    struct stat is;
    if (RCP_SYS2(SYS_fstat, fd, &is) < 0)
        return;
    rcp_streams_opened(&is);
    if (S_ISFIFO(is.st_mode)) /* which may be one that has no name: /dev/fd */
        rcp_descriptors_handed();
    if (S_ISFIFO(is.st_mode) || (S_ISCHR(is.st_mode) && !is_memory_device(&is)))
        rcp_world_meets(RCP_WORLD_SOCKETS, "the program opens a pipe or a device, by which others can talk to it");
    if (mode != O_RDONLY)
        rcp_names_written(fd);
    if (rcp_process_is_executed() && S_ISREG(is.st_mode) && mode == O_RDONLY)
        rcp_path_list_add(&files, fd);
}

void rcp_inputs_recall(rcp_thread *self, int fd, void *bytes, size_t n) {
    struct stat is;
    if (rcp_clock_is_fed() && !RCP_SYS2(SYS_fstat, fd, &is) && is_random(&is))
        rcp_answer_bytes(self, bytes, n);
}
