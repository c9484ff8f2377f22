/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

char *rcp_file_take_path(const char *directory, const char *name) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/%s", directory, name);
    return path.at;
}

bool rcp_file_is_there(const char *path) { return !access(path, F_OK) || (errno != ENOENT && errno != ENOTDIR); }

rcp_code rcp_file_find(const char *path, bool *is_there) {
    *is_there = !access(path, F_OK);
    return *is_there || errno == ENOENT || errno == ENOTDIR
               ? RCP_OK
               : rcp_fail(rcp_code_of_errno(errno), "%s: can't be found: %s", path, strerror(errno));
}

rcp_code rcp_file_read_if_there(const char *directory, const char *name, rcp_text *text) {
    char *path = rcp_file_take_path(directory, name);
    bool is_there;
    rcp_code code = rcp_file_find(path, &is_there);
    if (code == RCP_OK && is_there)
        code = rcp_text_read_file(text, path);
    rcp_release(path);
    return code;
}

/* A write of nothing where something was asked for would go on for ever. */
static bool has_stopped(ssize_t put) {
    if (!put)
        errno = ENOSPC;
    return put == 0 || errno != EINTR;
}

bool rcp_file_put(int fd, const void *bytes, size_t n) {
    for (const char *at = bytes; n;) {
        ssize_t put = write(fd, at, n);
        if (put <= 0 && has_stopped(put))
            return false;
        if (put > 0)
            at += put, n -= (size_t)put;
    }
    return true;
}

bool rcp_file_put_at(int fd, const void *bytes, size_t n, uint64_t offset) {
    for (const char *at = bytes; n;) {
        ssize_t put = pwrite(fd, at, n, (off_t)offset);
        if (put <= 0 && has_stopped(put))
            return false;
        if (put > 0)
            at += put, n -= (size_t)put, offset += (uint64_t)put;
    }
    return true;
}

static rcp_code refused(const char *path, const char *what) {
    return rcp_fail(RCP_SYSTEM, "%s: can't be %s: %s", path, what, strerror(errno));
}

/* Writes and closes; what is left of a file that failed is removed. */
static rcp_code fill(int fd, const char *path, const void *bytes, size_t n) {
    rcp_code code = rcp_file_put(fd, bytes, n) ? RCP_OK : refused(path, "written");
    if (close(fd) && code == RCP_OK)
        code = refused(path, "written");
    if (code != RCP_OK)
        unlink(path);
    return code;
}

rcp_code rcp_file_make(const char *path, const void *bytes, size_t n) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return fd < 0 ? refused(path, "written") : fill(fd, path, bytes, n);
}

/* There is no way to ask for the umask but to set it. */
unsigned rcp_file_default_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

rcp_code rcp_file_replace(const char *path, const void *bytes, size_t n) {
    rcp_text temporary = {0};
    rcp_text_printf(&temporary, "%s.XXXXXX", path);
    int fd = mkostemp(temporary.at, O_CLOEXEC);
    rcp_code code = fd < 0 ? refused(path, "made") : RCP_OK;
    if (code == RCP_OK && fchmod(fd, rcp_file_default_mode())) {
        code = refused(path, "made readable");
        close(fd);
        unlink(temporary.at);
    } else if (code == RCP_OK) {
        code = fill(fd, temporary.at, bytes, n);
        if (code == RCP_OK && rename(temporary.at, path)) {
            code = refused(path, "made");
            unlink(temporary.at);
        }
    }
    rcp_text_finish(&temporary);
    return code;
}

rcp_code rcp_file_make_directory(const char *path) {
    return mkdir(path, 0777) && errno != EEXIST ? refused(path, "made") : RCP_OK;
}

static int remove_one(const char *path, const struct stat *is, int type, struct FTW *where) {
    (void)is, (void)type, (void)where;
    remove(path); /* the rest goes, whatever stays */
    return 0;
}

void rcp_file_remove_tree(const char *path) {
    enum { OPEN_AT_ONCE = 8 };
    nftw(path, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}

static uint64_t bytes_of_tree;

static int add_one(const char *path, const struct stat *is, int kind, struct FTW *at) {
    (void)path;
    (void)at;
    enum { BLOCK = 512 }; /* that stat(2) counts by */
    if (kind == FTW_F)
        bytes_of_tree += (uint64_t)is->st_blocks * BLOCK;
    return 0;
}

uint64_t rcp_file_tree_bytes(const char *path) {
    enum { OPEN_AT_ONCE = 8 };
    bytes_of_tree = 0;
    nftw(path, add_one, OPEN_AT_ONCE, FTW_PHYS);
    return bytes_of_tree;
}

bool rcp_file_leads_nowhere(int fd) {
    struct stat is;
    return fstat(fd, &is) || (S_ISCHR(is.st_mode) && is.st_rdev == makedev(1, 3)); /* /dev/null */
}
