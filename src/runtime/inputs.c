/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/inputs.h"

#include "runtime/process.h"
#include "runtime/say.h"
#include "runtime/sys.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

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

void rcp_inputs_opened(int fd) {
    struct stat is;
    char path[4096];
    if (!rcp_process_is_first() || RCP_SYS2(SYS_fstat, fd, &is) < 0 || !S_ISREG(is.st_mode))
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

void rcp_inputs_read(int fd, const void *bytes, size_t n) {
    static enum { ASK, KEEP, LEAVE } stdin_is;
    if (fd || !n || stdin_is == LEAVE || !rcp_process_is_first())
        return;
    if (stdin_is == ASK) {
        struct stat is;
        stdin_is = !RCP_SYS2(SYS_fstat, 0, &is) && !S_ISREG(is.st_mode) ? KEEP : LEAVE;
    }
    if (stdin_is == KEEP)
        append("stdin", bytes, n);
}
