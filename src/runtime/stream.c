/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/stream.h"

#include "runtime/own.h"
#include "runtime/runtime.h"
#include "runtime/sys.h"

#include <fcntl.h>
#include <sys/stat.h>

#define FIRST_WINDOW   (UINT64_C(1) << 18)
#define LARGEST_WINDOW (UINT64_C(1) << 22)
#define FD_ABOVE       900 /* programs count on getting 3 from their first open, and select on fewer than 1,024 */

static void close_fd(int fd) { RCP_SYS1(SYS_close, fd); }

static bool identify(int fd, uint64_t *device, uint64_t *inode) {
    struct stat st;
    if (RCP_SYS2(SYS_fstat, fd, &st) < 0)
        return false;
    *device = st.st_dev;
    *inode = st.st_ino;
    return true;
}

/* Out of the program's way, where the limit of descriptors allows that. */
static int move_up(int fd) {
    long up = RCP_SYS3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, FD_ABOVE);
    if (up < 0)
        up = RCP_SYS3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 200);
    if (up < 0)
        return fd;
    close_fd(fd);
    return (int)up;
}

static void secure_fd(rcp_stream *s) {
    uint64_t device, inode;
    if (s->fd >= 0 && identify(s->fd, &device, &inode) && device == s->device && inode == s->inode)
        return;
    long fd = RCP_SYS4(SYS_openat, AT_FDCWD, s->path, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0)
        rcp_refuse("the program closed the descriptor of the trace, and its file can't be opened again", s->path);
    s->fd = move_up((int)fd);
}

static void map_window(rcp_stream *s, uint64_t position) {
    s->offset = position & ~UINT64_C(0xffff);
    uint64_t end = s->offset + s->window;
    /* Blocks are taken now: on a full disk a store into the window would be a SIGBUS. */
    long e = RCP_SYS4(SYS_fallocate, s->fd, 0, s->offset, s->window);
    if (e == -EOPNOTSUPP || e == -ENOSYS)
        e = RCP_SYS2(SYS_ftruncate, s->fd, end);
    if (e < 0)
        rcp_refuse("no room for the trace: free some space, or record to another file system with -o", s->path);
    s->base = rcp_own_map(s->window, MAP_SHARED, s->fd, s->offset);
    if (!s->base)
        rcp_refuse("the trace can't be mapped into memory", s->path);
    s->end = s->base + s->window;
    s->at = s->base + (position - s->offset);
    if (s->summed)
        s->summed = s->at - position % 8;
}

void rcp_stream_open(rcp_stream *s, int fd, const char *path, uint64_t at) {
    size_t n = 0;
    while (path[n] && n + 1 < sizeof s->path) {
        s->path[n] = path[n];
        n++;
    }
    s->path[n] = 0;
    s->fd = move_up(fd);
    identify(s->fd, &s->device, &s->inode);
    s->window = FIRST_WINDOW;
    map_window(s, at);
}

/* copy_file_range shares blocks where the file system can; some file systems know neither it nor sendfile. */
static bool copy(int to, int from, uint64_t size) {
    char buffer[16384];
    long off = 0;
    while ((uint64_t)off < size) {
        long n = rcp_sys(SYS_copy_file_range, from, (long)&off, to, 0, (long)(size - (uint64_t)off), 0);
        if (n <= 0)
            break;
    }
    while ((uint64_t)off < size) {
        uint64_t rest = size - (uint64_t)off;
        long n = RCP_SYS4(SYS_pread64, from, buffer, rest < sizeof buffer ? rest : sizeof buffer, off);
        if (n <= 0 || RCP_SYS4(SYS_pwrite64, to, buffer, n, off) != n)
            return false;
        off += n;
    }
    return true;
}

void rcp_stream_part(rcp_stream *s, int fd, const char *path) {
    uint64_t size = rcp_stream_size(s);
    if (s->summed)
        rcp_stream_sum(s);
    secure_fd(s);
    if (!copy(fd, s->fd, size))
        rcp_refuse("no room for the trace of a forked process", path);
    RCP_SYS2(SYS_munmap, s->base, s->window);
    close_fd(s->fd);
    rcp_stream_open(s, fd, path, size);
}

void rcp_stream_slide(rcp_stream *s) {
    uint64_t position = rcp_stream_size(s);
    if (s->summed)
        rcp_stream_sum(s);
    RCP_SYS2(SYS_munmap, s->base, s->window);
    if (s->window < LARGEST_WINDOW)
        s->window *= 2;
    secure_fd(s);
    map_window(s, position);
}

void rcp_stream_close(rcp_stream *s) {
    if (!s->base)
        return;
    uint64_t size = rcp_stream_size(s);
    secure_fd(s);
    RCP_SYS2(SYS_munmap, s->base, s->window);
    RCP_SYS2(SYS_ftruncate, s->fd, size);
    close_fd(s->fd);
    s->base = s->at = s->end = NULL;
    s->fd = -1;
}
