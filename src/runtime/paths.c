/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that hand the system a path and have no other reason to be intercepted: what the path holds is looked at
 * (world.h). Each is a call outside, recorded as such, and has a row in src/outside: without one, what is defined here
 * would be taken for code of the program's file, which can reach all that the program has. */
#include "runtime/world.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The path is a parameter called `path`. */
#define LOOKS_AT_PATH(type, name, parameters, arguments)                                                               \
    RCP_REAL_DEFINE(name)                                                                                              \
    RCP_INTERCEPT type name parameters {                                                                               \
        rcp_world_path(path);                                                                                          \
        return RCP_REAL(name) arguments;                                                                               \
    }

LOOKS_AT_PATH(int, access, (const char *path, int mode), (path, mode))
LOOKS_AT_PATH(int, faccessat, (int at, const char *path, int mode, int flags), (at, path, mode, flags))
LOOKS_AT_PATH(int, unlink, (const char *path), (path))
LOOKS_AT_PATH(int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
LOOKS_AT_PATH(int, rmdir, (const char *path), (path))
LOOKS_AT_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode))
LOOKS_AT_PATH(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))
LOOKS_AT_PATH(int, mkfifo, (const char *path, mode_t mode), (path, mode))
LOOKS_AT_PATH(int, rename, (const char *from, const char *path), (from, path))
LOOKS_AT_PATH(int, link, (const char *from, const char *path), (from, path))
LOOKS_AT_PATH(int, symlink, (const char *from, const char *path), (from, path))
LOOKS_AT_PATH(int, truncate, (const char *path, off_t size), (path, size))
LOOKS_AT_PATH(int, chmod, (const char *path, mode_t mode), (path, mode))
LOOKS_AT_PATH(int, chdir, (const char *path), (path))
LOOKS_AT_PATH(int, remove, (const char *path), (path))
LOOKS_AT_PATH(DIR *, opendir, (const char *path), (path))
LOOKS_AT_PATH(int, statvfs, (const char *restrict path, struct statvfs *restrict facts), (path, facts))
LOOKS_AT_PATH(int, inotify_add_watch, (int fd, const char *path, uint32_t what), (fd, path, what))
LOOKS_AT_PATH(int, utimensat, (int at, const char *path, const struct timespec times[2], int flags),
              (at, path, times, flags))
