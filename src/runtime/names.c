/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/names.h"

#include "runtime/process.h"
#include "runtime/say.h"
#include "runtime/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

enum { KNOWN = 1 << 13 };     /* more names than half of that are not kept apart: "more" says so */
static uint64_t known[KNOWN]; /* hashes of the paths that are in the list, each at its place or after it; 0: none */
static unsigned n_known;

static uint64_t hash(const char *text, long n) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (long i = 0; i < n; i++)
        h = (h ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return h ? h : 1;
}

static bool is_new(uint64_t h) {
    for (uint64_t at = h;; at++) {
        uint64_t *place = &known[at % KNOWN];
        if (*place == h)
            return false;
        if (!*place) {
            *place = n_known < KNOWN / 2 ? h : 0;
            return true;
        }
    }
}

static void append(const char *line, long n) {
    long fd = rcp_process_open("names", O_WRONLY | O_CREAT | O_APPEND);
    if (fd < 0)
        return;
    RCP_SYS3(SYS_write, fd, line, n);
    RCP_SYS1(SYS_close, fd);
}

static void note(long fd) {
    static const char more[] = "more\n";
    char path[4097];
    RCP_SAY(link, 64);
    rcp_say_text(&link, "/proc/self/fd/");
    rcp_say_number(&link, (uint64_t)fd);
    long n = RCP_SYS4(SYS_readlinkat, AT_FDCWD, link.text, path, sizeof path - 1);
    if (n <= 0 || path[0] != '/' || memchr(path, '\n', (size_t)n) || n_known > KNOWN / 2 || !is_new(hash(path, n)))
        return;
    path[n] = '\n';
    if (n_known++ < KNOWN / 2)
        append(path, n + 1);
    else
        append(more, sizeof more - 1);
}

void rcp_names_changed(int at, const char *path) {
    const int error = errno;
    long fd = path ? RCP_SYS4(SYS_openat, at, path, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0) : -1;
    if (fd >= 0) {
        note(fd);
        RCP_SYS1(SYS_close, fd);
    }
    errno = error;
}

void rcp_names_written(int fd) {
    struct stat is;
    if (RCP_SYS2(SYS_fstat, fd, &is) >= 0 && S_ISREG(is.st_mode))
        note(fd);
}
