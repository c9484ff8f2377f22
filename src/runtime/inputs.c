/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/inputs.h"

#include "runtime/answers.h"
#include "runtime/clock.h"
#include "runtime/descriptors.h"
#include "runtime/names.h"
#include "runtime/process.h"
#include "runtime/say.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/world.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { KNOWN = 1024 };
static uint64_t known[KNOWN]; /* hashes of the paths that are in the list; where it is full, no more are added */
static unsigned n_known;

static uint64_t hash(const char *text, long n) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (long i = 0; i < n; i++)
        h = (h ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return h;
}

static bool is_new(uint64_t h) {
    for (unsigned i = 0; i < n_known; i++)
        if (known[i] == h)
            return false;
    if (n_known == KNOWN)
        return false;
    known[n_known++] = h;
    return true;
}

static void append(const char *name, const void *bytes, size_t n) {
    long fd = rcp_process_open(name, O_WRONLY | O_CREAT | O_APPEND);
    if (fd < 0)
        return;
    RCP_SYS3(SYS_write, fd, bytes, n);
    RCP_SYS1(SYS_close, fd);
}

/* /dev/null, zero, full, random and urandom: nobody is behind them. */
static bool is_memory_device(const struct stat *is) { return S_ISCHR(is->st_mode) && major(is->st_rdev) == 1; }
static bool is_random(const struct stat *is) {
    return is_memory_device(is) && (minor(is->st_rdev) == 8 || minor(is->st_rdev) == 9);
}

void rcp_inputs_opened(int fd, int mode) {
    struct stat is;
    char path[4096];
    if (RCP_SYS2(SYS_fstat, fd, &is) < 0)
        return;
    rcp_streams_opened(&is);
    if (S_ISFIFO(is.st_mode)) /* which may be one that has no name: /dev/fd */
        rcp_descriptors_handed();
    if (S_ISFIFO(is.st_mode) || (S_ISCHR(is.st_mode) && !is_memory_device(&is)))
        rcp_world_meets(RCP_WORLD_SOCKETS, "the program opens a pipe or a device, by which others can talk to it");
    if (mode != O_RDONLY)
        rcp_names_written(fd);
    if (!rcp_process_is_executed() || !S_ISREG(is.st_mode) || mode != O_RDONLY)
        return;
    RCP_SAY(link, 64);
    rcp_say_text(&link, "/proc/self/fd/");
    rcp_say_number(&link, (uint64_t)fd);
    long n = RCP_SYS4(SYS_readlinkat, AT_FDCWD, link.text, path, sizeof path - 1);
    if (n <= 0 || path[0] != '/' || !is_new(hash(path, n)))
        return;
    path[n] = '\n';
    append("files", path, (size_t)n + 1);
}

void rcp_inputs_recall(rcp_thread *self, int fd, void *bytes, size_t n) {
    struct stat is;
    if (rcp_clock_is_fed() && !RCP_SYS2(SYS_fstat, fd, &is) && is_random(&is))
        rcp_answer_bytes(self, bytes, n);
}
